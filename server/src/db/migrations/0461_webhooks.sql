-- Where the programs of others are told of events (docs/decisions/0072), after the Standard Webhooks specification.
create table webhook_endpoint (
  id bigint generated always as identity primary key,
  config_id bigint not null references integration_config on delete cascade,
  address text not null check (length(address) between 1 and 500),
  -- Of which kinds it is told; none: of all.
  kinds text[] not null default '{}' check (cardinality(kinds) <= 40),
  -- Paused: what happens waits for it. Disabled: nothing waits.
  state text not null default 'enabled' check (state in ('enabled', 'paused', 'disabled')),
  -- Why it was disabled without a person.
  ended_by text check (ended_by in ('gone', 'failing')),
  -- Sealed as webhook:<id>. The one before it signs too until it is over.
  secret bytea not null,
  secret_before bytea,
  secret_before_until timestamptz,
  -- Rounds one after the other in which nothing was taken, since when, and until when nothing is tried.
  failures int not null default 0 check (failures >= 0),
  failing_since timestamptz,
  rests_until timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  check ((secret_before is null) = (secret_before_until is null)),
  check ((failures = 0) = (failing_since is null)),
  check (ended_by is null or state = 'disabled'),
  constraint webhook_endpoint_one unique (config_id, address)
);

-- One event before one webhook, and how its last try went.
create table webhook_delivery (
  id bigint generated always as identity primary key,
  endpoint_id bigint not null references webhook_endpoint on delete cascade,
  number bigint not null,
  numbered_at timestamptz not null,
  kind text not null,
  object text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead')),
  tries int not null default 0 check (tries >= 0),
  next_try_at timestamptz,
  tried_at timestamptz,
  status int,
  -- Why there is no status.
  problem text,
  answer text not null default '' check (length(answer) <= 2000),
  duration_ms int,
  -- Who had it told once more; null: nobody.
  asked_by bigint references app_user on delete set null,
  check ((state = 'waiting') = (next_try_at is not null)),
  constraint webhook_delivery_once unique (endpoint_id, number)
);
create index webhook_delivery_due on webhook_delivery (endpoint_id, number) where state = 'waiting';
create index webhook_delivery_object on webhook_delivery (endpoint_id, object, number) where state = 'waiting';
create index webhook_delivery_dead on webhook_delivery (endpoint_id, number) where state = 'dead';
create index webhook_delivery_age on webhook_delivery (number);

-- Whoever runs the merchant hears of a webhook that nobody is behind any more, and of dead letters, once a day.
insert into message_type (code, name, title, body, variables, channels, can_wait, is_system, is_required)
values (
  'webhook.ended',
  jsonb_build_object('zh', '事件推送已停用', 'en', 'Webhook disabled', 'fr', 'Webhook désactivé', 'ko', '웹훅 중지'),
  jsonb_build_object(
    'zh', '{{merchant}}的事件推送已停用',
    'en', 'A webhook of {{merchant}} was disabled',
    'fr', 'Un webhook de {{merchant}} a été désactivé',
    'ko', '{{merchant}}의 웹훅이 중지되었습니다'),
  jsonb_build_object(
    'zh', '{{address}}：{{reason}}未送达 {{dead}} 条。恢复后可在“第三方对接配置”重新启用并重放。',
    'en', '{{address}}: {{reason}} {{dead}} events were not delivered. Once it is mended, enable it under Integrations and replay them.',
    'fr', '{{address}} : {{reason}} {{dead}} évènements non remis. Une fois réparé, réactivez-le dans Intégrations et rejouez-les.',
    'ko', '{{address}}: {{reason}} 전달되지 않은 이벤트 {{dead}}건. 복구 후 제3자 연동 설정에서 다시 켜고 재전송하세요.'),
  array['merchant', 'address', 'reason', 'dead'], array['web'], true, true, false),
(
  'webhook.dead',
  jsonb_build_object('zh', '事件未送达', 'en', 'Events not delivered', 'fr', 'Évènements non remis', 'ko', '이벤트 미전달'),
  jsonb_build_object(
    'zh', '{{merchant}}有事件未送达',
    'en', 'Events of {{merchant}} were not delivered',
    'fr', 'Des évènements de {{merchant}} n’ont pas été remis',
    'ko', '{{merchant}}의 이벤트가 전달되지 않았습니다'),
  jsonb_build_object(
    'zh', '{{address}}：{{reason}}共有死信 {{dead}} 条，可在“事件推送记录”查看和重放。',
    'en', '{{address}}: {{reason}} {{dead}} dead letters can be seen and replayed under Webhook deliveries.',
    'fr', '{{address}} : {{reason}} {{dead}} lettres mortes, à voir et rejouer dans Remises de webhooks.',
    'ko', '{{address}}: {{reason}} 실패 {{dead}}건은 웹훅 전송 기록에서 확인하고 재전송할 수 있습니다.'),
  array['merchant', 'address', 'reason', 'dead'], array['web'], true, true, false);
