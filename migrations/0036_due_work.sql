-- The earliest moment of everything that waits for a worker, a row for each queue: null where nothing waits. The service reads it
-- instead of looking into each queue (docs/adr/0052). A new queue is one more `union all` in a later migration, by `create or replace
-- view`, and a `DueQueue` in src/workers/mod.rs.
--
-- Each moment is the first entry of a partial index. What can't be done yet, such as an earning under dispute, may be in it: the
-- worker's own statement decides.
create view due_work (queue, due_at) as
    -- A call whose job has moved on is due at once. Jobs are looked up by id, whatever the planner thinks of empty tables.
    select 'calls'::text, min(case
        when (select job.mechanic_profile_id is distinct from call.mechanic_profile_id
                or (call.on_job and not job_is_active(job.status))
            from jobs job where job.id = call.job_id) then call.created_at
        else call.deadline_at end)
    from calls call
    where call.status in ('ringing', 'accepted')
    union all
    select 'webhook_events', min(next_try_at) from webhook_events where status = 'pending'
    union all
    select 'refunds', min(next_try_at) from refunds where status in ('requested', 'pending')
    union all
    -- When the gateway was asked last, or reported: it is asked again after gateway.reconcile_after_s.
    select 'payments', min(asked_at) from payments
    where channel = 'online' and status in ('created', 'authorized', 'failed') and is_open
    union all
    select 'free_jobs', min(created_at) from job_dues where due_paise = 0 and settled_at is null
    union all
    select 'earnings', min(clears_at) from earnings where cleared_at is null and channel = 'online'
    union all
    select 'withdrawals', min(next_try_at) from withdrawals where next_try_at is not null
    union all
    select 'upi_accounts', min(check_at) from upi_accounts where check_at is not null and deleted_at is null
    union all
    select 'notifications', min(expires_at) from notifications where not is_read and expires_at is not null
    union all
    select 'sandbox_deliveries', min(due_at) from sandbox_deliveries where settled_at is null;
