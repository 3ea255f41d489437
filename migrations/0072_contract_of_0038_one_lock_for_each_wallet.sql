-- Bookings wait for others of the same mechanic, no longer for every other booking: docs/adr/0082.

-- Every payment posts to the platform's accounts. They keep no balance, which every payment would have to update: it is the
-- sum of their postings.
alter table ledger_accounts alter column balance_paise drop not null, alter column balance_paise drop default;
update ledger_accounts set balance_paise = null where mechanic_profile_id is null;
alter table ledger_accounts
    add constraint ledger_accounts_balance check ((balance_paise is null) = (mechanic_profile_id is null));

-- Locks these mechanics' wallets until the transaction ends, always in the same order.
create function ledger_lock(seed bigint, mechanics uuid[]) returns void language plpgsql as $$
declare
    wallet bigint;
begin
    for wallet in
        select distinct uuid_hash_extended(mechanic, seed) from unnest(mechanics) as mechanic
        where mechanic is not null order by 1
    loop
        perform pg_advisory_xact_lock(wallet);
    end loop;
end $$;

-- Books an entry: false if its key was booked before.
create or replace function ledger_book(
    lock_key bigint, entry_id uuid, entry_kind text, entry_key text, entry_job uuid, entry_note text, entry_at timestamptz,
    -- One of each for each posting: an id for its account if that has to be made, the account, and the amount.
    account_ids uuid[], kinds text[], mechanics uuid[], amounts bigint[]
) returns boolean language plpgsql as $$
declare
    posted bigint;
begin
    perform ledger_lock(lock_key, mechanics);
    insert into ledger_transactions (id, kind, key, job_id, note, at)
    values (entry_id, entry_kind, entry_key, entry_job, entry_note, entry_at)
    on conflict on constraint ledger_transactions_key do nothing;
    if not found then
        return false;
    end if;
    insert into ledger_accounts (id, kind, mechanic_profile_id, balance_paise)
    select posting.account_id, posting.kind, posting.mechanic, 0
    from unnest(account_ids, kinds, mechanics) as posting (account_id, kind, mechanic)
    where posting.mechanic is not null and not exists (
        select from ledger_accounts account
        where account.kind = posting.kind and account.mechanic_profile_id = posting.mechanic)
    on conflict on constraint ledger_accounts_once do nothing;
    with posting as (
        select * from unnest(kinds, mechanics, amounts) as posting (kind, mechanic, amount)
    ),
    of_mechanics as (
        update ledger_accounts held set balance_paise = held.balance_paise + posting.amount
        from posting
        where held.kind = posting.kind and held.mechanic_profile_id = posting.mechanic
        returning held.id, posting.amount
    )
    insert into ledger_postings (transaction_id, account_id, amount_paise)
    select entry_id, id, amount from of_mechanics
    union all
    select entry_id, account.id, posting.amount
    from posting join ledger_accounts account on account.kind = posting.kind and account.mechanic_profile_id is null
    where posting.mechanic is null;
    get diagnostics posted = row_count;
    if posted <> array_length(amounts, 1) then
        raise exception 'ledger transaction % posts to an account that does not exist', entry_key;
    end if;
    return true;
end $$;

-- One statement writes all of an entry's postings, so they are checked together and at once. The check of the whole entry, at
-- commit, stays.
create function ledger_postings_must_balance() returns trigger language plpgsql as $$
declare
    wrong record;
begin
    select transaction_id, count(*) as postings, sum(amount_paise) as total into wrong
    from added group by transaction_id having count(*) < 2 or sum(amount_paise) <> 0 limit 1;
    if found then
        raise exception 'ledger transaction % has % postings that sum to %', wrong.transaction_id, wrong.postings, wrong.total
            using errcode = 'check_violation', constraint = 'ledger_postings_balance';
    end if;
    -- In place of foreign keys, which would lock the platform's accounts for each entry. Rows of neither table are deleted.
    if exists (
        select from added
        where not exists (select from ledger_accounts account where account.id = added.account_id)
            or not exists (select from ledger_transactions entry where entry.id = added.transaction_id)
    ) then
        raise exception 'a posting belongs to no entry or no account'
            using errcode = 'foreign_key_violation', constraint = 'ledger_postings_of_entry_and_account';
    end if;
    return null;
end $$;
drop trigger ledger_postings_balance on ledger_postings;
create trigger ledger_postings_balance after insert on ledger_postings
    referencing new table as added for each statement execute function ledger_postings_must_balance();
alter table ledger_postings
    drop constraint ledger_postings_transaction_id_fkey, drop constraint ledger_postings_account_id_fkey;

create function ledger_accounts_are_kept() returns trigger language plpgsql as $$
begin
    raise exception 'accounts of the ledger are kept'
        using errcode = 'check_violation', constraint = 'ledger_accounts_kept';
end $$;
create trigger ledger_accounts_kept before delete or truncate on ledger_accounts
    execute function ledger_accounts_are_kept();
