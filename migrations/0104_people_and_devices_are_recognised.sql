-- Calls for help that are cancelled are counted for a day, from the jobs and offers that exist. Two things were missing to recognise the
-- people who make them.

-- The device of a sign-in, as far as it said so by the token of an earlier one.
alter table sessions add column device_id uuid;
create index sessions_of_device on sessions (device_id) where device_id is not null;

-- Accounts that people deleted within the last day. The key is an HMAC of the account's phone: the same for their next account.
create table former_accounts (
    user_id uuid primary key references users (id),
    person_key uuid not null,
    ended_at timestamptz not null
);
create index former_accounts_of_person on former_accounts (person_key);
create index former_accounts_by_age on former_accounts (ended_at);
