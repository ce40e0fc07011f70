-- Schools and kindergartens are places of their own: the law keeps adverts out of them.
alter table point drop constraint point_kind_check;
alter table point add constraint point_kind_check
  check (kind in ('hospital', 'store', 'campus', 'school', 'kindergarten', 'station', 'office'));

-- A file on its way, of which only its sender knows; forgotten after a day.
create table advert_upload (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  user_id bigint not null references app_user,
  bytes bigint not null check (bytes > 0),
  received bigint not null default 0,
  begun_at timestamptz not null,
  constraint advert_upload_received check (received between 0 and bytes)
);
create index advert_upload_user on advert_upload (user_id);

-- What a screen plays. The file lies under the hash of its bytes.
create table creative (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  name text not null check (length(name) between 1 and 60),
  state text not null default 'draft' check (state in ('draft', 'live', 'turned_down', 'withdrawn')),
  media text not null check (media in ('jpg', 'png', 'mp4', 'webm')),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint not null check (bytes > 0),
  seconds int not null check (seconds between 1 and 3600),
  width int not null check (width > 0),
  height int not null check (height > 0),
  preview text check (preview ~ '^/pictures/[0-9a-f]{64}\.(jpg|png)$'),
  advertised text not null check (advertised in ('none', 'goods', 'otc', 'rx', 'device', 'health_food', 'tobacco')),
  approval_no text not null default '' check (length(approval_no) <= 60),
  shows_warning boolean not null default false,
  turned_down_for text check (length(turned_down_for) between 1 and 200),
  created_by bigint references app_user,
  created_at timestamptz not null,
  reviewed_by bigint references app_user,
  reviewed_at timestamptz,
  constraint creative_name unique (merchant_id, name),
  -- Advertising Law, articles 15, 22 and 46.
  constraint creative_lawful check (advertised not in ('rx', 'tobacco')),
  constraint creative_approved check (advertised not in ('otc', 'device', 'health_food') or approval_no <> ''),
  constraint creative_warned check (
    state <> 'live' or advertised not in ('otc', 'device', 'health_food') or shows_warning),
  constraint creative_reviewed check (state not in ('live', 'turned_down') or reviewed_by is not null),
  constraint creative_second_person check (reviewed_by is null or reviewed_by is distinct from created_by),
  constraint creative_turned_down check ((state = 'turned_down') = (turned_down_for is not null))
);

-- Time on screens that somebody booked. Nothing of it changes but its state: it is what is charged.
create table advert_booking (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  name text not null check (length(name) between 1 and 60),
  advertiser text not null check (length(advertiser) between 1 and 60),
  contract_no text not null default '' check (length(contract_no) <= 40),
  state text not null default 'running' check (state in ('running', 'paused', 'ended')),
  creative_ids bigint[] not null check (cardinality(creative_ids) between 1 and 10),
  -- None of any kind: all machines of the merchant and of those below it.
  machine_ids bigint[] not null default '{}',
  group_ids bigint[] not null default '{}',
  point_ids bigint[] not null default '{}',
  merchant_ids bigint[] not null default '{}',
  starts_on date not null,
  ends_on date not null,
  -- Of the machine's own day.
  from_hour smallint not null check (from_hour between 0 and 23),
  to_hour smallint not null check (to_hour between 1 and 24),
  plays_per_hour smallint not null check (plays_per_hour between 1 and 360),
  priority smallint not null check (priority between 1 and 9),
  price_kind text not null check (price_kind in ('play', 'machine_day', 'fixed')),
  price_fen bigint not null check (price_fen >= 0),
  created_by bigint references app_user,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint advert_booking_name unique (merchant_id, name),
  constraint advert_booking_days check (ends_on between starts_on and starts_on + 365),
  constraint advert_booking_hours check (to_hour > from_hour),
  constraint advert_booking_plays check (plays_per_hour >= cardinality(creative_ids)),
  constraint advert_booking_over check ((state = 'ended') = (ended_at is not null))
);
create index advert_booking_open on advert_booking (ends_on) where state <> 'ended';
create index advert_booking_creatives on advert_booking using gin (creative_ids);

-- What a machine is to play, worked out from its bookings, and which of it the machine says that it has.
create table advert_list (
  machine_id bigint primary key references machine on delete cascade,
  version int not null check (version > 0),
  ads jsonb not null,
  wanted_at timestamptz not null,
  command_id uuid not null,
  asked_at timestamptz not null,
  reported_version int check (reported_version between 1 and version)
);

-- Machines that a booking is about; `why` it is not on the list of one.
create table advert_at_machine (
  booking_id bigint not null references advert_booking on delete cascade,
  machine_id bigint not null references machine on delete cascade,
  why text check (why in ('school', 'full')),
  primary key (booking_id, machine_id)
);
create index advert_at_machine_machine on advert_at_machine (machine_id);

-- The proof: a row a day for what a machine had on its list, however often it played.
create table advert_day (
  booking_id bigint not null references advert_booking,
  machine_id bigint not null references machine on delete cascade,
  business_day date not null,
  creative_id bigint not null references creative,
  -- A bit an hour of the machine's day: hours for which it was on the list, and in which the machine was away.
  booked_hours int not null default 0 check (booked_hours between 0 and 16777215),
  -- Of those hours, each as it was shared out among the booking's creatives then.
  booked_plays int not null default 0 check (booked_plays >= 0),
  offline_hours int not null default 0 check (offline_hours between 0 and 16777215),
  -- The largest count that the machine said of that day.
  plays int not null default 0 check (plays >= 0),
  primary key (booking_id, machine_id, business_day, creative_id)
) with (fillfactor = 70);
create index advert_day_machine on advert_day (machine_id, business_day);

-- What one machine's day costs. No more than was booked is paid, and nothing that was not proved.
-- Of a fixed price nothing is due by machine and day: it is for all of the booking.
create function advert_due(kind text, price_fen bigint, booked bigint, proven bigint) returns bigint
language sql immutable as $$
  select case kind
    when 'play' then price_fen * least(booked, proven)
    when 'machine_day' then case when booked > 0 then price_fen * least(booked, proven) / booked else 0 end
  end
$$;

-- Files of adverts lie in a folder of their own and go out by the same addresses as exports do.
alter table file_link add column folder text not null default 'exports' check (folder in ('exports', 'adverts'));
