-- Jobs, the log of what happened to them, and what mechanics and customers add to them.

-- A mechanic is on the job.
create function job_is_active(status text) returns boolean language sql immutable parallel safe
    return status in ('accepted', 'en_route', 'arrived', 'in_progress');
-- The job's customer waits for a mechanic, or has one.
create function job_is_open(status text) returns boolean language sql immutable parallel safe
    return status in ('pending', 'dispatching', 'accepted', 'en_route', 'arrived', 'in_progress');
-- Something may still happen to the job by itself.
create function job_is_unfinished(status text) returns boolean language sql immutable parallel safe
    return status in ('pending', 'dispatching', 'accepted', 'en_route', 'arrived', 'in_progress', 'no_mechanic_found');

create table jobs (
    id uuid primary key,
    customer_id uuid not null references users (id),
    vehicle_id uuid not null references vehicles (id),
    vehicle_type text not null,
    service_category_id uuid not null references service_categories (id),
    status text not null constraint jobs_status_known check (status in (
        'pending', 'dispatching', 'accepted', 'en_route', 'arrived', 'in_progress', 'completed', 'paid',
        'cancelled', 'no_mechanic_found', 'disputed', 'resolved')),
    -- Counts every commit. The actor that owns the job updates the row only at the version it knows.
    version bigint not null,
    -- Counts the events that every participant may see, from 1 without gaps. Sockets resume by this number.
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
    -- When dispatch begins: at creation, or at the scheduled time less the lead.
    begin_at timestamptz not null,

    base_price_paise bigint not null,
    travel_price_paise bigint not null,
    estimated_price_paise bigint not null,
    final_price_paise bigint,
    cancellation_fee_paise bigint,

    -- The search. The row holds attempt, round and both deadlines, so that a crash can't extend them.
    attempt integer not null default 0,
    round integer not null default 0,
    offered_in_round integer not null default 0,
    attempt_ends_at timestamptz,
    -- The version of dispatch_settings that the search uses, or used; null before the first attempt.
    dispatch_version bigint,
    -- Mechanics left out of this job, and those who let one offer expire (a second expiry leaves them out).
    excluded_mechanics uuid[] not null default '{}',
    expired_once_mechanics uuid[] not null default '{}',
    no_mechanic_until timestamptz,

    mechanic_profile_id uuid references mechanic_profiles (id),
    -- Null where an admin assigned the mechanic.
    accepted_offer_id uuid,
    accepted_at timestamptz,
    -- When the offer's ETA let the customer expect the mechanic.
    promised_at timestamptz,
    -- The warning about the mechanic's way that the customer has received, so that a restart neither forgets nor repeats it.
    concern text constraint jobs_concern_known check (concern in ('dark', 'stalled', 'moving_away', 'slipping')),
    concern_since timestamptz,
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
    updated_at timestamptz not null,
    constraint jobs_concern_has_its_time check ((concern is null) = (concern_since is null)),
    -- The warnings are about the way to the customer: before it and after it there is none.
    constraint jobs_concern_on_the_way check (concern is null or status in ('accepted', 'en_route'))
);
-- These two hold even if an actor errs: a mechanic has at most one active job, a vehicle at most one open one.
create unique index jobs_one_active_per_mechanic on jobs (mechanic_profile_id)
    where job_is_active(status);
create unique index jobs_one_open_per_vehicle on jobs (vehicle_id)
    where job_is_open(status);
create index jobs_of_customer on jobs (customer_id, created_at desc, id desc);
create index jobs_of_mechanic on jobs (mechanic_profile_id, created_at desc, id desc);
create index jobs_of_category on jobs (service_category_id);
-- What recovery reads at start.
create index jobs_to_recover on jobs (id)
    where job_is_unfinished(status);
