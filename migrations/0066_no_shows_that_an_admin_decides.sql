-- What only the mechanic says costs the customer nothing. An arrival that no position shows is marked, and a no-show after it waits
-- for an admin.
alter table jobs
    add column arrival_is_unproven boolean not null default false,
    -- The concern that the customer knew of when the mechanic only said so: it still lets them cancel for free.
    add column arrival_concern text
        constraint jobs_arrival_concern_known check (arrival_concern in ('dark', 'stalled', 'moving_away', 'slipping'));

create table no_shows (
    job_id uuid primary key references jobs (id),
    customer_id uuid not null references users (id),
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    -- What the mechanic would get for having come.
    amount_paise bigint not null constraint no_shows_amount_positive check (amount_paise > 0),
    status text not null constraint no_shows_status_known check (status in ('open', 'charged', 'dropped')),
    -- The customer's side.
    statement text,
    stated_at timestamptz,
    note text,
    decided_by uuid references users (id),
    decided_at timestamptz,
    created_at timestamptz not null,
    constraint no_shows_stated_at_once check ((statement is null) = (stated_at is null)),
    constraint no_shows_decided_by_somebody
        check ((status = 'open') = (decided_at is null) and (decided_at is null) = (decided_by is null))
);
create index no_shows_newest on no_shows (created_at desc, job_id desc);
create index no_shows_open on no_shows (created_at desc, job_id desc) where status = 'open';
create index no_shows_of_customer on no_shows (customer_id);
create index no_shows_of_mechanic on no_shows (mechanic_profile_id);
