-- The facts of cards that 0191 keeps against deletion are kept against being emptied, too.
select keep_facts_from_truncate();
