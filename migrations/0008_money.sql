-- Money: the ledger, what is due, what was paid, what came from the gateway.

-- A balance is the sum of an account's postings, kept here and updated in the transaction that posts. Credit is
-- positive: what we owe a mechanic, or have earned; money that lies elsewhere for us (gateway_clearing) is negative.
create table ledger_accounts (
    id uuid primary key,
    kind text not null constraint ledger_accounts_kind_known check (kind in (
        -- At the gateway, and what left through the payout provider.
        'gateway_clearing', 'payout_clearing',
        'platform_commission', 'tax',
        -- Cancellation fees that are due, and what they will be when they are paid.
        'fees_receivable', 'fees_unearned',
        -- Promised to customers, not yet with them.
        'refunds',
        'mechanic_available', 'mechanic_held', 'mechanic_owed')),
    mechanic_profile_id uuid references mechanic_profiles (id),
    balance_paise bigint not null default 0,
    constraint ledger_accounts_once unique nulls not distinct (kind, mechanic_profile_id),
    constraint ledger_accounts_owner check ((kind like 'mechanic_%') = (mechanic_profile_id is not null)),
    -- The last word on overdrafts, whoever else counted.
    constraint ledger_accounts_available_not_negative check (kind <> 'mechanic_available' or balance_paise >= 0),
    constraint ledger_accounts_held_not_negative check (kind <> 'mechanic_held' or balance_paise >= 0),
    constraint ledger_accounts_owed_not_positive check (kind <> 'mechanic_owed' or balance_paise <= 0)
);
insert into ledger_accounts (id, kind) values
    ('018f0000-0000-7000-8000-0000000000a1', 'gateway_clearing'),
    ('018f0000-0000-7000-8000-0000000000a2', 'payout_clearing'),
    ('018f0000-0000-7000-8000-0000000000a3', 'platform_commission'),
    ('018f0000-0000-7000-8000-0000000000a4', 'tax'),
    ('018f0000-0000-7000-8000-0000000000a5', 'fees_receivable'),
    ('018f0000-0000-7000-8000-0000000000a6', 'fees_unearned'),
    ('018f0000-0000-7000-8000-0000000000a7', 'refunds');
create index ledger_accounts_of_mechanic on ledger_accounts (mechanic_profile_id) where mechanic_profile_id is not null;

create table ledger_transactions (
    id uuid primary key,
    kind text not null,
    -- What it books, once: "capture:<payment>", "withdrawal:<id>:hold".
    key text not null constraint ledger_transactions_key unique,
    job_id uuid references jobs (id),
    note text,
    at timestamptz not null
);
create index ledger_transactions_of_job on ledger_transactions (job_id) where job_id is not null;

create table ledger_postings (
    transaction_id uuid not null references ledger_transactions (id),
    account_id uuid not null references ledger_accounts (id),
    amount_paise bigint not null constraint ledger_postings_not_zero check (amount_paise <> 0),
    constraint ledger_postings_pkey primary key (transaction_id, account_id)
);
create index ledger_postings_of_account on ledger_postings (account_id, transaction_id desc);

-- Looked at when the transaction commits: every entry has at least two postings, and they sum to zero.
create function ledger_must_balance() returns trigger language plpgsql as $$
declare
    postings bigint;
    total bigint;
    -- The trigger's argument names the column that holds the entry's id.
    entry uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
begin
    select count(*), coalesce(sum(amount_paise), 0) into postings, total
    from ledger_postings where transaction_id = entry;
    if postings < 2 or total <> 0 then
        raise exception 'ledger transaction % has % postings that sum to %', entry, postings, total
            using errcode = 'check_violation', constraint = 'ledger_transactions_balance';
    end if;
    return null;
end $$;
create constraint trigger ledger_transactions_balance after insert on ledger_transactions
    deferrable initially deferred for each row execute function ledger_must_balance('id');
create constraint trigger ledger_postings_balance after insert on ledger_postings
    deferrable initially deferred for each row execute function ledger_must_balance('transaction_id');

create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
    raise exception 'the ledger is append-only'
        using errcode = 'check_violation', constraint = 'ledger_append_only';
end $$;
create trigger ledger_transactions_append_only before update or delete or truncate on ledger_transactions
    execute function ledger_is_append_only();
create trigger ledger_postings_append_only before update or delete or truncate on ledger_postings
    execute function ledger_is_append_only();

-- What a completed job costs its customer. Written with the completion.
create table job_dues (
    job_id uuid primary key references jobs (id),
    customer_id uuid not null references users (id),
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    -- What is to be paid in all; a resolution may lower it.
    due_paise bigint not null constraint job_dues_sign check (due_paise >= 0),
    -- What was paid of it, online or in cash, and not given back.
    paid_paise bigint not null default 0,
    settled_at timestamptz,
    created_at timestamptz not null,
    constraint job_dues_paid_range check (paid_paise between 0 and due_paise)
);
create index job_dues_free on job_dues (created_at) where due_paise = 0 and settled_at is null;
create index job_dues_of_customer on job_dues (customer_id) where settled_at is null;

