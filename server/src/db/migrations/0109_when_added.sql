-- When a list of words and a type of message were added; of those that stood before, when this was first kept.
alter table dictionary_type add created_at timestamptz not null default now();
alter table message_type add created_at timestamptz not null default now();
