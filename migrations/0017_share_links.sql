-- Links by which whoever has one may follow a job, without an account.

create table share_links (
    id uuid primary key,
    job_id uuid not null references jobs (id),
    -- SHA-256 of the token: a stolen dump follows nobody.
    token_hash bytea not null constraint share_links_token_key unique,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    revoked_at timestamptz,
    constraint share_links_expire_later check (expires_at > created_at)
);
create index share_links_of_job on share_links (job_id, created_at desc, id desc);
create index share_links_by_expiry on share_links (expires_at);
