-- Messages to people: their types and words, notices, the way out, and who is told of what (docs/decisions/0009).

-- What people are told, in which words, by which channels.
create table message_type (
  id bigint generated always as identity primary key,
  code text not null unique check (code ~ '^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)+$' and length(code) <= 60),
  -- By language: zh, en, fr, ko.
  name jsonb not null,
  title jsonb not null,
  body jsonb not null,
  -- What `{{…}}` in title and body may name; also the order of a provider's numbered template parameters.
  variables text[] not null default '{}',
  channels text[] not null check (channels <@ array['web', 'sms', 'email', 'app'] and cardinality(channels) > 0),
  -- Whether it waits for the end of quiet hours and may be muted by its receiver.
  can_wait boolean not null default true,
  is_on boolean not null default true,
  -- Sent by the product itself: the code and the variables are its own.
  is_system boolean not null default false,
  -- Nobody can do without it (passwords, codes): never switched off, never waiting.
  is_required boolean not null default false,
  -- The template's number at the SMS provider, where it is not the provider's default.
  sms_template text check (length(sms_template) <= 60),
  version int not null default 1,
  check (not is_required or (is_on and not can_wait))
);

-- What one person writes to many.
create table notification (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  type_id bigint not null references message_type,
  title text not null check (length(title) between 1 and 100),
  body text not null check (length(body) between 1 and 5000),
  -- By language: { title, body }; who reads another language gets the text above.
  translations jsonb not null default '{}',
  channels text[] not null check (channels <@ array['web', 'sms', 'email', 'app'] and cardinality(channels) > 0),
  target text not null check (target in ('all', 'merchants', 'roles')),
  with_children boolean not null default false,
  state text not null default 'draft' check (state in ('draft', 'scheduled', 'sending', 'sent', 'withdrawn')),
  scheduled_at timestamptz,
  published_at timestamptz,
  finished_at timestamptz,
  -- How far the sending is: receivers go by user id.
  last_user_id bigint not null default 0,
  expected int not null default 0,
  receivers int not null default 0 check (receivers >= 0),
  read_count int not null default 0 check (read_count between 0 and receivers),
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  version int not null default 1,
  check (state <> 'scheduled' or scheduled_at is not null),
  check (state not in ('sending', 'sent') or published_at is not null)
);
create index notification_merchant on notification (merchant_id, id desc);
create index notification_due on notification (scheduled_at) where state = 'scheduled';
create index notification_sending on notification (id) where state = 'sending';
create index notification_type on notification (type_id);
create index notification_author on notification (created_by);

create table notification_target (
  notification_id bigint not null references notification on delete cascade,
  merchant_id bigint references merchant,
  role_id bigint references role on delete cascade,
  check (num_nonnulls(merchant_id, role_id) = 1),
  unique nulls not distinct (notification_id, merchant_id, role_id)
);
create index notification_target_merchant on notification_target (merchant_id) where merchant_id is not null;
create index notification_target_role on notification_target (role_id) where role_id is not null;

-- One row a person: however often the sending starts again, nobody is told twice.
create table notification_receiver (
  notification_id bigint not null references notification on delete cascade,
  user_id bigint not null references app_user,
  sent_at timestamptz not null,
  read_at timestamptz,
  reminders int not null default 0,
  reminded_at timestamptz,
  primary key (notification_id, user_id)
);
create index notification_receiver_user on notification_receiver (user_id);
create index notification_receiver_unread on notification_receiver (notification_id, user_id) where read_at is null;

