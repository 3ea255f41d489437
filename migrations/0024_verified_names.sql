-- The name that an admin verified with the documents, and when: a bank's name is compared with this one, not with the name
-- that people give themselves.
alter table mechanic_profiles add column verified_name text, add column verified_at timestamptz;
update mechanic_profiles profile set verified_name = person.name, verified_at = profile.updated_at
from users person
where person.id = profile.user_id and profile.status in ('verified', 'suspended') and person.status <> 'deleted';

-- One row for each time that a mechanic had the provider look an address up, whatever became of the account.
create table upi_look_ups (
    id bigint generated always as identity primary key,
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    at timestamptz not null
);
create index upi_look_ups_of_mechanic on upi_look_ups (mechanic_profile_id, at);

-- The default is an account that can be paid to. No constraint says so yet: the release before this one makes others the default.
update upi_accounts set is_default = false
where is_default and verification_status not in ('verified', 'manually_approved');
update upi_accounts set is_default = true
where id in (
    select distinct on (mechanic_profile_id) id from upi_accounts account
    where deleted_at is null and verification_status in ('verified', 'manually_approved')
        and not exists (select 1 from upi_accounts other
            where other.mechanic_profile_id = account.mechanic_profile_id and other.is_default)
    order by mechanic_profile_id, created_at, id
);
