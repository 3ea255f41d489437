-- How far a vehicle was taken, beside how far it was to go.
alter table jobs add column destination_driven_m integer;

-- Until then what was earned by the job does not clear.
alter table job_dues add column held_until timestamptz;

-- Tows that no position shows at their destination: an admin decides whether the way is paid.
create table tow_reviews (
    job_id uuid primary key references jobs (id),
    customer_id uuid not null references users (id),
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    -- Why the mechanic says that the vehicle is delivered.
    reason text not null,
    -- From the last plausible position to the destination.
    distance_m integer,
    -- What the way costs.
    amount_paise bigint not null constraint tow_reviews_amount_sign check (amount_paise >= 0),
    status text not null constraint tow_reviews_status_known check (status ~ '^(open|released|reduced)$'),
    -- From then on the mechanic's share clears, decided or not.
    held_until timestamptz not null,
    note text,
    decided_by uuid references users (id),
    decided_at timestamptz,
    created_at timestamptz not null,
    constraint tow_reviews_decided_by_somebody
        check ((status = 'open') = (decided_at is null) and (decided_at is null) = (decided_by is null))
);
create index tow_reviews_newest on tow_reviews (created_at desc, job_id desc);
create index tow_reviews_open on tow_reviews (created_at desc, job_id desc) where status = 'open';
create index tow_reviews_of_customer on tow_reviews (customer_id);
create index tow_reviews_of_mechanic on tow_reviews (mechanic_profile_id);
