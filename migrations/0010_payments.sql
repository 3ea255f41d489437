-- Payments: what customers owe, what they paid, and what the gateway reports.

-- What a completed job costs its customer. The completion writes it.
create table job_dues (
    job_id uuid primary key references jobs (id),
    customer_id uuid not null references users (id),
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    -- What the customer has to pay in all; the resolution of a dispute may lower it.
    due_paise bigint not null constraint job_dues_sign check (due_paise >= 0),
    -- What the customer paid of it, online or in cash, less refunds.
    paid_paise bigint not null default 0,
    settled_at timestamptz,
    created_at timestamptz not null,
    constraint job_dues_paid_range check (paid_paise between 0 and due_paise)
);
create index job_dues_free on job_dues (created_at) where due_paise = 0 and settled_at is null;
create index job_dues_of_customer on job_dues (customer_id) where settled_at is null;
create index job_dues_of_mechanic on job_dues (mechanic_profile_id);

-- A fee for a cancelled job. The cancellation writes it.
create table cancellation_fees (
    job_id uuid primary key references jobs (id),
    customer_id uuid not null references users (id),
    -- The mechanic whose way the fee pays for; null if none was on the way.
    mechanic_profile_id uuid references mechanic_profiles (id),
    amount_paise bigint not null constraint cancellation_fees_sign check (amount_paise > 0),
    status text not null constraint cancellation_fees_status_known check (status in ('due', 'paid', 'waived')),
    cancelled_at timestamptz not null,
    settled_at timestamptz
);
create index cancellation_fees_due on cancellation_fees (customer_id, cancelled_at) where status = 'due';
-- A mechanic can't delete their account while somebody is paying a fee that they have a share in.
create index cancellation_fees_of_mechanic on cancellation_fees (mechanic_profile_id)
    where status = 'due' and mechanic_profile_id is not null;

-- What a customer pays at the gateway, or paid in cash. The status only moves forward; failed may become captured.
create table payments (
    id uuid primary key,
    customer_id uuid not null references users (id),
    purpose text not null constraint payments_purpose_known check (purpose in ('job', 'fees')),
    -- Null where the payment is for a set of fees (payment_fees).
    job_id uuid references jobs (id),
    channel text not null constraint payments_channel_known check (channel in ('online', 'cash')),
    status text not null constraint payments_status_known check (status in (
        'created', 'authorized', 'captured', 'partially_refunded', 'refunded', 'failed')),
    amount_paise bigint not null constraint payments_amount_sign check (amount_paise > 0),
    currency text not null,
    -- What of the amount paid for something; the service refunds the rest unasked.
    applied_paise bigint not null default 0,
    refunded_paise bigint not null default 0,
    gateway text,
    gateway_order_id text constraint payments_order_once unique,
    -- The attempt that was captured.
    gateway_payment_id text constraint payments_attempt_once unique,
    -- As the gateway names it: card, upi …
    method text,
    failure text,
    -- A cash payment counts once both sides have confirmed it.
    cash_customer_at timestamptz,
    cash_mechanic_at timestamptz,
    -- Whether the customer may still pay it. One open payment per job, and one for fees per customer.
    is_open boolean not null,
    expires_at timestamptz,
    -- When the gateway last reported on the payment, or the service last asked.
    asked_at timestamptz,
    authorized_at timestamptz,
    captured_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint payments_refunds_range check (refunded_paise between 0 and amount_paise),
    constraint payments_applied_range check (applied_paise between 0 and amount_paise),
    constraint payments_job check ((purpose = 'job') = (job_id is not null)),
    constraint payments_captured check (
        (status in ('captured', 'partially_refunded', 'refunded')) = (captured_at is not null))
);
create unique index payments_one_open_per_job on payments (job_id) where is_open and purpose = 'job';
create unique index payments_one_open_for_fees on payments (customer_id) where is_open and purpose = 'fees';
create index payments_of_customer on payments (customer_id, created_at desc, id desc);
create index payments_of_job on payments (job_id) where job_id is not null;
create index payments_newest on payments (created_at desc, id desc);
create index payments_to_ask_after on payments (asked_at)
    where channel = 'online' and status in ('created', 'authorized', 'failed') and is_open;

create table payment_fees (
    payment_id uuid not null references payments (id),
    job_id uuid not null references cancellation_fees (job_id),
    amount_paise bigint not null,
    primary key (payment_id, job_id)
);
create index payment_fees_of_job on payment_fees (job_id);

-- Every attempt to pay that the gateway reported, with its last known status.
create table payment_attempts (
    gateway_payment_id text primary key,
    payment_id uuid not null references payments (id),
    status text not null constraint payment_attempts_status_known
        check (status in ('created', 'authorized', 'captured', 'refunded', 'failed')),
    method text,
    error text,
    first_seen_at timestamptz not null,
    updated_at timestamptz not null
);
create index payment_attempts_of_payment on payment_attempts (payment_id);

-- Payments that a customer's bank took back, or wants to.
create table chargebacks (
    gateway_dispute_id text primary key,
    payment_id uuid not null references payments (id),
    amount_paise bigint not null constraint chargebacks_amount_sign check (amount_paise > 0),
    status text not null constraint chargebacks_status_known check (status in ('open', 'won', 'lost', 'closed')),
    reason text,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index chargebacks_of_payment on chargebacks (payment_id);

-- The inbox: what the gateway sent, each event once, until the service has dealt with it.
create table webhook_events (
    id uuid primary key,
    gateway text not null,
    -- The gateway's id of the event, or the body's SHA-256 where it sent none.
    event_id text not null,
    event text not null,
    body text not null,
    status text not null constraint webhook_events_status_known
        check (status in ('pending', 'processed', 'ignored', 'dead')),
    attempts integer not null default 0,
    next_try_at timestamptz not null,
    last_error text,
    received_at timestamptz not null,
    settled_at timestamptz,
    constraint webhook_events_once unique (gateway, event_id)
);
create index webhook_events_due on webhook_events (next_try_at) where status = 'pending';
create index webhook_events_newest on webhook_events (received_at desc, id desc);
create index webhook_events_dead on webhook_events (received_at desc, id desc) where status = 'dead';
create index webhook_events_settled on webhook_events (settled_at) where settled_at is not null;
comment on column webhook_events.body is
    'The body whose signature was checked, without what it told of a person (payments/personal.rs).';

-- Money at the gateway that matches no payment of the service. Admins see it; the ledger never books it.
create table parked_payments (
    gateway_payment_id text primary key,
    reason text not null constraint parked_payments_reason_known
        check (reason in ('unknown_order', 'wrong_amount', 'wrong_currency', 'captured_twice')),
    gateway_order_id text,
    payment_id uuid references payments (id),
    amount_paise bigint not null,
    currency text not null,
    seen_at timestamptz not null
);
create index parked_payments_newest on parked_payments (seen_at desc);
