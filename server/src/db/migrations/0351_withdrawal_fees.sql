-- What withdrawing costs is agreed as every other fee is.
alter table fee_rule drop constraint fee_rule_subject_check;
alter table fee_rule add constraint fee_rule_subject_check check (subject in ('alipay', 'wechat', 'unionpay',
  'member_card', 'other', 'function:sale', 'function:prescription', 'function:lottery', 'function:member',
  'withdrawal'));
insert into fee_rule (subject, rate_ppm, basis, min_fen, valid_from, created_at)
  values ('withdrawal', 0, 'order', 0, '2019-06-01', '2019-06-01');
