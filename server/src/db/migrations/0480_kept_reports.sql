-- An export under a name: made again when it is asked for, or by itself at its hour, as its owner may see it then.
create table kept_report (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  user_id bigint not null references app_user,
  name text not null check (length(name) between 1 and 60),
  list text not null,
  -- Without the days, unless those are fixed.
  query jsonb not null,
  columns text[] not null check (cardinality(columns) > 0),
  format text not null check (format in ('xlsx', 'csv')),
  language text not null check (language in ('zh', 'en', 'fr', 'ko')),
  period text not null check (period in ('fixed', 'yesterday', 'sevenBefore', 'lastWeek', 'thisMonth', 'lastMonth',
    'thirtyBefore')),
  cadence text not null check (cadence in ('never', 'daily', 'weekly', 'monthly')),
  -- At the network's home.
  at_hour int not null check (at_hour between 0 and 23),
  next_at timestamptz,
  state text not null default 'active' check (state in ('active', 'stopped')),
  version int not null default 1,
  created_at timestamptz not null,
  check ((next_at is not null) = (state = 'active' and cadence <> 'never'))
);
create index kept_report_own on kept_report (user_id, id desc);
create index kept_report_due on kept_report (next_at) where next_at is not null;
create index kept_report_merchant on kept_report (merchant_id);

-- Whoever has one of these roles may take it over as a report of their own.
create table kept_report_role (
  kept_report_id bigint not null references kept_report on delete cascade,
  role_id bigint not null references role on delete cascade,
  primary key (kept_report_id, role_id)
);
create index kept_report_role_of on kept_report_role (role_id);

alter table report_request add column kept_report_id bigint references kept_report on delete set null;
create index report_request_kept on report_request (kept_report_id, id desc) where kept_report_id is not null;

insert into message_type (code, name, title, body, variables, channels, can_wait, is_system, is_required)
values ('report.kept',
  '{"zh": "定制报表", "en": "Kept report", "fr": "Rapport conservé", "ko": "맞춤 보고서"}',
  '{"zh": "报表“{{name}}”已生成", "en": "Your report “{{name}}” is ready", "fr": "Votre rapport « {{name}} » est prêt", "ko": "보고서 ‘{{name}}’이(가) 준비되었습니다"}',
  '{"zh": "{{days}}，共 {{rows}} 行，下载至 {{until}}：{{link}}", "en": "{{days}}, {{rows}} rows, to be downloaded until {{until}}: {{link}}", "fr": "{{days}}, {{rows}} lignes, à télécharger jusqu’au {{until}} : {{link}}", "ko": "{{days}}, {{rows}}행, {{until}}까지 다운로드: {{link}}"}',
  '{name,days,rows,until,link}', '{web,email}', true, true, false),
  ('report.failed',
  '{"zh": "报表未生成", "en": "Report not made", "fr": "Rapport non établi", "ko": "보고서 생성 실패"}',
  '{"zh": "报表“{{name}}”未能生成", "en": "Your report “{{name}}” could not be made", "fr": "Votre rapport « {{name}} » n’a pas pu être établi", "ko": "보고서 ‘{{name}}’을(를) 만들지 못했습니다"}',
  '{"zh": "如果您仍有该列表的权限，请在下载中心再次生成。", "en": "If you may still open its list, make it again in the download centre.", "fr": "Si vous avez encore accès à sa liste, refaites-le dans le centre de téléchargement.", "ko": "해당 목록 권한이 있으면 다운로드 센터에서 다시 만드세요."}',
  '{name}', '{web,email}', true, true, false)
on conflict (code) do nothing;
