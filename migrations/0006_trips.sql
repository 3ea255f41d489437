-- Where an offer's ETA came from, and how long the way then took: what estimates are corrected by.

alter table offers
    add column eta_source text not null default 'straight_line' constraint offers_eta_source_known
        check (eta_source in ('straight_line', 'straight_line_learned', 'osrm', 'osrm_learned')),
    -- What the source itself said, before any correction: learning from corrected estimates would undo itself.
    add column eta_base_s integer;
update offers set eta_base_s = eta_s;
alter table offers alter column eta_base_s set not null;

-- One row per arrival that the mechanic's own position proved, of a job that was taken by an offer. No positions.
create table trips (
    offer_id uuid primary key references offers (id),
    job_id uuid not null references jobs (id),
    eta_source text not null constraint trips_eta_source_known
        check (eta_source in ('straight_line', 'straight_line_learned', 'osrm', 'osrm_learned')),
    -- As promised.
    eta_s integer not null,
    eta_base_s integer not null,
    -- Straight line from where the offer found the mechanic.
    distance_m integer not null,
    set_out_at timestamptz not null,
    arrived_at timestamptz not null,
    constraint trips_take_time check (arrived_at > set_out_at)
);
create index trips_by_arrival on trips (arrived_at desc);
