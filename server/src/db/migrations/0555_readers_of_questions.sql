-- Who a question is for: those who are signed in read it in the application's help, customers where they stand.
alter table faq add column readers text[] not null default '{staff}'
  check (readers <@ array['staff', 'customers'] and cardinality(readers) > 0);
