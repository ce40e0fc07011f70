-- Money that no order of ours explains is a case until it is decided, and who may handle a refund is told of it.

-- Decided at most once: it goes back to who paid it, becomes the payment of an order that was closed unpaid, or was
-- decided as a difference to the channel's bill.
alter table unclaimed_payment
  add column state text not null default 'open' check (state in ('open', 'asked', 'refunding', 'failed', 'refunded',
    'attached', 'settled')),
  add column decision text check (decision in ('refund', 'attach')),
  add column reason text not null default '' check (length(reason) <= 200),
  add column order_id bigint references order_number (order_id),
  add column order_no text,
  add column asked_by bigint references app_user,
  add column asked_at timestamptz,
  add column decided_by bigint references app_user,
  add column decided_at timestamptz,
  add column tries int not null default 0 check (tries >= 0),
  add column asks int not null default 0 check (asks >= 0),
  add column sent_at timestamptz,
  add column next_at timestamptz,
  add column channel_refund_no text check (length(channel_refund_no) <= 64),
  add column detail text check (length(detail) <= 120),
  add column ended_at timestamptz,
  add column version int not null default 1,
  add check (state <> 'asked' or (asked_by is not null and decision is not null)),
  add check (state in ('open', 'asked', 'settled') or (decided_by is not null and decision is not null)),
  add check ((decision = 'attach') = (order_id is not null) or decision is null),
  add check (state <> 'refunding' or next_at is not null),
  add check ((state in ('refunded', 'attached', 'settled')) = (ended_at is not null)),
  add check (decided_by is null or asked_by is null or decided_by <> asked_by);
create index unclaimed_payment_open on unclaimed_payment (noted_at, id)
  where state in ('open', 'asked', 'refunding', 'failed');
create index unclaimed_payment_newest on unclaimed_payment (noted_at, id);
create index unclaimed_payment_channel on unclaimed_payment (channel_no);
create index unclaimed_payment_due on unclaimed_payment (next_at) where state = 'refunding';

-- Set once somebody was told that it needs a person; those of before are in the list and nobody is told again.
alter table refund add column told_at timestamptz;
update refund set told_at = now() where state = 'needs_handling';
create index refund_untold on refund (id) where state = 'needs_handling' and told_at is null;

insert into message_type (code, name, title, body, variables, channels, can_wait, is_system, is_required) values
  ('refund.needsHandling',
    '{"zh": "退款待人工处理", "en": "Refund needs handling", "fr": "Remboursement à traiter", "ko": "환불 수동 처리 필요"}',
    '{"zh": "{{count}} 笔退款待人工处理，共 {{amount}}", "en": "Refunds to handle by hand: {{count}}, {{amount}} in all", "fr": "Remboursements à traiter : {{count}}, soit {{amount}}", "ko": "수동 처리할 환불 {{count}}건, 총 {{amount}}"}',
    '{"zh": "{{refunds}}：渠道无法退回，需人工处理。请在退款管理中查看原因并退还顾客。", "en": "{{refunds}}: no channel can pay this back. See the reason in refund management and pay the customer back.", "fr": "{{refunds}} : aucun canal ne peut rembourser. Consultez le motif dans la gestion des remboursements et remboursez le client.", "ko": "{{refunds}}: 결제 채널로 환불할 수 없습니다. 환불 관리에서 사유를 확인하고 고객에게 환불해 주세요."}',
    '{count,amount,refunds}', '{web}', true, true, false);
