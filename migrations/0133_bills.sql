-- A partner's debt for one job. Invoices will be made of these rows.
create table partner_bills (
    job_id uuid primary key references job_facts (id),
    case_id uuid not null references partner_cases (id),
    organisation_id uuid not null references organisations (id),
    contract_id uuid not null references partner_contracts (id),
    outcome text not null constraint partner_bills_outcome_known check (outcome in ('completed', 'gone_on_arrival', 'unsuccessful',
        'destination_refused', 'cancelled_by_partner', 'cancelled_by_us', 'promise_missed', 'no_mechanic')),
    -- The price of the job, and the part that the partner pays by the contract. Refunds lower that part.
    price_paise bigint not null constraint partner_bills_price_sign check (price_paise >= 0),
    payable_paise bigint not null constraint partner_bills_payable_sign check (payable_paise >= 0),
    -- The part that the helped person pays.
    driver_paise bigint not null default 0 constraint partner_bills_driver_sign check (driver_paise >= 0),
    -- The figures from which the outcome and the amount follow.
    evidence jsonb not null,
    decided_at timestamptz not null
);
-- Lists: all bills, and an organisation's.
create index partner_bills_newest on partner_bills (decided_at desc, job_id desc);
create index partner_bills_of on partner_bills (organisation_id, decided_at desc, job_id desc);

-- The part of the due amount that an organisation pays on account.
alter table job_dues add column account_paise bigint not null default 0
    constraint job_dues_account_range check (account_paise between 0 and due_paise);
-- A payment on account counts as captured at once.
alter table payments
    drop constraint payments_channel_known,
    add constraint payments_channel_known check (channel ~ '^(online|cash|account)$') not valid;
-- The debts of organisations, below zero like all money that others hold.
alter table ledger_accounts
    drop constraint ledger_accounts_kind_known,
    add constraint ledger_accounts_kind_known check (kind ~ '^(gateway_clearing|payout_clearing|platform_commission|tax|fees_receivable|fees_unearned|refunds|partners_receivable|mechanic_available|mechanic_held|mechanic_owed)$') not valid;
insert into ledger_accounts (id, kind) values ('018f0000-0000-7000-8000-0000000000a8', 'partners_receivable');
-- Whether a partner approved the item, and so pays for it.
alter table line_items add column is_on_account boolean not null default false;
-- An organisation acts on its jobs.
alter table job_events
    drop constraint job_events_actor_known,
    add constraint job_events_actor_known check (actor_kind ~ '^(customer|mechanic|admin|partner|system)$') not valid;

-- As in 0132, with the queue of jobs whose outcome is to be decided.
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
    select 'partner_offers', min(offered_until) from partner_cases where status = 'offered'
    union all
    -- A job that has ended. A no-show waits for an admin's decision. Jobs are looked up by id.
    select 'partner_bills', min((
        select coalesce(job.completed_at, job.cancelled_at) from job_states job
        where job.id = p.job_id and not job.is_unfinished
            and not exists (select from no_shows n where n.job_id = p.job_id and n.status = 'open')))
    from partner_jobs p
    where p.settled_at is null;
