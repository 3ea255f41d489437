-- Each statement inside a function is planned once for each connection, no longer at each call: docs/adr/0144.
--
-- `(select …)` around an array hides how many elements it has. Without it a plan for these few looks cheaper than a plan for any
-- number, and Postgres makes one at each call.

create or replace function ledger_lock(seed bigint, mechanics uuid[]) returns void language plpgsql as $$
declare
    wallet bigint;
begin
    for wallet in
        select distinct uuid_hash_extended(mechanic, seed) from unnest((select mechanics)) as mechanic
        where mechanic is not null order by 1
    loop
        perform pg_advisory_xact_lock(wallet);
    end loop;
end $$;

create or replace function ledger_book(
    lock_key bigint, entry_id uuid, entry_kind text, entry_key text, entry_job uuid, entry_note text, entry_at timestamptz,
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
    from unnest((select account_ids), kinds, mechanics) as posting (account_id, kind, mechanic)
    where posting.mechanic is not null and not exists (
        select from ledger_accounts account
        where account.kind = posting.kind and account.mechanic_profile_id = posting.mechanic)
    on conflict on constraint ledger_accounts_once do nothing;
    with posting as (
        select * from unnest((select kinds), mechanics, amounts) as posting (kind, mechanic, amount)
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

-- These are in PL/pgSQL, which keeps plans. Until version 18, Postgres plans a function in SQL that it can't fold into its caller once for each
-- statement that calls it: whenever a job, or a person, was written to its index of words.
create or replace function search_words(variadic texts text[]) returns tsvector language plpgsql immutable parallel safe as $$
begin
    return array_to_tsvector(array(
        select left(word, 50)
        from unnest((select texts)) as given, regexp_split_to_table(lower(given), '[\s!-/:-@[-`{-~]+') as word
        where word <> ''));
end $$;

create or replace function search_query(searched text) returns tsquery language plpgsql immutable parallel safe as $$
begin
    return (
        select string_agg('''' || left(word, 50) || ''':*', ' & ')
        from regexp_split_to_table(lower(searched), '[\s!-/:-@[-`{-~]+') as word
        where word <> '')::tsquery;
end $$;
