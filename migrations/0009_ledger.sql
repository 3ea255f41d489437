-- The ledger: accounts, and the entries that move money between them.

-- A balance is the sum of an account's postings; the transaction that posts updates it. Credit is positive: what the
-- service owes a mechanic, or has earned. Money that others hold for the service (gateway_clearing) is negative.
create table ledger_accounts (
    id uuid primary key,
    kind text not null constraint ledger_accounts_kind_known check (kind in (
        -- Money at the gateway, and money that left through the payout provider.
        'gateway_clearing', 'payout_clearing',
        'platform_commission', 'tax',
        -- Cancellation fees that customers owe, and their counterpart until they pay.
        'fees_receivable', 'fees_unearned',
        -- Promised to customers, who do not have it yet.
        'refunds',
        'mechanic_available', 'mechanic_held', 'mechanic_owed')),
    mechanic_profile_id uuid references mechanic_profiles (id),
    balance_paise bigint not null default 0,
    constraint ledger_accounts_once unique nulls not distinct (kind, mechanic_profile_id),
    constraint ledger_accounts_owner check ((kind like 'mechanic_%') = (mechanic_profile_id is not null)),
    -- No account is overdrawn, whatever the code that posts has computed.
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
    -- What the entry books, so that it is booked once: "capture:<payment>", "withdrawal:<id>:hold".
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

-- Checked at commit: every entry has at least two postings, and they sum to zero.
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
