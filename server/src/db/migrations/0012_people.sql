-- Doctors and pharmacists: where they work. Their licences stand with all others (licence.user_id), the machines that
-- they are bound to with all that are authorised to a person (machine_grant_user).
create table doctor (
  user_id bigint primary key references app_user on delete cascade,
  profession text not null check (profession in ('doctor', 'pharmacist')),
  hospital_id bigint references hospital,
  department text not null default '' check (length(department) <= 40),
  version int not null default 1
);
create index doctor_hospital on doctor (hospital_id) where hospital_id is not null;

create index licence_user on licence (user_id, valid_to) where user_id is not null;
create index app_user_name on app_user (display_name, id);

-- As many levels as DEEPEST in contract/src/people/organisation.ts says.
alter table organisation add constraint organisation_depth check (cardinality(path) <= 8);
