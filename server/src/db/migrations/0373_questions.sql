-- Questions with their answers, in any of four languages; one is enough to be published.
create table faq (
  id bigint generated always as identity primary key,
  topic text not null check (topic in ('account', 'machine', 'stock', 'order', 'money', 'medicine', 'other')),
  place int not null default 100 check (place between 0 and 9999),
  question_zh text not null default '' check (length(question_zh) <= 120),
  answer_zh text not null default '' check (length(answer_zh) <= 2000),
  question_en text not null default '' check (length(question_en) <= 120),
  answer_en text not null default '' check (length(answer_en) <= 2000),
  question_fr text not null default '' check (length(question_fr) <= 120),
  answer_fr text not null default '' check (length(answer_fr) <= 2000),
  question_ko text not null default '' check (length(question_ko) <= 120),
  answer_ko text not null default '' check (length(answer_ko) <= 2000),
  -- Pinyin and initials of the Chinese question.
  sound text not null default '',
  -- Languages that have both, in the product's order.
  written text[] not null generated always as (
    array_remove(array[
      case when question_zh <> '' and answer_zh <> '' then 'zh' end,
      case when question_en <> '' and answer_en <> '' then 'en' end,
      case when question_fr <> '' and answer_fr <> '' then 'fr' end,
      case when question_ko <> '' and answer_ko <> '' then 'ko' end], null)) stored,
  state text not null default 'draft' check (state in ('draft', 'published')),
  created_at timestamptz not null,
  version int not null default 1,
  check (state = 'draft' or question_zh <> '' and answer_zh <> '' or question_en <> '' and answer_en <> ''
    or question_fr <> '' and answer_fr <> '' or question_ko <> '' and answer_ko <> '')
);
create index faq_place on faq (place, id);
