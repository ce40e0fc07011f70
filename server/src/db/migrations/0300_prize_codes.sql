-- A prize is known by a code that the machine shows to who won it. Plays of before have none: nobody was told one.
alter table lottery_play add column prize_code_digest bytea check (length(prize_code_digest) = 32);
alter table lottery_play add constraint lottery_play_code_won check (prize_code_digest is null or state = 'won');
create index lottery_play_code on lottery_play (prize_code_digest) where prize_code_digest is not null;

-- A prize handed over for its code.
create table lottery_redemption (
  id bigint generated always as identity primary key,
  -- A prize is handed over once.
  play_id bigint not null unique references lottery_play on delete cascade,
  merchant_id bigint not null references merchant,
  redeemed_by bigint not null references app_user,
  redeemed_at timestamptz not null,
  -- Where the prize was taken from; null: from outside the stock that is kept here.
  place_id bigint references place
);
create index lottery_redemption_merchant on lottery_redemption (merchant_id);