-- The list that operators look at first.
create index jobs_of_concern on jobs (created_at desc, id desc) where concern is not null;
-- What the admins' figures of a period read.
create index jobs_newest on jobs (created_at desc, id desc);
create index jobs_of_category_newest on jobs (service_category_id, created_at desc, id desc);
create index jobs_begun on jobs (begin_at);
create index jobs_completed on jobs (completed_at) where completed_at is not null;
create index jobs_cancelled on jobs (cancelled_at) where cancelled_at is not null;

-- Everything that was committed to a job, in order. This is the outbox: sockets and replays read it.
create table job_events (
    job_id uuid not null references jobs (id),
    version bigint not null,
    -- Null for what not every participant may see (dispatch rounds, wrong codes).
    seq bigint,
    kind text not null,
    -- The command that caused the event: an actor that reloads after an unknown outcome looks for it.
    command_id uuid not null,
    actor_kind text not null constraint job_events_actor_known
        check (actor_kind in ('customer', 'mechanic', 'admin', 'system')),
    actor_id uuid,
    data jsonb not null default '{}',
    -- The job's row after this event; null where seq is null.
    snapshot jsonb,
    at timestamptz not null,
    constraint job_events_pkey primary key (job_id, version),
    constraint job_events_seq_key unique (job_id, seq),
    constraint job_events_command_key unique (job_id, command_id)
);
-- A mechanic's own figures count the jobs that they lost.
create index job_events_released on job_events ((data ->> 'mechanic_profile_id'), at) where kind = 'released';
create index job_events_unserved on job_events (at) where kind = 'no_mechanic_found';

create table job_photos (
    id uuid primary key,
    job_id uuid not null references jobs (id),
    stage text not null constraint job_photos_stage_known check (stage in ('before', 'during', 'after')),
    file_url text not null,
    uploaded_by uuid not null references users (id),
    created_at timestamptz not null
);
create index job_photos_of_job on job_photos (job_id, created_at);
create index job_photos_file_url on job_photos (file_url);

-- What the mechanic at the vehicle proposed. The job's actor writes it together with its event.
create table line_items (
    id uuid,
    job_id uuid not null references jobs (id),
    kind text not null constraint line_items_kind_known
        check (kind in ('labour', 'part', 'travel', 'tow', 'fee', 'discount')),
    description text not null,
    quantity integer not null constraint line_items_quantity_range check (quantity between 1 and 1000),
    -- Above zero, for a discount too.
    unit_price_paise bigint not null constraint line_items_price_range
        check (unit_price_paise between 1 and 1000000000 and unit_price_paise * quantity <= 1000000000),
    photo_url text,
    -- A withdrawn item has no row.
    status text not null constraint line_items_status_known check (status in ('proposed', 'approved', 'rejected')),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint line_items_pkey primary key (id)
);
create index line_items_of_job on line_items (job_id, created_at, id);
create index line_items_photo_url on line_items (photo_url) where photo_url is not null;

-- The trail of a mechanic on a job. The service writes none without a job, and a sweep deletes points after 30 days.
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
    -- Too fast from the point before to count as proof of an arrival.
    is_implausible boolean not null default false,
    -- The phone's own time. It distinguishes points (location_points_once) and serves for nothing else.
    recorded_at timestamptz not null,
    -- The same time, corrected for the error of the phone's clock.
    corrected_at timestamptz not null,
    received_at timestamptz not null,
    -- A phone may send a point again without harm.
    constraint location_points_once unique (job_id, mechanic_profile_id, seq, recorded_at)
);
create index location_points_by_time on location_points (corrected_at);

-- Links that let whoever has one follow a job without an account.
create table share_links (
    id uuid primary key,
    job_id uuid not null references jobs (id),
    -- SHA-256 of the token: a stolen dump follows nobody.
    token_hash bytea not null constraint share_links_token_key unique,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    revoked_at timestamptz,
    constraint share_links_expire_later check (expires_at > created_at)
);
create index share_links_of_job on share_links (job_id, created_at desc, id desc);
create index share_links_by_expiry on share_links (expires_at);