-- Messages on their way to a person.
create table outbox_message (
  id bigint generated always as identity primary key,
  type text not null,
  channel text not null check (channel in ('web', 'sms', 'email', 'app', 'wechat')),
  merchant_id bigint not null references merchant,
  user_id bigint references app_user,
  receiver text not null default '',
  title text not null default '',
  body text not null default '',
  -- Codes and passwords: AES-256-GCM under the key file, deleted once sent.
  sealed_body bytea,
  reference text unique,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'held', 'withdrawn')),
  tries int not null default 0,
  next_try_at timestamptz not null,
  provider text,
  error text,
  created_at timestamptz not null,
  sent_at timestamptz,
  read_at timestamptz,
  vars jsonb,
  is_secret boolean not null default false,
  is_alarm boolean not null generated always as (type like 'alarm.%') stored,
  notification_id bigint,
  account_id bigint references official_account on delete set null,
  foreign key (notification_id) references notification
);
create index outbox_message_waiting on outbox_message (next_try_at) where state = 'waiting';
create index outbox_message_user on outbox_message (user_id, id desc) where channel = 'web';
create index outbox_message_merchant on outbox_message (merchant_id, id desc);
create index outbox_message_state on outbox_message (state, id desc) where state <> 'sent';
create index outbox_message_created on outbox_message (created_at);
create index outbox_message_type on outbox_message (type, id desc);
create index outbox_message_alarm on outbox_message (merchant_id, id desc) where is_alarm;
create index outbox_message_alarms on outbox_message (id desc) where is_alarm;
create index outbox_message_unread on outbox_message (user_id)
  where channel = 'web' and state = 'sent' and read_at is null;
create index outbox_message_notification on outbox_message (notification_id, user_id) where notification_id is not null;
create index outbox_message_account on outbox_message (account_id) where account_id is not null;

-- Who is told of what: per merchant and type, by which channels.
create table push_rule (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  type_id bigint not null references message_type,
  channels text[] not null check (channels <@ array['web', 'sms', 'email', 'app'] and cardinality(channels) > 0),
  version int not null default 1,
  unique (merchant_id, type_id)
);
create index push_rule_type on push_rule (type_id);

create table push_rule_target (
  rule_id bigint not null references push_rule on delete cascade,
  role_id bigint references role on delete cascade,
  user_id bigint references app_user on delete cascade,
  organisation_id bigint references organisation on delete cascade,
  check (num_nonnulls(role_id, user_id, organisation_id) = 1),
  unique nulls not distinct (rule_id, role_id, user_id, organisation_id)
);
create index push_rule_target_role on push_rule_target (role_id) where role_id is not null;
create index push_rule_target_user on push_rule_target (user_id) where user_id is not null;
create index push_rule_target_organisation on push_rule_target (organisation_id) where organisation_id is not null;

-- A person's own: no SMS, e-mail or app message of these types; and quiet hours of their own.
create table push_mute (
  user_id bigint not null references app_user on delete cascade,
  type_id bigint not null references message_type on delete cascade,
  primary key (user_id, type_id)
);
create index push_mute_type on push_mute (type_id);

