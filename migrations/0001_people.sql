-- People, their sessions, and how they prove who they are.

create table users (
    id uuid primary key,
    -- E.164. Null for admins, who sign in by email, and for anonymised accounts.
    phone text constraint users_phone_key unique,
    name text,
    email text,
    -- Whether an identity provider, or an operator on the command line, vouches for the email.
    email_verified boolean not null default false,
    role text not null default 'customer'
        constraint users_role_known check (role in ('customer', 'admin', 'super_admin')),
    avatar_url text,
    language text not null default 'en',
    status text not null default 'active'
        constraint users_status_known check (status in ('active', 'suspended', 'deleted')),
    suspension_reason text,
    -- The identity provider's subject: set at the first admin login (contract 4.1, rule 3).
    idp_uid text constraint users_idp_uid_key unique,
    -- Null until that first login: only then may a verified email still claim the account.
    idp_linked_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

-- An admin is found by email at the first login, so an admin's email must be one person's alone.
create unique index users_admin_email_key on users (lower(email)) where role in ('admin', 'super_admin');
create index users_newest on users (created_at desc, id desc);

-- One sign-in on one device. Its refresh tokens are one family: reuse revokes them together.
create table sessions (
    id uuid primary key,
    user_id uuid not null references users (id),
    user_agent text,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    expires_at timestamptz not null,
    revoked_at timestamptz,
    revoked_reason text
);
create index sessions_of_user on sessions (user_id, last_used_at desc) where revoked_at is null;

create table refresh_tokens (
    id uuid primary key,
    session_id uuid not null references sessions (id),
    -- SHA-256 of the token: a stolen dump signs nobody in.
    token_hash bytea not null constraint refresh_tokens_hash_key unique,
    -- The token that this one replaced, so that a direct predecessor can be told from an older one.
    predecessor_id uuid references refresh_tokens (id) on delete set null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    -- Set when it was exchanged, or when a token issued beside it took its place.
    used_at timestamptz
);
create index refresh_tokens_of_session on refresh_tokens (session_id, created_at desc);
-- However often a lost answer is repeated, one token of a session is live.
create unique index refresh_tokens_one_live_per_session on refresh_tokens (session_id) where used_at is null;
create index refresh_tokens_by_predecessor on refresh_tokens (predecessor_id) where predecessor_id is not null;
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);

-- The live code of a phone, one at a time, kept as an HMAC; deleted when it is used.
create table otp_codes (
    phone text primary key,
    code_hmac bytea not null,
    sent_at timestamptz not null,
    expires_at timestamptz not null
);

-- What the limits count; a resend does not touch it. Old rows are swept.
create table otp_attempts (
    id bigint generated always as identity primary key,
    -- Null for what is counted by address alone.
    phone text,
    -- The client's address, IPv6 cut to its /64.
    address text not null,
    kind text not null constraint otp_attempts_kind_known check (kind in ('send', 'wrong', 'request')),
    at timestamptz not null
);
create index otp_attempts_by_phone on otp_attempts (phone, kind, at) where phone is not null;
create index otp_attempts_by_address on otp_attempts (address, at) where kind = 'request';
create index otp_attempts_oldest on otp_attempts (at);

-- Accounts of the embedded identity provider. Separate from users: an external provider replaces this table.
create table idp_accounts (
    uid text primary key,
    email text not null constraint idp_accounts_email_key unique,
    email_verified boolean not null,
    -- Argon2id, PHC string.
    password_hash text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

-- Generated secrets when the database is not ours to keep a folder beside.
create table generated_secrets (
    name text primary key,
    value bytea not null,
    created_at timestamptz not null
);

-- Who did what as an admin, with what stood before and after.
create table audit_log (
    id uuid primary key,
    actor_id uuid references users (id),
    action text not null,
    subject_kind text not null,
    subject_id uuid,
    before jsonb,
    after jsonb,
    at timestamptz not null
);
create index audit_log_newest on audit_log (at desc, id desc);

-- One-use tickets that open a socket, so that no token stands in a URL.
create table ws_tickets (
    -- SHA-256 of the ticket.
    ticket_hash bytea primary key,
    user_id uuid not null references users (id),
    session_id uuid not null references sessions (id),
    expires_at timestamptz not null,
    used_at timestamptz
);
