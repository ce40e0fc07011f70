-- What was paid out to a merchant, and what was settled in another way than its payer's, is summed beside its balance:
-- from the index alone, however old the merchant is.
create index withdrawal_sums on withdrawal (merchant_id, state, funds_mode) include (amount_fen, fee_fen);
create index settlement_sums on settlement (merchant_id, funds_mode) include (net_fen);
