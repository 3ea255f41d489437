-- Mechanics who have no job for so long are advised where to wait. Versions from before get the default, and so does what an
-- older program writes.
alter table dispatch_settings add column advice_after_s bigint not null default 120;

-- How often jobs that were promised a chance to be served in time were: by tenths of the chance. A service that starts goes on
-- from here. The oldest jobs fade, so that counts are no whole numbers.
create table outlook_calibration (
    tenth smallint primary key check (tenth between 0 and 9),
    jobs double precision not null check (jobs >= 0),
    in_time double precision not null check (in_time between 0 and jobs),
    updated_at timestamptz not null
);
