-- What the service's own role may do, where that is not the role that owns the schema (docs/OPERATIONS.md). The owner calls this after
-- every migration, since a new table grants nothing yet.
create function grant_to_service(service name) returns void language plpgsql as $$
declare
    here text := current_schema();
begin
    execute format('grant usage on schema %I to %I', here, service);
    execute format('grant select, insert, update, delete on all tables in schema %I to %I', here, service);
    execute format('grant usage on all sequences in schema %I to %I', here, service);
    -- What stands there stays.
    execute format('revoke update, delete on audit_log, ledger_transactions, ledger_postings from %I', service);
    execute format('revoke delete on ledger_accounts from %I', service);
    -- Which migrations are applied is the owner's to say.
    execute format('revoke insert, update, delete on _sqlx_migrations from %I', service);
end $$;
revoke execute on function grant_to_service(name) from public;