create table push_quiet (
  user_id bigint primary key references app_user on delete cascade,
  quiet_from text not null check (quiet_from ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  quiet_to text not null check (quiet_to ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  check (quiet_from <> quiet_to)
);

-- Who carries a channel out of the house; without a row its messages are held in the outbox.
create table push_provider (
  id bigint generated always as identity primary key,
  channel text not null unique check (channel in ('sms', 'email')),
  kind text not null check (kind in ('aliyun', 'tencent', 'smtp')),
  is_on boolean not null default true,
  config jsonb not null,
  -- Password or secret key: AES-256-GCM under the key file; written, never shown.
  secret bytea,
  version int not null default 1,
  check ((channel = 'email') = (kind = 'smtp'))
);

insert into message_type (code, name, title, body, variables, channels, can_wait, is_system, is_required) values
  ('password.initial',
    '{"zh": "初始密码", "en": "Initial password", "fr": "Mot de passe initial", "ko": "초기 비밀번호"}',
    '{"zh": "您的账号已开通", "en": "Your account is ready", "fr": "Votre compte est prêt", "ko": "계정이 개설되었습니다"}',
    '{"zh": "您的账号 {{account}} 已开通，初始密码为 {{password}}。请登录后立即修改。", "en": "Your account {{account}} is ready. Initial password: {{password}}. Change it after signing in.", "fr": "Votre compte {{account}} est prêt. Mot de passe initial : {{password}}. Changez-le après connexion.", "ko": "계정 {{account}}이(가) 개설되었습니다. 초기 비밀번호는 {{password}}입니다. 로그인 후 바로 변경하세요."}',
    '{account,password}', '{sms}', false, true, true),
  ('password.code',
    '{"zh": "短信验证码", "en": "Verification code", "fr": "Code de vérification", "ko": "인증 코드"}',
    '{"zh": "验证码", "en": "Verification code", "fr": "Code de vérification", "ko": "인증 코드"}',
    '{"zh": "您的验证码为 {{code}}，{{minutes}} 分钟内有效。请勿告诉任何人。", "en": "Your code is {{code}}, valid for {{minutes}} minutes. Tell it to nobody.", "fr": "Votre code est {{code}}, valable {{minutes}} minutes. Ne le communiquez à personne.", "ko": "인증 코드는 {{code}}이며 {{minutes}}분간 유효합니다. 누구에게도 알리지 마세요."}',
    '{code,minutes}', '{sms}', false, true, true),
  ('password.reset',
    '{"zh": "重置密码", "en": "Password reset", "fr": "Réinitialisation du mot de passe", "ko": "비밀번호 재설정"}',
    '{"zh": "您的密码已重置", "en": "Your password was reset", "fr": "Votre mot de passe a été réinitialisé", "ko": "비밀번호가 재설정되었습니다"}',
    '{"zh": "账号 {{account}} 的密码已由管理员重置为 {{password}}。请登录后立即修改。", "en": "An administrator reset the password of {{account}} to {{password}}. Change it after signing in.", "fr": "Un administrateur a remplacé le mot de passe de {{account}} par {{password}}. Changez-le après connexion.", "ko": "관리자가 계정 {{account}}의 비밀번호를 {{password}}(으)로 재설정했습니다. 로그인 후 바로 변경하세요."}',
    '{account,password}', '{sms}', false, true, true),
  ('signIn.afterFailures',
    '{"zh": "多次失败后登录", "en": "Sign-in after failures", "fr": "Connexion après des échecs", "ko": "실패 후 로그인"}',
    '{"zh": "账号登录失败提醒", "en": "Failed attempts to sign in", "fr": "Tentatives de connexion échouées", "ko": "로그인 실패 알림"}',
    '{"zh": "您的账号 {{account}} 在本次登录前有 {{count}} 次失败的登录尝试，最近一次来自 {{ip}}（{{at}}）。如非本人操作，请立即修改密码。", "en": "Before you signed in to {{account}} there were {{count}} failed attempts, the last from {{ip}} ({{at}}). If that was not you, change your password now.", "fr": "Avant votre connexion à {{account}}, {{count}} tentatives ont échoué, la dernière depuis {{ip}} ({{at}}). Si ce n’était pas vous, changez votre mot de passe maintenant.", "ko": "{{account}} 계정에 로그인하기 전에 {{count}}회의 로그인 실패가 있었으며 마지막 시도는 {{ip}} ({{at}})입니다. 본인이 아니라면 즉시 비밀번호를 변경하세요."}',
    '{account,count,at,ip}', '{web}', false, true, true),
  ('secondFactor.reset',
    '{"zh": "两步验证已重置", "en": "Second factor reset", "fr": "Second facteur réinitialisé", "ko": "2단계 인증 초기화"}',
    '{"zh": "您的两步验证已被重置", "en": "Your second factor was reset", "fr": "Votre second facteur a été réinitialisé", "ko": "2단계 인증이 초기화되었습니다"}',
    '{"zh": "{{by}} 重置了您的两步验证。若非您的要求，请立即联系管理员。", "en": "{{by}} reset your second factor. If you did not ask for it, tell your administrator now.", "fr": "{{by}} a réinitialisé votre second facteur. Si vous ne l’avez pas demandé, prévenez votre administrateur.", "ko": "{{by}}님이 2단계 인증을 초기화했습니다. 요청하지 않았다면 바로 관리자에게 알리세요."}',
    '{by}', '{web}', false, true, true),
  ('licence.expiring',
    '{"zh": "证件到期提醒", "en": "Licence expiring", "fr": "Licence bientôt expirée", "ko": "증서 만료 알림"}',
    '{"zh": "{{merchant}}的{{licence}}即将到期", "en": "{{licence}} of {{merchant}} expires soon", "fr": "{{licence}} de {{merchant}} expire bientôt", "ko": "{{merchant}}의 {{licence}} 만료 예정"}',
    '{"zh": "{{licence}}将于 {{day}} 到期，还有 {{days}} 天。请尽快办理续期并上传新证件。", "en": "{{licence}} expires on {{day}}, in {{days}} days. Renew it and upload the new document.", "fr": "{{licence}} expire le {{day}}, dans {{days}} jours. Renouvelez-la et déposez le nouveau document.", "ko": "{{licence}}이(가) {{day}}에 만료됩니다({{days}}일 남음). 갱신한 뒤 새 증서를 올려 주세요."}',
    '{licence,merchant,day,days}', '{web,email}', true, true, false),
  ('bankAccount.reviewed',
    '{"zh": "账户信息审核结果", "en": "Account review result", "fr": "Résultat de la vérification du compte", "ko": "계좌 정보 심사 결과"}',
    '{"zh": "账户信息审核：{{result}}", "en": "Account information: {{result}}", "fr": "Informations de compte : {{result}}", "ko": "계좌 정보 심사: {{result}}"}',
    '{"zh": "{{merchant}}的账户信息变更审核结果：{{result}}。{{reason}}", "en": "The change of {{merchant}}’s account information was reviewed: {{result}}. {{reason}}", "fr": "La modification du compte de {{merchant}} a été examinée : {{result}}. {{reason}}", "ko": "{{merchant}}의 계좌 정보 변경 심사 결과: {{result}}. {{reason}}"}',
    '{merchant,result,reason}', '{web}', true, true, false),
  ('notice.system',
    '{"zh": "系统通知", "en": "System notice", "fr": "Avis du système", "ko": "시스템 공지"}',
    '{"zh": "{{title}}", "en": "{{title}}", "fr": "{{title}}", "ko": "{{title}}"}',
    '{"zh": "{{body}}", "en": "{{body}}", "fr": "{{body}}", "ko": "{{body}}"}',
    '{title,body}', '{web}', true, true, false),
  ('notice.maintenance',
    '{"zh": "停机维护通知", "en": "Maintenance notice", "fr": "Avis de maintenance", "ko": "점검 공지"}',
    '{"zh": "{{title}}", "en": "{{title}}", "fr": "{{title}}", "ko": "{{title}}"}',
    '{"zh": "{{body}}", "en": "{{body}}", "fr": "{{body}}", "ko": "{{body}}"}',
    '{title,body}', '{web}', true, true, false),
  ('notice.business',
    '{"zh": "业务通知", "en": "Business notice", "fr": "Avis commercial", "ko": "업무 공지"}',
    '{"zh": "{{title}}", "en": "{{title}}", "fr": "{{title}}", "ko": "{{title}}"}',
    '{"zh": "{{body}}", "en": "{{body}}", "fr": "{{body}}", "ko": "{{body}}"}',
    '{title,body}', '{web}', true, true, false),
  ('alarm.system',
    '{"zh": "系统报警", "en": "System alarm", "fr": "Alarme du système", "ko": "시스템 경보"}',
    '{"zh": "系统报警：{{name}}", "en": "System alarm: {{name}}", "fr": "Alarme du système : {{name}}", "ko": "시스템 경보: {{name}}"}',
    '{"zh": "{{at}} {{name}}：{{detail}}", "en": "{{at}} {{name}}: {{detail}}", "fr": "{{at}} {{name}} : {{detail}}", "ko": "{{at}} {{name}}: {{detail}}"}',
    '{name,detail,at}', '{web,sms}', false, true, false),
  ('alarm.machine',
    '{"zh": "机器报警", "en": "Machine alarm", "fr": "Alarme de machine", "ko": "기기 경보"}',
    '{"zh": "{{machine}}：{{condition}}", "en": "{{machine}}: {{condition}}", "fr": "{{machine}} : {{condition}}", "ko": "{{machine}}: {{condition}}"}',
    '{"zh": "机器 {{machine}} 于 {{at}} 报警：{{condition}}。", "en": "Machine {{machine}} raised an alarm at {{at}}: {{condition}}.", "fr": "La machine {{machine}} a signalé à {{at}} : {{condition}}.", "ko": "기기 {{machine}}에서 {{at}}에 경보가 발생했습니다: {{condition}}."}',
    '{machine,condition,at}', '{web,sms}', true, true, false),
  ('report.ready',
    '{"zh": "报表已生成", "en": "Report ready", "fr": "Rapport prêt", "ko": "보고서 준비 완료"}',
    '{"zh": "报表已生成", "en": "Report ready", "fr": "Rapport prêt", "ko": "보고서 준비 완료"}',
    '{"zh": "{{report}}已生成，可在下载中心下载。", "en": "{{report}} is ready in the download centre.", "fr": "{{report}} est prêt dans le centre de téléchargement.", "ko": "{{report}}이(가) 준비되었습니다. 다운로드 센터에서 받으세요."}',
    '{report}', '{web}', true, true, false),
  ('push.test',
    '{"zh": "测试消息", "en": "Test message", "fr": "Message d’essai", "ko": "테스트 메시지"}',
    '{"zh": "测试消息", "en": "Test message", "fr": "Message d’essai", "ko": "테스트 메시지"}',
    '{"zh": "这是一条测试消息：收到它说明推送渠道配置正确。", "en": "This is a test message: receiving it means that the channel works.", "fr": "Ceci est un message d’essai : le recevoir prouve que le canal fonctionne.", "ko": "테스트 메시지입니다. 받으셨다면 발송 채널이 정상입니다."}',
    '{}', '{sms,email}', false, true, false),
  ('alarm.stock',
    '{"zh": "缺货报警", "en": "Out-of-stock alarm", "fr": "Alarme de rupture de stock", "ko": "품절 경보"}',
    '{"zh": "{{machine}}：{{condition}}", "en": "{{machine}}: {{condition}}", "fr": "{{machine}} : {{condition}}", "ko": "{{machine}}: {{condition}}"}',
    '{"zh": "机器 {{machine}} 于 {{at}} 缺货报警：{{condition}}。", "en": "Machine {{machine}} raised an out-of-stock alarm at {{at}}: {{condition}}.", "fr": "La machine {{machine}} a signalé une rupture à {{at}} : {{condition}}.", "ko": "기기 {{machine}}에서 {{at}}에 품절 경보가 발생했습니다: {{condition}}."}',
    '{machine,condition,at}', '{web}', true, true, false),
  ('refund.needsHandling',
    '{"zh": "退款待人工处理", "en": "Refund needs handling", "fr": "Remboursement à traiter", "ko": "환불 수동 처리 필요"}',
    '{"zh": "{{count}} 笔退款待人工处理，共 {{amount}}", "en": "Refunds to handle by hand: {{count}}, {{amount}} in all", "fr": "Remboursements à traiter : {{count}}, soit {{amount}}", "ko": "수동 처리할 환불 {{count}}건, 총 {{amount}}"}',
    '{"zh": "{{refunds}}：渠道无法退回，需人工处理。请在退款管理中查看原因并退还顾客。", "en": "{{refunds}}: no channel can pay this back. See the reason in refund management and pay the customer back.", "fr": "{{refunds}} : aucun canal ne peut rembourser. Consultez le motif dans la gestion des remboursements et remboursez le client.", "ko": "{{refunds}}: 결제 채널로 환불할 수 없습니다. 환불 관리에서 사유를 확인하고 고객에게 환불해 주세요."}',
    '{count,amount,refunds}', '{web}', true, true, false),
  ('providerKey.expiring',
    '{"zh": "支付证书到期提醒", "en": "Payment certificate expiring", "fr": "Certificat de paiement bientôt expiré", "ko": "결제 인증서 만료 알림"}',
    '{"zh": "{{account}}的{{key}}即将到期", "en": "{{key}} of {{account}} expires soon", "fr": "{{key}} de {{account}} expire bientôt", "ko": "{{account}}의 {{key}} 만료 예정"}',
    '{"zh": "{{merchant}}在{{provider}}的账户“{{account}}”：{{key}}将于 {{day}} 到期，还有 {{days}} 天。到期后无法收款和退款，请尽快更换。", "en": "{{provider}} account “{{account}}” of {{merchant}}: {{key}} expires on {{day}}, in {{days}} days. Nothing can be collected or refunded after that; please replace it.", "fr": "Compte {{provider}} « {{account}} » de {{merchant}} : {{key}} expire le {{day}}, dans {{days}} jours. Ensuite, ni encaissement ni remboursement ; veuillez le remplacer.", "ko": "{{merchant}}의 {{provider}} 계정 “{{account}}”: {{key}}이(가) {{day}}에 만료됩니다({{days}}일 남음). 만료되면 수납과 환불이 되지 않으니 교체해 주세요."}',
    '{merchant,provider,account,key,day,days}', '{web}', false, true, false);
