-- The audit trail keeps who acted and can't be rewritten; admins' passwords are guessed slowly, and have a second factor.

-- Who the actor was at that time: accounts are renamed, and end.
alter table audit_log
    add column actor_name text,
    add column actor_email text;

-- Entries are kept for a year at least, whoever asks; admin.audit_retention_days may keep them longer.
create function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' then
        if old.at < now() - interval '365 days' then
            return old;
        end if;
    end if;
    raise exception 'the audit log is append-only'
        using errcode = 'check_violation', constraint = 'audit_log_append_only';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
    for each row execute function audit_log_is_append_only();
create trigger audit_log_not_truncated before truncate on audit_log
    for each statement execute function audit_log_is_append_only();

-- The one way to delete entries. It runs as the schema's owner, so that the service's own role needs no right to delete.
create function audit_log_sweep(kept_from timestamptz, most bigint) returns bigint
    language sql security definer set search_path from current as $$
    with swept as (
        delete from audit_log where id in (select id from audit_log where at < kept_from order by at limit most)
        returning id
    )
    select count(*) from swept
$$;

-- Tries at passwords of the embedded identity provider since the last right one, for emails with and without an account
-- alike: how long a try has to wait says nothing about who has one.
create table idp_password_tries (
    -- SHA-256 of the email in lower case.
    email_hash bytea primary key,
    tries integer not null,
    last_at timestamptz not null
);
create index idp_password_tries_oldest on idp_password_tries (last_at);

-- Second factors (TOTP, RFC 6238). One that is not confirmed yet is not asked for.
alter table idp_accounts
    -- Encrypted with a key that is not in the database.
    add column totp_secret bytea,
    add column totp_confirmed_at timestamptz,
    -- The newest time step of which a code was used: none is used twice.
    add column totp_step bigint;
