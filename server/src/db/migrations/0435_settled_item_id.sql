-- It is worked out of two columns that are always there, which the catalogue of the database could not tell.
alter table settled_item alter column id set not null;
