-- Dispatch: its settings, the offers it makes, and the records that explain them.

-- How the service dispatches jobs, version by version; the newest wins over the settings file. Version 0 is the file.
create table dispatch_settings (
    version bigint primary key constraint dispatch_settings_version_range check (version > 0),
    rings_km double precision[] not null,
    round_widths integer[] not null,
    max_rounds integer not null,
    offer_ttl_s bigint not null,
    attempt_ttl_s bigint not null,
    urgent_first_round integer not null,
    window_ms bigint not null,
    unserved_s bigint not null,
    waiting_weight_s_per_min bigint not null,
    highway_bonus_s bigint not null,
    accident_bonus_s bigint not null,
    refusal_weight_s bigint not null,
    idle_weight_s_per_min bigint not null,
    updated_by uuid not null references users (id),
    updated_at timestamptz not null
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
    -- Where the ETA came from.
    eta_source text not null default 'straight_line' constraint offers_eta_source_known
        check (eta_source in ('straight_line', 'straight_line_learned', 'osrm', 'osrm_learned')),
    -- The source's own estimate, before any correction: learning from corrected estimates would undo itself.
    eta_base_s integer not null,
    cost_s bigint not null,
    decline_reason text,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    settled_at timestamptz
);
create unique index offers_one_pending_per_mechanic on offers (mechanic_profile_id) where status = 'pending';
create index offers_of_job on offers (job_id, created_at);
create index offers_of_mechanic on offers (mechanic_profile_id, created_at desc);
-- A mechanic's newest answers show how likely they are to accept.
create index offers_answered on offers (mechanic_profile_id, settled_at desc)
    where status in ('accepted', 'declined', 'expired');
create index offers_settled on offers (settled_at) where status in ('accepted', 'declined', 'expired');

-- Why each mechanic was, or was not, offered a job. The dispatcher does not wait for these rows; a job keeps its newest 64.
create table dispatch_decisions (
    job_id uuid not null references jobs (id),
    -- Counts the job's rows from 1, deleted ones included, so that a gap shows how many are missing.
    number bigint not null,
    attempt integer not null,
    round integer not null,
    -- How many looks the row stands for: those of one round that offered nothing share a row, which shows the newest.
    looks bigint not null,
    at timestamptz not null,
    ring_m double precision not null,
    wanted integer not null,
    priority_s bigint not null,
    competing_jobs integer not null,
    method text not null constraint dispatch_decisions_method_known
        check (method in ('alone', 'exact', 'bounded', 'greedy')),
    gap_s bigint,
    is_offering boolean not null,
    -- The mechanics considered, nearest first; src/dispatch/queries.rs has the shape.
    considered jsonb not null,
    omitted integer not null,
    primary key (job_id, number)
);
create unique index dispatch_decisions_one_in_vain_per_round on dispatch_decisions (job_id, attempt, round)
    where not is_offering;
create index dispatch_decisions_by_time on dispatch_decisions (at);

-- How long mechanics really took, which corrects later ETAs. One row per arrival that the mechanic's own position proved, of a
-- job that they took by an offer. No positions.
create table trips (
    offer_id uuid primary key references offers (id),
    job_id uuid not null references jobs (id),
    eta_source text not null constraint trips_eta_source_known
        check (eta_source in ('straight_line', 'straight_line_learned', 'osrm', 'osrm_learned')),
    -- As the offer promised.
    eta_s integer not null,
    eta_base_s integer not null,
    -- Straight line from the mechanic's position at the offer.
    distance_m integer not null,
    set_out_at timestamptz not null,
    arrived_at timestamptz not null,
    constraint trips_take_time check (arrived_at > set_out_at)
);
create index trips_by_arrival on trips (arrived_at desc);
