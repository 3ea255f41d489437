-- The one way to delete entries of the audit log, again. The names in its body are bound now, and the triggers that it fires look
-- names up in the system's schema: a caller could otherwise put a table or an operator of its own before the real one, and have it
-- run as the owner.
create or replace function audit_log_sweep(kept_from timestamptz, most bigint) returns bigint
    language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
    with swept as (
        delete from audit_log where id in (select id from audit_log where at < kept_from order by at limit most)
        returning id
    )
    select count(*) from swept;
end;
revoke execute on function audit_log_sweep(timestamptz, bigint) from public;

-- The owner calls this after every migration, since a new table grants nothing yet.
create or replace function grant_to_service(service name) returns void language plpgsql as $$
declare
    here text := current_schema();
    database text := current_database();
begin
    -- Two servers may start at once; two of these at once would fail.
    perform pg_advisory_xact_lock(hashtext('roadcall grant_to_service'));
    -- Nobody puts a table before another's: not a temporary one, nor one of their own (until Postgres 15 everybody could).
    if has_database_privilege('public', database, 'TEMPORARY') then
        execute format('revoke temporary on database %I from public', database);
    end if;
    if has_schema_privilege('public', here, 'CREATE') then
        execute format('revoke create on schema %I from public', here);
    end if;
    execute format('grant usage on schema %I to %I', here, service);
    execute format('grant select, insert, update, delete on all tables in schema %I to %I', here, service);
    execute format('grant usage on all sequences in schema %I to %I', here, service);
    execute format('grant execute on function %I.audit_log_sweep(timestamptz, bigint) to %I', here, service);
    -- What was written there stays.
    execute format(
        'revoke update, delete on %1$I.audit_log, %1$I.ledger_transactions, %1$I.ledger_postings from %2$I', here, service);
    execute format('revoke delete on %I.ledger_accounts from %I', here, service);
    -- Only the owner says which migrations are applied.
    execute format('revoke insert, update, delete on %I._sqlx_migrations from %I', here, service);
end $$;

-- Rows are found and locked by these ids.
create unique index parked_payments_id_key on parked_payments (id);
create unique index chargebacks_id_key on chargebacks (id);

-- Housekeeping deletes the old ones, of mechanics who have none looked up any more, too.
create index upi_look_ups_oldest on upi_look_ups (at);
