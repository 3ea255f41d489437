-- One customer could hold every mechanic of a town: open as many jobs as they had vehicles, cancel all of them in the free time, and
-- begin again.
alter table users
    -- How many jobs they may have open at once, where an admin has decided so; null: `jobs.max_open_per_person`.
    add column max_open_jobs integer
        constraint users_max_open_jobs_range check (max_open_jobs between 1 and 1000);

-- Cancellations that were free because they came soon after the acceptance. They are counted for some days, then swept.
create table free_cancellations (
    job_id uuid primary key references jobs (id),
    customer_id uuid not null references users (id),
    cancelled_at timestamptz not null
);
create index free_cancellations_of_customer on free_cancellations (customer_id, cancelled_at);
create index free_cancellations_by_time on free_cancellations (cancelled_at);
