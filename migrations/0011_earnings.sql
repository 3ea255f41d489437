-- Earnings: what mechanics earn, the settlements that count it, and the refunds that reduce it.

-- A mechanic's earnings of a period, added up once. The period's end is exclusive.
create table settlements (
    id uuid primary key,
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    period_start date not null,
    period_end date not null,
    gross_paise bigint not null,
    commission_paise bigint not null,
    tax_paise bigint not null,
    refunds_paise bigint not null,
    cash_collected_paise bigint not null,
    net_paise bigint not null,
    status text not null constraint settlements_status_known check (status in ('open', 'paid')),
    reference text,
    paid_at timestamptz,
    created_at timestamptz not null,
    constraint settlements_once unique (mechanic_profile_id, period_start, period_end),
    constraint settlements_period check (period_start < period_end),
    constraint settlements_paid check ((status = 'paid') = (paid_at is not null and reference is not null))
);
create index settlements_newest on settlements (period_start desc, id desc);

-- A mechanic's earning from one payment: how the payment was divided, and how much of the mechanic's share is still held.
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
    -- What of the gross went back to the customer, by refunds or a chargeback.
    returned_paise bigint not null default 0,
    -- What of the share is still in the mechanic's held account.
    held_paise bigint not null default 0,
    -- When held_paise becomes available, unless a dispute holds it.
    clears_at timestamptz,
    cleared_at timestamptz,
    -- How often a dispute (the job's own, or one of the customer's bank) held the earning again after it had cleared. After
    -- each it clears anew.
    holds integer not null default 0 constraint earnings_holds_sign check (holds >= 0),
    -- The settlement that counted the earning: none is counted twice.
    settlement_id uuid references settlements (id),
    created_at timestamptz not null,
    constraint earnings_sum check (gross_paise = commission_paise + tax_paise + share_paise),
    constraint earnings_returned_range check (returned_paise between 0 and gross_paise),
    constraint earnings_held_range check (held_paise between 0 and share_paise),
    constraint earnings_once unique (payment_id, job_id)
);
create index earnings_to_clear on earnings (clears_at) where cleared_at is null and channel = 'online';
create index earnings_of_mechanic on earnings (mechanic_profile_id, created_at desc, id desc);
create index earnings_of_job on earnings (job_id);
create index earnings_newest on earnings (created_at);
create index earnings_unsettled on earnings (created_at) where settlement_id is null;
create index earnings_of_settlement on earnings (settlement_id) where settlement_id is not null;

create table refunds (
    id uuid primary key,
    payment_id uuid not null references payments (id),
    amount_paise bigint not null constraint refunds_amount_sign check (amount_paise > 0),
    -- requested: the gateway does not have it yet. pending: the gateway has it, the customer has no money yet.
    status text not null constraint refunds_status_known
        check (status in ('requested', 'pending', 'processed', 'failed')),
    -- Who or what caused it: an admin, the resolution of a dispute, a payment of more than was due, somebody who used the
    -- gateway's own pages, or the customer's bank.
    source text not null constraint refunds_source_known check (source in ('admin', 'dispute', 'surplus', 'gateway', 'chargeback')),
    -- What of the amount is surplus: no earning had a part in it.
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
create index refunds_newest on refunds (created_at desc, id desc);
create index refunds_failed on refunds (payment_id, created_at) where status = 'failed';
create index refunds_to_do on refunds (next_try_at) where status in ('requested', 'pending');

-- Where a refund's money came from, so that a failed refund can put it back.
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
