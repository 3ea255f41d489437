-- Payments of different jobs are booked by one statement (docs/adr/0148).

-- Books several entries: one element of each array for each posting, which names its entry. All wallets are locked before anything is
-- written, in the order that every transaction keeps, and an account that several entries post to is updated once. An entry whose key
-- was booked before violates the key's constraint, so that nothing of the statement stays. Returns the number of postings.
create function ledger_book_all(
    lock_key bigint, entry_ids uuid[], entry_kinds text[], entry_keys text[], entry_jobs uuid[], entry_times timestamptz[],
    account_ids uuid[], kinds text[], mechanics uuid[], amounts bigint[]
) returns bigint language plpgsql as $$
declare
    posted bigint;
begin
    perform ledger_lock(lock_key, mechanics);
    insert into ledger_transactions (id, kind, key, job_id, at)
    select distinct on (entry.id) entry.id, entry.kind, entry.key, entry.job_id, entry.at
    from unnest((select entry_ids), entry_kinds, entry_keys, entry_jobs, entry_times) as entry (id, kind, key, job_id, at);
    insert into ledger_accounts (id, kind, mechanic_profile_id, balance_paise)
    select distinct on (posting.kind, posting.mechanic) posting.account_id, posting.kind, posting.mechanic, 0
    from unnest((select account_ids), kinds, mechanics) as posting (account_id, kind, mechanic)
    where posting.mechanic is not null and not exists (
        select from ledger_accounts account
        where account.kind = posting.kind and account.mechanic_profile_id = posting.mechanic)
    on conflict on constraint ledger_accounts_once do nothing;
    with posting as (
        select * from unnest((select entry_ids), kinds, mechanics, amounts) as posting (entry_id, kind, mechanic, amount)
    ),
    change as (
        select kind, mechanic, sum(amount)::bigint as amount from posting where mechanic is not null group by kind, mechanic
    ),
    of_mechanics as (
        update ledger_accounts held set balance_paise = held.balance_paise + change.amount
        from change
        where held.kind = change.kind and held.mechanic_profile_id = change.mechanic
        returning held.id, held.kind, held.mechanic_profile_id
    )
    insert into ledger_postings (transaction_id, account_id, amount_paise)
    select posting.entry_id, held.id, posting.amount
    from posting join of_mechanics held on held.kind = posting.kind and held.mechanic_profile_id = posting.mechanic
    union all
    select posting.entry_id, account.id, posting.amount
    from posting join ledger_accounts account on account.kind = posting.kind and account.mechanic_profile_id is null
    where posting.mechanic is null;
    get diagnostics posted = row_count;
    if posted <> cardinality(amounts) then
        raise exception 'ledger transactions % post to an account that does not exist', entry_keys;
    end if;
    return posted;
end $$;
