-- The wallet: where a mechanic is paid to, what was paid out, and the accounts of a period.

create table upi_accounts (
    id uuid primary key,
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    -- Lower case: one address is one text. Empty once its owner's account was deleted.
    vpa text not null,
    holder_name text,
    -- Whom the address is registered to, and how well that fits the profile's name, 0 to 100.
    name_at_bank text,
    name_match_score integer constraint upi_accounts_score_range check (name_match_score between 0 and 100),
    verification_status text not null constraint upi_accounts_status_known check (verification_status in (
        'pending', 'verified', 'name_mismatch', 'invalid', 'manually_approved', 'rejected')),
    is_default boolean not null,
    -- Nothing is paid to it before.
    usable_from timestamptz not null,
    rejection_reason text,
    -- The provider's ids: of the look-up, and of what payouts are made to.
    validation_id text,
    fund_account_id text,
    -- When the provider is asked next, while the answer is pending, and how often it was asked in vain.
    check_at timestamptz,
    checks integer not null default 0,
    deleted_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint upi_accounts_checked_while_pending check ((check_at is not null) = (verification_status = 'pending')),
    constraint upi_accounts_deleted_is_no_default check (deleted_at is null or not is_default)
);
create unique index upi_accounts_vpa_once on upi_accounts (mechanic_profile_id, vpa) where deleted_at is null;
create unique index upi_accounts_one_default on upi_accounts (mechanic_profile_id) where is_default;
create index upi_accounts_to_check on upi_accounts (check_at) where check_at is not null and deleted_at is null;
create index upi_accounts_validation on upi_accounts (validation_id) where validation_id is not null;
create index upi_accounts_newest on upi_accounts (created_at desc, id desc) where deleted_at is null;

-- Money on its way out. What the provider is told is frozen here: the same call under the same key, for ever.
create table withdrawals (
    id uuid primary key,
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    upi_account_id uuid not null references upi_accounts (id),
    vpa text not null,
    holder_name text not null,
    fund_account_id text,
    amount_paise bigint not null constraint withdrawals_amount_sign check (amount_paise > 0),
    currency text not null,
    -- requested: the provider has not answered yet. processing: it has it. Later ones outrank earlier ones.
    status text not null constraint withdrawals_status_known
        check (status in ('requested', 'processing', 'failed', 'processed', 'reversed')),
    -- The provider's id of it.
    payout_id text constraint withdrawals_payout_once unique,
    -- The bank's reference.
    utr text,
    failure_reason text,
    attempts integer not null default 0,
    -- When the provider is told, or asked, next; null once it has ended.
    next_try_at timestamptz,
    requested_at timestamptz not null,
    settled_at timestamptz,
    updated_at timestamptz not null,
    constraint withdrawals_ended check (
        (status in ('requested', 'processing')) = (settled_at is null)
        and (settled_at is null) = (next_try_at is not null))
);
create index withdrawals_of_mechanic on withdrawals (mechanic_profile_id, requested_at desc, id desc);
create index withdrawals_due on withdrawals (next_try_at) where next_try_at is not null;
create index withdrawals_under_way_to on withdrawals (upi_account_id) where settled_at is null;

-- What a mechanic earned in a period, added up once. The period's end is exclusive.
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

-- Which settlement counted an earning: none is counted twice.
alter table earnings add column settlement_id uuid references settlements (id);
create index earnings_unsettled on earnings (created_at) where settlement_id is null;
create index earnings_of_settlement on earnings (settlement_id) where settlement_id is not null;
