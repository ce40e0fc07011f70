-- Nothing asks for these: documents have their own tables, and feedback has none yet. One to which somebody has added
-- words of their own stays, to be removed by whoever did.
update dictionary_type set is_system = false where code in ('documentKind', 'feedbackKind');
with shipped (type, code) as (values
    ('documentKind', 'purchase'), ('documentKind', 'inbound'), ('documentKind', 'outbound'), ('documentKind', 'loss'),
    ('documentKind', 'replenishment'), ('feedbackKind', 'machine'), ('feedbackKind', 'order'),
    ('feedbackKind', 'software'), ('feedbackKind', 'suggestion')),
  gone as (
    delete from dictionary_item i using dictionary_type t, shipped s
    where t.id = i.type_id and t.code = s.type and s.code = i.code and i.merchant_id is null
      and not exists (select 1 from dictionary_item own where own.type_id = t.id
        and (own.merchant_id is not null
          or not exists (select 1 from shipped x where x.type = t.code and x.code = own.code)))
    returning i.id)
select count(*) from gone;
delete from dictionary_type t where code in ('documentKind', 'feedbackKind')
  and not exists (select 1 from dictionary_item i where i.type_id = t.id);
