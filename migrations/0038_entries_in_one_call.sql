-- Books an entry: false if its key was booked before. The ledger's lock is held from here until the transaction ends, so everything
-- that happens under it happens in this one call.
create function ledger_book(
    lock_key bigint, entry_id uuid, entry_kind text, entry_key text, entry_job uuid, entry_note text, entry_at timestamptz,
    -- One of each for each posting: an id for its account if that has to be made, the account, and the amount.
    account_ids uuid[], kinds text[], mechanics uuid[], amounts bigint[]
) returns boolean language plpgsql as $$
declare
    posted bigint;
begin
    perform pg_advisory_xact_lock(lock_key);
    insert into ledger_transactions (id, kind, key, job_id, note, at)
    values (entry_id, entry_kind, entry_key, entry_job, entry_note, entry_at)
    on conflict on constraint ledger_transactions_key do nothing;
    if not found then
        return false;
    end if;
    insert into ledger_accounts (id, kind, mechanic_profile_id)
    select posting.account_id, posting.kind, posting.mechanic
    from unnest(account_ids, kinds, mechanics) as posting (account_id, kind, mechanic)
    where posting.mechanic is not null and not exists (
        select from ledger_accounts account
        where account.kind = posting.kind and account.mechanic_profile_id = posting.mechanic);
    with account as (
        update ledger_accounts held set balance_paise = held.balance_paise + posting.amount
        from unnest(kinds, mechanics, amounts) as posting (kind, mechanic, amount)
        where held.kind = posting.kind and held.mechanic_profile_id is not distinct from posting.mechanic
        returning held.id, posting.amount
    )
    insert into ledger_postings (transaction_id, account_id, amount_paise)
    select entry_id, account.id, account.amount from account;
    get diagnostics posted = row_count;
    if posted <> array_length(amounts, 1) then
        raise exception 'ledger transaction % posts to an account that does not exist', entry_key;
    end if;
    return true;
end $$;
