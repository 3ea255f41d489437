-- The wallet: where a mechanic receives payouts, and what went there.

create table upi_accounts (
    id uuid primary key,
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    -- Lower case, so that each VPA has one spelling. Empty once its owner's account is deleted.
    vpa text not null,
    holder_name text,
    -- The name that the bank has for the VPA, and how well it matches the profile's, 0 to 100.
    name_at_bank text,
    name_match_score integer constraint upi_accounts_score_range check (name_match_score between 0 and 100),
    verification_status text not null constraint upi_accounts_status_known check (verification_status in (
        'pending', 'verified', 'name_mismatch', 'invalid', 'manually_approved', 'rejected')),
    is_default boolean not null,
    -- The service pays nothing to the account before this time.
    usable_from timestamptz not null,
    rejection_reason text,
    -- The provider's ids of the validation and of the fund account that payouts go to.
    validation_id text,
    fund_account_id text,
    -- While the answer is pending: when the service asks the provider next, and how often it has asked in vain.
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

-- Payouts. The row keeps what the service sends the provider, so that a repeated call is the same call under the same key.
create table withdrawals (
    id uuid primary key,
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    upi_account_id uuid not null references upi_accounts (id),
    vpa text not null,
    holder_name text not null,
    fund_account_id text,
    amount_paise bigint not null constraint withdrawals_amount_sign check (amount_paise > 0),
    currency text not null,
    -- requested: the provider has not answered yet. processing: the provider has it. In this list, later outranks earlier.
    status text not null constraint withdrawals_status_known
        check (status in ('requested', 'processing', 'failed', 'processed', 'reversed')),
    -- The provider's id of the payout.
    payout_id text constraint withdrawals_payout_once unique,
    -- The bank's reference.
    utr text,
    failure_reason text,
    attempts integer not null default 0,
    -- When the service next sends the payout or asks about it; null once it has ended.
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
