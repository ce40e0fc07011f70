-- The limit as it stood when a person asked: who raises it afterwards approves no request of their own by that.
-- Null for what no person asked for, and for what was asked for before this was kept: then the limit of today counts.
alter table refund add column limit_fen bigint check (limit_fen >= 0);
