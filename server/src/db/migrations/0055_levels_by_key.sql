-- What these triggers join is a handful of rows or some thousands, always by key. A plan is made once a connection,
-- for as many rows as came first: after a big batch it read the whole table for a single sale.
alter function stock_move_apply() set enable_hashjoin = off;
alter function stock_move_apply() set enable_mergejoin = off;
alter function stock_move_batch() set enable_hashjoin = off;
alter function stock_move_batch() set enable_mergejoin = off;
alter function ledger_entry_apply() set enable_hashjoin = off;
alter function ledger_entry_apply() set enable_mergejoin = off;
