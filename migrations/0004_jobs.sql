-- Jobs, the log of what happened to them, and the offers made for them.

create table jobs (
    id uuid primary key,
    customer_id uuid not null references users (id),
    vehicle_id uuid not null references vehicles (id),
    vehicle_type text not null,
    service_category_id uuid not null references service_categories (id),
    status text not null constraint jobs_status_known check (status in (
        'pending', 'dispatching', 'accepted', 'en_route', 'arrived', 'in_progress', 'completed', 'paid',
        'cancelled', 'no_mechanic_found', 'disputed', 'resolved')),
    -- Counts every commit; the compare-and-set of the actor that owns the job.
    version bigint not null,
    -- Counts what every participant may see: dense from 1, the number that sockets resume by.
    seq bigint not null,

    pickup_address text not null,
    pickup_lat double precision not null,
    pickup_lng double precision not null,
    description text,
    photo_urls text[] not null default '{}',
    beneficiary_name text,
    beneficiary_phone text,
    contact_preference text not null constraint jobs_contact_known
        check (contact_preference in ('booker', 'beneficiary', 'both')),
    urgency text not null constraint jobs_urgency_known check (urgency in ('normal', 'highway', 'accident')),
    scheduled_for timestamptz,
    -- When dispatch begins: creation, or the scheduled time less the lead.
    begin_at timestamptz not null,

    base_price_paise bigint not null,
    travel_price_paise bigint not null,
    estimated_price_paise bigint not null,
    final_price_paise bigint,
    cancellation_fee_paise bigint,

    -- The search: attempt, round and both deadlines stand here, so that a crash can't stretch them.
    attempt integer not null default 0,
    round integer not null default 0,
    offered_in_round integer not null default 0,
    attempt_ends_at timestamptz,
    -- Mechanics left out of this job, and those whose offer expired once (a second time leaves them out).
    excluded_mechanics uuid[] not null default '{}',
    expired_once_mechanics uuid[] not null default '{}',
    no_mechanic_until timestamptz,

    mechanic_profile_id uuid references mechanic_profiles (id),
    -- Null where an admin assigned.
    accepted_offer_id uuid,
    accepted_at timestamptz,
    -- When the accepted mechanic was expected, by the offer's ETA.
    promised_at timestamptz,
    en_route_at timestamptz,
    arrived_at timestamptz,
    started_at timestamptz,
    completed_at timestamptz,
    cancelled_at timestamptz,
    cancel_reason_code text,
    cancel_reason text,
    start_code text,
    wrong_start_codes integer not null default 0,
    start_locked_until timestamptz,
    outcome text,
    outcome_notes text,

    hms_room_id text,
    disputed_at timestamptz,
    resolved_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
-- The second referee: a mechanic has at most one active job, a vehicle at most one open one.
create unique index jobs_one_active_per_mechanic on jobs (mechanic_profile_id)
    where status in ('accepted', 'en_route', 'arrived', 'in_progress');
create unique index jobs_one_open_per_vehicle on jobs (vehicle_id)
    where status in ('pending', 'dispatching', 'accepted', 'en_route', 'arrived', 'in_progress');
create index jobs_of_customer on jobs (customer_id, created_at desc, id desc);
create index jobs_of_mechanic on jobs (mechanic_profile_id, created_at desc, id desc);
create index jobs_of_category on jobs (service_category_id);
-- What recovery reads at start.
create index jobs_to_recover on jobs (id)
    where status in ('pending', 'dispatching', 'accepted', 'en_route', 'arrived', 'in_progress', 'no_mechanic_found');

-- Everything that was committed to a job, in order. The outbox: sockets and replays read from here.
create table job_events (
    job_id uuid not null references jobs (id),
    version bigint not null,
    -- Null for what not every participant may see (offer rounds, wrong codes).
    seq bigint,
    kind text not null,
    -- The command that caused it, so that a reload after an unknown outcome can tell.
    command_id uuid not null,
    actor_kind text not null constraint job_events_actor_known
        check (actor_kind in ('customer', 'mechanic', 'admin', 'system')),
    actor_id uuid,
    data jsonb not null default '{}',
    -- The job's row as it stood after this event; null where seq is.
    snapshot jsonb,
    at timestamptz not null,
    constraint job_events_pkey primary key (job_id, version),
    constraint job_events_seq_key unique (job_id, seq),
    constraint job_events_command_key unique (job_id, command_id)
);

create table offers (
    id uuid primary key,
    job_id uuid not null references jobs (id),
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    attempt integer not null,
    round integer not null,
    status text not null constraint offers_status_known
        check (status in ('pending', 'accepted', 'declined', 'expired', 'revoked')),
    distance_m integer not null,
    eta_s integer not null,
    cost_s bigint not null,
    decline_reason text,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    settled_at timestamptz
);
create unique index offers_one_pending_per_mechanic on offers (mechanic_profile_id) where status = 'pending';
create index offers_of_job on offers (job_id, created_at);
create index offers_of_mechanic on offers (mechanic_profile_id, created_at desc);

create table job_photos (
    id uuid primary key,
    job_id uuid not null references jobs (id),
    stage text not null constraint job_photos_stage_known check (stage in ('before', 'during', 'after')),
    file_url text not null,
    uploaded_by uuid not null references users (id),
    created_at timestamptz not null
);
create index job_photos_of_job on job_photos (job_id, created_at);

-- The trail of a mechanic on a job. None is written off a job; rows are swept after 30 days.
create table location_points (
    id bigint generated always as identity primary key,
    job_id uuid not null references jobs (id),
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    seq bigint not null,
    lat double precision not null,
    lng double precision not null,
    accuracy_m double precision,
    speed_mps double precision,
    heading double precision,
    is_mock boolean not null default false,
    -- Too fast from the point before to be believed as proof of an arrival.
    is_implausible boolean not null default false,
    recorded_at timestamptz not null,
    received_at timestamptz not null,
    -- A resend is harmless.
    constraint location_points_once unique (job_id, mechanic_profile_id, seq, recorded_at)
);
create index location_points_by_time on location_points (recorded_at);

create table idempotency_keys (
    id uuid primary key,
    user_id uuid not null references users (id),
    method text not null,
    route text not null,
    key text not null,
    body_sha256 bytea not null,
    -- While nothing is answered yet: until then another request with the key is told to wait.
    leased_until timestamptz not null,
    -- The effect, written in its own transaction.
    job_id uuid references jobs (id),
    -- A refusal that is given again.
    status integer,
    body jsonb,
    created_at timestamptz not null,
    constraint idempotency_keys_scope unique (user_id, method, route, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
