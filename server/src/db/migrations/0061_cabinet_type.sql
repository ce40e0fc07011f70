-- How a cabinet keeps what is in it (specification, section 3: a machine's type); what is known so far is its limits.
alter table machine
  add column cabinet_type text not null default 'ambient'
    check (cabinet_type in ('ambient', 'cooled', 'frozen', 'heated'));
update machine set cabinet_type = case when temperature_max_c <= 0 then 'frozen' else 'cooled' end
where temperature_max_c <= 15;
