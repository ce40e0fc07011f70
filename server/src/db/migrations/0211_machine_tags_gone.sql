-- Nothing asks for tags of machines: groups of machines are what people make and filter by. A dictionary to which
-- somebody has added words of their own stays, to be removed by whoever did.
update dictionary_type set is_system = false where code = 'machineTag';
with gone as (
    delete from dictionary_item i using dictionary_type t
    where t.id = i.type_id and t.code = 'machineTag' and i.merchant_id is null
      and i.code in ('indoor', 'outdoor', 'allDay')
      and not exists (select 1 from dictionary_item own where own.type_id = t.id
        and (own.merchant_id is not null or own.code not in ('indoor', 'outdoor', 'allDay')))
    returning i.id)
select count(*) from gone;
delete from dictionary_type t where code = 'machineTag'
  and not exists (select 1 from dictionary_item i where i.type_id = t.id);
