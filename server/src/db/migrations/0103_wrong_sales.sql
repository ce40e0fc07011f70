-- What a machine sold by itself is a fact also where it should not have been sold: it is kept, and looked at.

alter table orders drop constraint orders_problem_check;
alter table orders add constraint orders_problem_check check (problem in ('undelivered', 'no_answer', 'late_result',
  'amount_mismatch', 'paid_late', 'dispensed_after_refund', 'unlawful_sale', 'goods_differ'));
alter table problem_case drop constraint problem_case_kind_check;
alter table problem_case add constraint problem_case_kind_check check (kind in ('undelivered', 'no_answer',
  'late_result', 'amount_mismatch', 'paid_late', 'dispensed_after_refund', 'unlawful_sale', 'goods_differ'));

-- Named by a machine's sale and by nobody else: it stands offline under the code that was sold, until somebody says
-- what it is.
alter table product add column is_unknown boolean not null default false;
alter table product add constraint product_unknown_offline check (not is_unknown or state = 'offline');

-- Why a piece that came out should not have been sold; of nearly all, nothing.
alter table order_item add column wrong text check (wrong in ('notLawful', 'prescriptionMissing', 'batchNotForSale',
  'productUnknown', 'slotHoldsOther'));
