-- A job becomes two rows: `job_facts`, which says what the job is about and is written once, and `job_states`, which says where the
-- job stands. A transition rewrites only the second row, which is narrow and has few indexes (docs/adr/0146). 0112 fills this table.

create table job_states (
    -- These four are copies from the facts, which never change there: the guards, the lists of a mechanic and the names need them.
    id uuid primary key,
    customer_id uuid not null,
    vehicle_id uuid not null,
    created_at timestamptz not null,

    -- Counts every commit. The actor that owns the job updates the row only at the version it knows.
    version bigint not null,
    -- Counts the events that every participant may see, from 1 without gaps. Sockets resume by this number.
    seq bigint not null,
    status text not null,
    -- These three follow from the status, and are the conditions of indexes and lists: a mechanic is on the job; its customer waits
    -- for a mechanic or has one; something may still happen to it by itself. They change only when somebody gets the job or loses
    -- it and when it ends, so the other transitions stay within their page. A generated column would cost each transition more.
    is_active boolean not null,
    is_open boolean not null,
    is_unfinished boolean not null,
    updated_at timestamptz not null,

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

    mechanic_profile_id uuid,
    -- Null where an admin assigned the mechanic.
    accepted_offer_id uuid,
    accepted_at timestamptz,
    -- When the offer's ETA let the customer expect the mechanic.
    promised_at timestamptz,
    -- The warning about the mechanic's way that the customer has received, so that a restart neither forgets nor repeats it.
    concern text,
    concern_since timestamptz,
    -- Since when another app shows the mechanic the way: nothing comes from their phone then.
    navigating_since timestamptz,
    -- The acceptance by which a mechanic took back a job that they had lost; equal to accepted_at as long as they have it.
    taken_back_at timestamptz,
    -- The mechanic who left the job last, when and why; see LeaveReason in actors/src/job/model.rs.
    left_mechanic_id uuid,
    left_reason text,
    left_at timestamptz,
    en_route_at timestamptz,
    arrived_at timestamptz,
    -- Whether no position shows the arrival, and which warning the customer had by then: it still lets them cancel for free.
    arrival_is_unproven boolean not null default false,
    arrival_concern text,
    start_code text,
    wrong_start_codes integer not null default 0,
    start_locked_until timestamptz,
    started_at timestamptz,
    loaded_at timestamptz,

    completed_at timestamptz,
    outcome text,
    outcome_notes text,
    -- The mechanic's word for who took the vehicle.
    received_by text,
    final_price_paise bigint,
    disputed_at timestamptz,
    resolved_at timestamptz,
    cancelled_at timestamptz,
    cancellation_fee_paise bigint,
    cancel_reason_code text,
    cancel_reason text,

    hms_room_id text,
    -- These show the people as they were at the job's last event. The number is there only while a mechanic is on the job.
    customer_name text,
    customer_phone text,
    mechanic_name text,

    -- It calls no functions, because Postgres would read their bodies again at each transition.
    constraint jobs_status_known check (case
        when status in ('accepted', 'en_route', 'arrived', 'in_progress') then is_active and is_open and is_unfinished
        when status in ('pending', 'dispatching') then not is_active and is_open and is_unfinished
        when status = 'no_mechanic_found' then not is_active and not is_open and is_unfinished
        when status in ('completed', 'paid', 'cancelled', 'disputed', 'resolved')
            then not is_active and not is_open and not is_unfinished
        else false end),
    -- A job has a warning only while its mechanic is on the way to the customer.
    constraint jobs_concern_on_the_way check (
        (concern is null) = (concern_since is null) and (concern is null or status in ('accepted', 'en_route')))
    -- The pages keep room for the rows' next versions, which then touch no index.
) with (fillfactor = 70);
