-- The events of cases, in order, as partners get them. They are kept as long as their deliveries.
create table partner_events (
    id uuid primary key,
    case_id uuid not null references partner_cases (id),
    job_id uuid references job_facts (id),
    organisation_id uuid not null references organisations (id),
    -- Dense within a case, from 1. The case's row gives the number and is locked until the event is committed, so numbers become
    -- visible in their order.
    seq bigint not null,
    kind text not null,
    -- The body of a delivery, with a snapshot of the case and the job.
    body jsonb not null,
    -- Never before that of the case's previous event, whatever the clocks of the servers say.
    created_at timestamptz not null,
    constraint partner_events_seq_key unique (case_id, seq)
);
-- A replay of the events of an organisation since some time.
create index partner_events_of on partner_events (organisation_id, created_at, id);
-- Old events are deleted.
create index partner_events_oldest on partner_events (created_at);

-- The addresses to which partners want their events.
create table partner_subscriptions (
    id uuid primary key,
    organisation_id uuid not null references organisations (id),
    -- The organisation whose key made it: an agency gets the events of its own cases alone.
    made_by uuid not null references organisations (id),
    url text not null,
    -- The kinds of events; empty for all.
    events text[] not null default '{}',
    -- Sealed as other secrets are. The former one also signs until its end.
    secret bytea not null,
    former_secret bytea,
    former_until timestamptz,
    -- Thresholds: an event when the arrival is nearer than this.
    eta_below_min integer constraint partner_subscriptions_eta_range check (eta_below_min between 1 and 120),
    within_m integer constraint partner_subscriptions_within_range check (within_m between 50 and 50000),
    -- Positions at this interval, apart from the ordered events; null for none.
    positions_every_s integer constraint partner_subscriptions_positions_range check (positions_every_s between 5 and 3600),
    -- Only active subscriptions get events: their receiver has answered a challenge at this address.
    status text not null constraint partner_subscriptions_status_known check (status in ('unverified', 'active', 'paused', 'deleted')),
    -- Why it was paused: by the partner, or by the receiver's answer 410.
    pause_reason text,
    verified_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint partner_subscriptions_former check ((former_secret is null) = (former_until is null))
);
-- The list of an organisation, and those who get the events of its cases.
create index partner_subscriptions_of on partner_subscriptions (organisation_id, created_at desc, id desc) where status <> 'deleted';
-- Whether subscriptions that one organisation made for another get anything now: neither is suspended, and an agency has a key that may
-- act for the other. In PL/pgSQL, whose plans are kept.
create function partner_may_hear(organisation uuid, maker uuid, now_at timestamptz) returns boolean language plpgsql stable as $$
begin
    return exists (select from organisations where id = organisation and status = 'active')
        and (maker = organisation or exists (
            select from partner_keys k join organisations agency on agency.id = k.organisation_id and agency.status = 'active'
            where k.organisation_id = maker and organisation = any(k.acts_for) and k.revoked_at is null and k.expires_at > now_at));
end $$;
-- The queues that the sender looks at.
create index partner_subscriptions_active on partner_subscriptions (id) where status = 'active';

-- An event on its way to a subscription. A replay is another row of the same event.
create table partner_deliveries (
    id uuid primary key,
    subscription_id uuid not null references partner_subscriptions (id),
    -- The organisation of the subscription, for lists.
    organisation_id uuid not null,
    event_id uuid not null references partner_events (id),
    -- The case and the number of the event, for the order of first tries.
    case_id uuid not null,
    seq bigint not null,
    status text not null constraint partner_deliveries_status_known check (status in ('pending', 'delivered', 'dead')),
    tries integer not null default 0,
    -- While a try is running, the end of its lease: if the sender died, the delivery is tried again then.
    next_try_at timestamptz,
    -- The answer to the last try, or why there was none.
    answer_status integer,
    failure text,
    created_at timestamptz not null,
    settled_at timestamptz,
    constraint partner_deliveries_next check ((status = 'pending') = (next_try_at is not null))
);
-- A subscription's queue.
create index partner_deliveries_queue on partner_deliveries (subscription_id, next_try_at, case_id, seq) where status = 'pending';
-- Lists of an organisation's deliveries, and of all. Old ones are deleted.
create index partner_deliveries_of on partner_deliveries (organisation_id, created_at desc, id desc);
create index partner_deliveries_newest on partner_deliveries (created_at desc, id desc);
-- Events that no delivery needs are deleted.
create index partner_deliveries_of_event on partner_deliveries (event_id);

alter table partner_jobs
    -- Whether the case's events include everything that the job's log will ever have for them.
    add column is_fed boolean not null default false,
    -- Whether they include the job's outcome.
    add column is_outcome_told boolean not null default false;
-- Jobs whose log may have something new.
create index partner_jobs_unfed on partner_jobs (created_at) where not is_fed;

-- As in 0133, with the queues of events and deliveries.
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
