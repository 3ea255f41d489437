-- Why each mechanic was, or was not, offered a job; and what a category overrides of the rounds.

-- Beside rings_km, offer_ttl_s and attempt_ttl_s; null takes the setting.
alter table service_categories
    add column round_widths integer[],
    add column max_rounds integer,
    add column urgent_first_round integer;

-- The newest answers of a mechanic, which tell how likely it accepts.
create index offers_answered on offers (mechanic_profile_id, settled_at desc)
    where status in ('accepted', 'declined', 'expired');

-- Written behind the dispatcher; the newest 64 of a job are kept.
create table dispatch_decisions (
    job_id uuid not null references jobs (id),
    -- Counts the job's rows from 1, those included that gave way: what is missing can be told.
    number bigint not null,
    attempt integer not null,
    round integer not null,
    -- Looks in vain of one round are one row, the newest, which stands for so many.
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
    -- The mechanics looked at, nearest first; a list of src/dispatch/queries.rs.
    considered jsonb not null,
    omitted integer not null,
    primary key (job_id, number)
);
create unique index dispatch_decisions_one_in_vain_per_round on dispatch_decisions (job_id, attempt, round)
    where not is_offering;
create index dispatch_decisions_by_time on dispatch_decisions (at);
