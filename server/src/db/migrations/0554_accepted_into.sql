-- Where it was accepted into: its machines get it once that template is applied to them.
alter table recommendation add column template_id bigint references template on delete set null;
create index recommendation_template_id on recommendation (template_id) where template_id is not null;
