-- Which machines are shown to whom beyond their owner: until when, who said so, and the history of it.

create table machine_grant_merchant (
  machine_id bigint not null references machine on delete cascade,
  merchant_id bigint not null references merchant on delete cascade,
  granted_at timestamptz not null default now(),
  granted_by bigint references app_user on delete set null,
  ends_at timestamptz,
  primary key (merchant_id, machine_id)
);
-- "Who can see this machine" asks from the other side.
create index machine_grant_merchant_machine on machine_grant_merchant (machine_id);

create table machine_grant_user (
  machine_id bigint not null references machine on delete cascade,
  user_id bigint not null references app_user on delete cascade,
  granted_at timestamptz not null default now(),
  granted_by bigint references app_user on delete set null,
  ends_at timestamptz,
  primary key (user_id, machine_id)
);
create index machine_grant_user_machine on machine_grant_user (machine_id);

-- In sight of everyone in the unit or below it.
create table machine_grant_organisation (
  machine_id bigint not null references machine on delete cascade,
  organisation_id bigint not null references organisation on delete cascade,
  granted_at timestamptz not null default now(),
  granted_by bigint references app_user on delete set null,
  ends_at timestamptz,
  primary key (organisation_id, machine_id)
);
create index machine_grant_organisation_machine on machine_grant_organisation (machine_id);

-- One row a command; outlives what it speaks of, so it refers to nothing.
create table machine_grant_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  by_user_id bigint not null,
  action text not null check (action in ('grant', 'revoke')),
  grantee text not null check (grantee in ('merchant', 'organisation', 'user')),
  grantee_id bigint not null,
  ends_at timestamptz,
  machine_ids bigint[] not null check (cardinality(machine_ids) > 0)
);
create index machine_grant_log_grantee on machine_grant_log (grantee, grantee_id, id desc);

create function machine_grant_log_keep() returns trigger language plpgsql as $$
begin
  raise exception 'the history of authorisations is only added to' using errcode = 'check_violation';
end $$;
create trigger machine_grant_log_kept before update or delete or truncate on machine_grant_log
  execute function machine_grant_log_keep();
