-- A mechanic sees only their own share of jobs whose organisations hide prices. These are the parts of a settlement's sums that are left
-- out for its mechanic, as they were when the settlement was made: refunds may be undone later.
alter table settlements
    add column hidden_commission_paise bigint not null default 0,
    add column hidden_tax_paise bigint not null default 0,
    add column hidden_refunds_paise bigint not null default 0;

-- Earlier settlements: by what is known of their refunds now. Only jobs on account are looked at.
update settlements s
set hidden_commission_paise = hidden.commission, hidden_tax_paise = hidden.tax, hidden_refunds_paise = hidden.refunds
from (
    select s.id, sum(e.commission_paise)::bigint as commission, sum(e.tax_paise)::bigint as tax,
        sum(coalesce(back.paise, 0))::bigint as refunds
    from partner_jobs p
        join job_facts job on job.id = p.job_id and job.partner_order ->> 'shows_prices' = 'false'
        join earnings e on e.job_id = p.job_id and e.channel <> 'cash'
        join settlements s on s.id = e.settlement_id
        cross join lateral (
            select sum(part.commission_paise + part.tax_paise) as paise
            from refunds r join refund_parts part on part.refund_id = r.id and part.earning_id = e.id
            where r.payment_id = e.payment_id and r.created_at <= s.created_at) back
    group by s.id) hidden
where hidden.id = s.id;

-- When to make the job of a confirmed offer, if the request that confirmed it was cut off before. Null once the job is made, or its club
-- was told why it can't be made.
alter table partner_cases add column job_due_at timestamptz;
-- Confirmed offers whose job is missing.
create index partner_cases_without_job on partner_cases (job_due_at) where status = 'open' and job_due_at is not null;

-- As in 0134, with confirmed offers.
create or replace view due_work (queue, due_at) as
    -- A call whose job has moved on is due at once. Jobs are looked up by id, whatever the planner thinks of empty tables.
    select 'calls'::text, min(case
        when (select job.mechanic_profile_id is distinct from call.mechanic_profile_id or (call.on_job and not job.is_active)
            from job_states job where job.id = call.job_id) then call.created_at
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
    select 'sandbox_deliveries', min(due_at) from sandbox_deliveries where settled_at is null
    union all
    select 'partner_promises', min(promise_due_at) from partner_jobs where promise_due_at is not null
    union all
    select 'partner_approvals', min(due_at) from partner_approvals where decided_at is null
    union all
    -- An offer whose time runs out, or a confirmed one whose job is missing.
    select 'partner_offers', least(
        (select min(offered_until) from partner_cases where status = 'offered'),
        (select min(job_due_at) from partner_cases where status = 'open' and job_due_at is not null))
    union all
    -- A job that has ended. A no-show waits for an admin's decision. Jobs are looked up by id.
    select 'partner_bills', min((
        select coalesce(job.completed_at, job.cancelled_at) from job_states job
        where job.id = p.job_id and not job.is_unfinished
            and not exists (select from no_shows n where n.job_id = p.job_id and n.status = 'open')))
    from partner_jobs p
    where p.settled_at is null
    union all
    -- A job whose log has gone on, whose outcome is decided, or that is over. Jobs are looked up by id.
    select 'partner_events', min((
        select job.updated_at from job_states job
        where job.id = p.job_id
            and (job.seq > p.fed_seq
                or (p.settled_at is not null and (not p.is_outcome_told or job.status in ('paid', 'cancelled'))))))
    from partner_jobs p
    where not p.is_fed
    union all
    -- Each subscription's queue by one look at its index, however many deliveries wait.
    select 'partner_deliveries', min((
        select d.next_try_at from partner_deliveries d
        where d.subscription_id = s.id and d.status = 'pending'
        order by d.next_try_at limit 1))
    from partner_subscriptions s
    where s.status = 'active' and partner_may_hear(s.organisation_id, s.made_by, now());