-- A fee for a cancelled job. Written with the cancellation.
create table cancellation_fees (
    job_id uuid primary key references jobs (id),
    customer_id uuid not null references users (id),
    -- Whose way it pays; none where nobody was on it.
    mechanic_profile_id uuid references mechanic_profiles (id),
    amount_paise bigint not null constraint cancellation_fees_sign check (amount_paise > 0),
    status text not null constraint cancellation_fees_status_known check (status in ('due', 'paid', 'waived')),
    cancelled_at timestamptz not null,
    settled_at timestamptz
);
create index cancellation_fees_due on cancellation_fees (customer_id, cancelled_at) where status = 'due';

-- What a customer is to pay at the gateway, or paid in cash. Status only moves forward; failed may become captured.
create table payments (
    id uuid primary key,
    customer_id uuid not null references users (id),
    purpose text not null constraint payments_purpose_known check (purpose in ('job', 'fees')),
    -- Of a job; null where it is for a set of fees (payment_fees).
    job_id uuid references jobs (id),
    channel text not null constraint payments_channel_known check (channel in ('online', 'cash')),
    status text not null constraint payments_status_known check (status in (
        'created', 'authorized', 'captured', 'partially_refunded', 'refunded', 'failed')),
    amount_paise bigint not null constraint payments_amount_sign check (amount_paise > 0),
    currency text not null,
    -- What of the amount paid for something; the rest is given back by itself.
    applied_paise bigint not null default 0,
    refunded_paise bigint not null default 0,
    gateway text,
    gateway_order_id text constraint payments_order_once unique,
    -- The attempt that was captured.
    gateway_payment_id text constraint payments_attempt_once unique,
    -- card, upi …, in the gateway's words.
    method text,
    failure text,
    -- Cash changed hands when both said so.
    cash_customer_at timestamptz,
    cash_mechanic_at timestamptz,
    -- Whether the customer may still pay it. One open payment per job, and one for fees per customer.
    is_open boolean not null,
    expires_at timestamptz,
    -- When the gateway was heard of last, or asked.
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

-- Every attempt to pay that was heard of, as far as it came.
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

-- What a mechanic earned by one payment: how it was shared out, and how much of it is still held.
create table earnings (
    id uuid primary key,
    payment_id uuid not null references payments (id),
    job_id uuid not null references jobs (id),
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    kind text not null constraint earnings_kind_known check (kind in ('job', 'fee')),
    channel text not null constraint earnings_channel_known check (channel in ('online', 'cash')),
    gross_paise bigint not null,
    commission_paise bigint not null,
    tax_paise bigint not null,
    share_paise bigint not null,
    -- Of the gross, given back to the customer (or taken by a chargeback) so far.
    returned_paise bigint not null default 0,
    -- Of the share, what still lies in the mechanic's held account.
    held_paise bigint not null default 0,
    -- When that moves to available; while a dispute holds the job it does not.
    clears_at timestamptz,
    cleared_at timestamptz,
    created_at timestamptz not null,
    constraint earnings_sum check (gross_paise = commission_paise + tax_paise + share_paise),
    constraint earnings_returned_range check (returned_paise between 0 and gross_paise),
    constraint earnings_held_range check (held_paise between 0 and share_paise),
    constraint earnings_once unique (payment_id, job_id)
);
create index earnings_to_clear on earnings (clears_at) where cleared_at is null and channel = 'online';
create index earnings_of_mechanic on earnings (mechanic_profile_id, created_at desc, id desc);
create index earnings_of_job on earnings (job_id);

create table refunds (
    id uuid primary key,
    payment_id uuid not null references payments (id),
    amount_paise bigint not null constraint refunds_amount_sign check (amount_paise > 0),
    -- requested: not yet at the gateway. pending: there, not yet with the customer.
    status text not null constraint refunds_status_known
        check (status in ('requested', 'pending', 'processed', 'failed')),
    -- An admin, a resolution, more captured than was due, somebody at the gateway, or the customer's bank.
    source text not null constraint refunds_source_known check (source in ('admin', 'dispute', 'surplus', 'gateway', 'chargeback')),
    -- Of the amount, what is given back of the surplus: it was nobody's.
    surplus_paise bigint not null default 0,
    reason text,
    requested_by uuid references users (id),
    gateway_refund_id text constraint refunds_gateway_once unique,
    failure text,
    attempts integer not null default 0,
    next_try_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    settled_at timestamptz
);
create index refunds_of_payment on refunds (payment_id, created_at);
create index refunds_to_do on refunds (next_try_at) where status in ('requested', 'pending');

-- From what a refund was taken, so that one that fails is put back.
create table refund_parts (
    refund_id uuid not null references refunds (id),
    earning_id uuid not null references earnings (id),
    gross_paise bigint not null,
    commission_paise bigint not null,
    tax_paise bigint not null,
    held_paise bigint not null,
    available_paise bigint not null,
    owed_paise bigint not null,
    primary key (refund_id, earning_id),
    constraint refund_parts_sum check (
        gross_paise = commission_paise + tax_paise + held_paise + available_paise + owed_paise)
);

-- A customer's bank took it back, or wants to.
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

-- The inbox: what the gateway sent, each event once, until it is dealt with.
create table webhook_events (
    id uuid primary key,
    gateway text not null,
    -- The gateway's id of the event, or the body's SHA-256 where it sent none.
    event_id text not null,
    event text not null,
    -- As it came: what was signed.
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
create index webhook_events_settled on webhook_events (settled_at) where settled_at is not null;

-- Money at the gateway that fits nothing of ours. Shown to admins, never booked.
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

-- What else than a job a request under an Idempotency-Key may have made.
alter table idempotency_keys add column effect_id uuid;
