-- What the service keeps about itself and about repeated requests.

-- Secrets that the service generated, where the database is not its own: every server on the database uses the same ones.
create table generated_secrets (
    name text primary key,
    value bytea not null,
    created_at timestamptz not null
);

-- The server whose engine runs on this database, or was the last to run. A server that finds another one here has been
-- replaced, even if it still believes that it has the lock.
create table leadership (
    only_row boolean primary key default true constraint leadership_has_one_row check (only_row),
    server uuid not null
);

-- Requests under an Idempotency-Key.
create table idempotency_keys (
    id uuid primary key,
    user_id uuid not null references users (id),
    method text not null,
    route text not null,
    key text not null,
    body_sha256 bytea not null,
    -- While there is no answer yet: until then another request with the key has to wait.
    leased_until timestamptz not null,
    -- The server that works on the request. Once another server leads, a repeated request need not wait.
    server uuid,
    -- What the request made: a job, or something else. The transaction that makes it writes this.
    job_id uuid references jobs (id),
    effect_id uuid,
    -- A refusal, which the service repeats.
    status integer,
    body jsonb,
    created_at timestamptz not null,
    constraint idempotency_keys_scope unique (user_id, method, route, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
