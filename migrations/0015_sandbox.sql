-- The sandbox: an embedded payment gateway and payout provider that act as outsiders (docs/adr/0020). No foreign key leads
-- from these tables to the others or back: receipts and references are the service's ids as an outsider keeps them. The
-- sandbox decides at once what will happen later, and keeps it here with its time, so that it happens after a restart too.

create table sandbox_orders (
    id text primary key,
    -- The service's payment.
    receipt uuid not null,
    amount_paise bigint not null constraint sandbox_orders_amount_sign check (amount_paise > 0),
    currency text not null,
    expires_at timestamptz not null,
    created_at timestamptz not null
);

-- Attempts to pay an order.
create table sandbox_payments (
    id text primary key,
    order_id text not null references sandbox_orders (id),
    amount_paise bigint not null,
    currency text not null,
    status text not null constraint sandbox_payments_status_known check (status in ('authorized', 'captured', 'failed')),
    method text not null,
    refunded_paise bigint not null default 0,
    error text,
    created_at timestamptz not null,
    constraint sandbox_payments_refunds_range check (refunded_paise between 0 and amount_paise)
);
-- An order is paid once.
create unique index sandbox_payments_one_good on sandbox_payments (order_id) where status <> 'failed';
create index sandbox_payments_of_order on sandbox_payments (order_id, created_at, id);

create table sandbox_refunds (
    id text primary key,
    -- The service's refund, which is the idempotency key.
    refund_id uuid not null constraint sandbox_refunds_once unique,
    payment_id text not null references sandbox_payments (id),
    amount_paise bigint not null constraint sandbox_refunds_amount_sign check (amount_paise > 0),
    currency text not null,
    -- From this time on the refund is processed.
    settles_at timestamptz not null,
    created_at timestamptz not null
);
create index sandbox_refunds_of_payment on sandbox_refunds (payment_id, created_at, id);

create table sandbox_payouts (
    id text primary key,
    -- The service's withdrawal, which is the idempotency key.
    withdrawal_id uuid not null constraint sandbox_payouts_once unique,
    amount_paise bigint not null constraint sandbox_payouts_amount_sign check (amount_paise > 0),
    currency text not null,
    ending text not null constraint sandbox_payouts_ending_known check (ending in ('processed', 'failed', 'reversed')),
    -- Processed or failed from settles_at on, reversed from reverses_at on.
    settles_at timestamptz not null,
    reverses_at timestamptz,
    utr text,
    created_at timestamptz not null,
    constraint sandbox_payouts_reversal check ((ending = 'reversed') = (reverses_at is not null))
);

create table sandbox_validations (
    id text primary key,
    -- The service's UPI account, validated once.
    upi_account_id uuid not null constraint sandbox_validations_once unique,
    fund_account_id text not null,
    -- Null where no such VPA exists.
    name_at_bank text,
    settles_at timestamptz not null,
    created_at timestamptz not null
);

-- Webhooks, each with the time of its next try, until the service takes it or the sandbox gives up.
create table sandbox_deliveries (
    id uuid primary key,
    -- A duplicate has the same one.
    event_id text not null,
    event text not null,
    -- What it is about: the sandbox sends webhooks about one subject one after the other.
    subject text not null,
    body text not null,
    due_at timestamptz not null,
    attempts integer not null default 0,
    settled_at timestamptz,
    -- If settled: whether the service took it; otherwise the sandbox gave up.
    is_delivered boolean not null default false,
    created_at timestamptz not null
);
create index sandbox_deliveries_due on sandbox_deliveries (due_at, id) where settled_at is null;
create index sandbox_deliveries_settled on sandbox_deliveries (settled_at) where settled_at is not null;
