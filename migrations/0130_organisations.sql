-- Organisations that order help for others: insurers, clubs, carmakers, lessors and fleets; their members and their keys.
create table organisations (
    id uuid primary key,
    -- The account in whose name the organisation's jobs and vehicles are. It has no number and no email, so nobody signs in to it.
    account_id uuid not null constraint organisations_account_key unique references users (id),
    name text not null,
    kind text not null constraint organisations_kind_known
        check (kind in ('insurer', 'club', 'manufacturer', 'lessor', 'fleet', 'agency', 'other')),
    -- The office that a dispatcher calls about a case.
    phone text,
    email text,
    -- A suspended organisation's keys and members are refused; its open jobs go on.
    status text not null default 'active' constraint organisations_status_known check (status in ('active', 'suspended')),
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create unique index organisations_name_key on organisations (lower(name collate "C"));
create index organisations_newest on organisations (created_at desc, id desc);
create index organisations_words on organisations using gin (search_words(name, email));

-- People who follow an organisation's cases. They sign in with their number, as everybody does.
create table organisation_members (
    id uuid primary key,
    organisation_id uuid not null references organisations (id),
    user_id uuid not null references users (id),
    -- A manager also makes keys and subscriptions.
    role text not null constraint organisation_members_role_known check (role in ('manager', 'dispatcher', 'viewer')),
    created_at timestamptz not null,
    removed_at timestamptz
);
create unique index organisation_members_once on organisation_members (user_id) where removed_at is null;
create index organisation_members_of on organisation_members (organisation_id, created_at) where removed_at is null;

-- Keys of programs. The secret part is kept as a hash: it has 256 bits, so no slow hash is needed.
create table partner_keys (
    id uuid primary key,
    -- The part of the key that finds it: 12 letters and digits.
    handle text not null constraint partner_keys_handle_key unique,
    organisation_id uuid not null references organisations (id),
    -- Other organisations for which an agency's key may act.
    acts_for uuid[] not null default '{}',
    name text not null,
    secret_sha256 bytea not null,
    scopes text[] not null,
    requests_per_minute integer not null constraint partner_keys_requests_range check (requests_per_minute between 1 and 100000),
    -- The admin or member who made it; null for a key that a program made.
    created_by uuid references users (id),
    -- The key that made it. A key that is revoked takes along those that it made; its successor takes them over.
    created_by_key uuid references partner_keys (id),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    -- Written at most once a minute.
    last_used_at timestamptz,
    revoked_at timestamptz,
    -- The key that replaces this one, which ends after the overlap.
    replaced_by uuid references partner_keys (id)
);
create index partner_keys_of on partner_keys (organisation_id, created_at desc, id desc);
create index partner_keys_made on partner_keys (created_by_key) where created_by_key is not null;

-- The credential of an action, unless that is a sign-in alone: a partner's key or a membership, with the organisation, or a link.
alter table audit_log add column via jsonb;
