-- Feedback is given to somebody, answered until a promised time, solved, and kept where it is worth it. That it is
-- overdue follows from its promise, so no row says it.
alter table feedback
  add column assignee_id bigint references app_user,
  -- Until when who asked is to hear of us; none while it waits for them, or is over.
  add column due_at timestamptz,
  add column is_essence boolean not null default false,
  add column closed_at timestamptz,
  -- What was on the page: its heading, the row that was open, the last failure, window and browser.
  add column seen jsonb not null check (jsonb_typeof(seen) = 'object' and length(seen::text) <= 2000)
    default '{"heading":"","open":null,"opened":"","failure":"","language":null,"window":"","agent":""}',
  -- A machine's fault that it is about, as solutions name it.
  add column fault text not null default '' check (length(fault) <= 40),
  -- What waits for us first, by its promise; then what waits for who asked; what is over last, newest first.
  add column rank bigint not null default 0;

alter table feedback drop constraint feedback_state_check;
update feedback set is_essence = state = 'essence',
  closed_at = case when state in ('solved', 'essence', 'deleted') then created_at end,
  state = case state when 'essence' then 'solved' when 'timeout' then 'processing' else state end;
alter table feedback
  add constraint feedback_state_check check (state in ('unprocessed', 'processing', 'solved', 'deleted')),
  add constraint feedback_over check ((state in ('solved', 'deleted')) = (closed_at is not null)),
  add constraint feedback_promise check (due_at is null or closed_at is null),
  add constraint feedback_essence check (not is_essence or state = 'solved'),
  add constraint feedback_closed_after check (closed_at >= created_at);

create function rank_feedback() returns trigger language plpgsql as $$
begin
  new.rank := case when new.closed_at is not null then 300000000000 - extract(epoch from new.closed_at)::bigint
    when new.due_at is null then 100000000000 + extract(epoch from new.created_at)::bigint
    else extract(epoch from new.due_at)::bigint end;
  return new;
end $$;
create trigger feedback_rank before insert or update on feedback for each row execute function rank_feedback();
update feedback set rank = 0;

drop index feedback_merchant;
create index feedback_merchant on feedback (merchant_id, rank, id);
create index feedback_rank on feedback (rank, id);
create index feedback_assignee on feedback (assignee_id) where closed_at is null;
create index feedback_deleted on feedback (rank, id) where state = 'deleted';
create index feedback_essence on feedback (rank, id) where is_essence;
create index feedback_search on feedback using gin (search_keys(body, page, contact, ''));
drop index feedback_user;
create index feedback_user on feedback (user_id, id desc);

-- What was said about it, by who asked and by support.
create table feedback_word (
  id bigint generated always as identity primary key,
  feedback_id bigint not null references feedback,
  user_id bigint not null references app_user,
  -- An answer goes on; a question waits for who asked; a solution ends it; a reply and a reopening are of who asked,
  -- or of support where it finds that it was not good after all.
  kind text not null check (kind in ('answer', 'question', 'solution', 'reply', 'reopening')),
  body text not null check (length(body) between 1 and 1000),
  at timestamptz not null
);
create index feedback_word_feedback on feedback_word (feedback_id, id);
create index feedback_word_user on feedback_word (user_id);
create trigger feedback_word_kept before update or delete on feedback_word
  for each statement execute function facts_are_kept();
select keep_facts_from_truncate();
