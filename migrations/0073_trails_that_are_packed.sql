-- Points of trails as they come, and packed once their hour is over: docs/adr/0087.

-- Points as they come, only ever added. The four partitions take turns, an hour each: an hour's points are packed into `trails`, and
-- the whole partition is emptied, before its turn comes again. No foreign keys and no unique key: a point costs a third of what it
-- cost with them. A point that a phone sent twice is there twice, and read and packed once.
create table trail_points (
    job_id uuid not null,
    mechanic_profile_id uuid not null,
    -- When the service received it, in hours since 1970.
    hour integer not null,
    -- With the phone's own time it identifies a point.
    seq bigint not null,
    lat double precision not null,
    lng double precision not null,
    accuracy_m real,
    speed_mps real,
    heading real,
    -- Whether the phone says that the position is simulated, or it is too fast from the point before to be a proof of an arrival.
    is_doubtful boolean not null,
    -- By the phone's own clock.
    recorded_at timestamptz not null,
    -- The same time, corrected for the error of the phone's clock.
    corrected_at timestamptz not null
) partition by list ((hour % 4));
create table trail_points_0 partition of trail_points for values in (0);
create table trail_points_1 partition of trail_points for values in (1);
create table trail_points_2 partition of trail_points for values in (2);
create table trail_points_3 partition of trail_points for values in (3);
create index trail_points_of_job on trail_points (job_id);

-- A mechanic's way on a job, as received within an hour: lists of equal length, a point at each place.
create table trails (
    job_id uuid not null references jobs (id),
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    hour integer not null,
    -- Millionths of a degree, a tenth of a metre.
    lats integer[] not null,
    lngs integer[] not null,
    -- Tenths of a metre (at most 32760), of a metre per second, and of a degree.
    accuracies smallint[] not null,
    speeds smallint[] not null,
    headings smallint[] not null,
    are_doubtful boolean[] not null,
    corrected timestamptz[] not null,
    primary key (job_id, mechanic_profile_id, hour)
);
create index trails_by_hour on trails (hour);

-- Every stored point, once. `number` orders points of the same time.
create view trail as
select job_id, mechanic_profile_id, lat, lng, accuracy_m, speed_mps, heading, is_doubtful, corrected_at, number
from (
    select distinct on (point.job_id, point.mechanic_profile_id, point.seq, point.recorded_at)
        point.job_id, point.mechanic_profile_id, point.lat, point.lng,
        -- By way of text, which gives the decimals that the phone sent.
        point.accuracy_m::text::double precision as accuracy_m, point.speed_mps::text::double precision as speed_mps,
        point.heading::text::double precision as heading, point.is_doubtful, point.corrected_at, point.seq as number
    from trail_points point
    where not exists (
        select from trails packed
        where packed.job_id = point.job_id and packed.mechanic_profile_id = point.mechanic_profile_id
            and packed.hour = point.hour)
) as_they_came
union all
select packed.job_id, packed.mechanic_profile_id, point.lat / 1000000::double precision,
    point.lng / 1000000::double precision, point.accuracy / 10::double precision, point.speed / 10::double precision,
    point.heading / 10::double precision, point.is_doubtful, point.corrected_at, point.number
from trails packed
cross join lateral unnest(packed.lats, packed.lngs, packed.accuracies, packed.speeds, packed.headings, packed.are_doubtful,
    packed.corrected) with ordinality as point (lat, lng, accuracy, speed, heading, is_doubtful, corrected_at, number)
union all
-- What releases before this migration wrote; gone after its retention time.
select job_id, mechanic_profile_id, lat, lng, accuracy_m, speed_mps, heading, is_mock or is_implausible, corrected_at, seq
from location_points;

-- The owner calls this after every migration. New: the service empties partitions.
create or replace function grant_to_service(service name) returns void language plpgsql as $$
declare
    here text := current_schema();
    database text := current_database();
begin
    -- Two servers may start at once; two of these at once would fail.
    perform pg_advisory_xact_lock(hashtext('roadcall grant_to_service'));
    -- Nobody puts a table before another's: not a temporary one, nor one of their own (until Postgres 15 everybody could).
    if has_database_privilege('public', database, 'TEMPORARY') then
        execute format('revoke temporary on database %I from public', database);
    end if;
    if has_schema_privilege('public', here, 'CREATE') then
        execute format('revoke create on schema %I from public', here);
    end if;
    execute format('grant usage on schema %I to %I', here, service);
    execute format('grant select, insert, update, delete on all tables in schema %I to %I', here, service);
    execute format('grant usage on all sequences in schema %I to %I', here, service);
    execute format('grant execute on function %I.audit_log_sweep(timestamptz, bigint) to %I', here, service);
    execute format(
        'grant truncate on %1$I.trail_points_0, %1$I.trail_points_1, %1$I.trail_points_2, %1$I.trail_points_3 to %2$I',
        here, service);
    -- What was written there stays.
    execute format(
        'revoke update, delete on %1$I.audit_log, %1$I.ledger_transactions, %1$I.ledger_postings from %2$I', here, service);
    execute format('revoke delete on %I.ledger_accounts from %I', here, service);
    -- Only the owner says which migrations are applied.
    execute format('revoke insert, update, delete on %I._sqlx_migrations from %I', here, service);
end $$;
