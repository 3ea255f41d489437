-- What admins change at run time, and what they look at.

-- How jobs are dispatched, version by version; the newest wins over the settings file. Version 0 is the file.
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

-- By which version a job's search goes, or went; null before its first attempt began.
alter table jobs add column dispatch_version bigint;

-- What figures of a period are read by.
create index jobs_newest on jobs (created_at desc, id desc);
create index jobs_of_category_newest on jobs (service_category_id, created_at desc, id desc);
create index jobs_begun on jobs (begin_at);
create index jobs_completed on jobs (completed_at) where completed_at is not null;
create index jobs_cancelled on jobs (cancelled_at) where cancelled_at is not null;
create index job_events_unserved on job_events (at) where kind = 'no_mechanic_found';
create index offers_settled on offers (settled_at) where status in ('accepted', 'declined', 'expired');
create index earnings_newest on earnings (created_at);

-- The trail, by whatever it is asked for.
create index audit_log_of_actor on audit_log (actor_id, at desc, id desc);
create index audit_log_of_action on audit_log (action, at desc, id desc);
create index audit_log_of_subject on audit_log (subject_id, at desc, id desc);
