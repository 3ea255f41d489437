-- What an hour of a mechanic's time and a late arrival cost when jobs and mechanics are matched. Versions from before get the
-- defaults, and so does what an older program writes.
alter table dispatch_settings
    add column mechanic_prices boolean not null default true,
    add column worth_s bigint not null default 3600,
    add column in_time_s bigint not null default 1800,
    add column late_percent bigint not null default 15,
    add column eta_sigma double precision not null default 0.25,
    add column price_window_s bigint not null default 3600,
    add column hold_accidents boolean not null default false;

-- Null takes the setting of the same name.
alter table service_categories
    add column in_time_s integer,
    add column worth_s integer;
