-- Medicines, batches and members are found as products are (0212): each part of a search is led by an index of keys.
create index medicine_maker_search on product using gin (search_keys(manufacturer, '', '', ''))
  where medicine_class is not null;
create index medicine_approval_search on medicine using gin (search_keys(approval_number, '', '', ''));
create index medicine_ingredients on medicine using gin (ingredients);
create index medicine_batch_search on medicine_batch using gin (search_keys(number, '', '', ''));

-- How a name sounds, whole and by initials; of who is forgotten nothing. Names of before are heard once they are saved.
alter table member
  add sound text not null default '' check (length(sound) <= 400),
  add constraint member_sound_forgotten check (state <> 'erased' or sound = '');
create index member_search on member using gin (search_keys(number, name, sound, ''));
