-- A fee below the least is raised to it, or not taken: contracts say "at least 0.01 yuan" and "none below 0.01 yuan".
alter table fee_rule add column below_min text not null default 'raise' check (below_min in ('raise', 'waive'));
-- Where the platform withholds tax of a merchant's sales, its rate is agreed as every fee is.
alter table fee_rule drop constraint fee_rule_subject_check;
alter table fee_rule add constraint fee_rule_subject_check check (subject in ('alipay', 'wechat', 'unionpay',
  'member_card', 'other', 'function:sale', 'function:prescription', 'function:lottery', 'function:member',
  'withdrawal', 'tax'));
insert into fee_rule (subject, rate_ppm, basis, min_fen, valid_from, created_at)
  values ('tax', 0, 'day', 0, '2019-06-01', '2019-06-01');
alter table settlement add column tax_fen bigint not null default 0 check (tax_fen >= 0);
alter table settlement drop constraint settlement_check;
alter table settlement add constraint settlement_net check
  (net_fen = gross_fen - refund_fen - channel_fee_fen - function_fee_fen - tax_fen);
