-- The facts of purchases and plans that 0222, 0223 and 0240 keep against deletion are kept against being emptied, too.
select keep_facts_from_truncate();
