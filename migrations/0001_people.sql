-- People, and how they sign in.

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
    -- The identity provider's subject: set at an admin's first sign-in (contract 4.1, rule 3).
    idp_uid text constraint users_idp_uid_key unique,
    -- Null until that first sign-in: only then may a verified email still claim the account.
    idp_linked_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

-- The first sign-in finds an admin by email, so an admin's email must belong to one person. Collation "C" folds ASCII letters
-- only: by the rules of some languages, other letters become a k or an i, too.
create unique index users_admin_email_key on users (lower(email collate "C")) where role in ('admin', 'super_admin');
create index users_newest on users (created_at desc, id desc);

-- One sign-in on one device. Its refresh tokens form one family: reuse of one revokes them all.
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
create index sessions_by_expiry on sessions (expires_at);

create table refresh_tokens (
    id uuid primary key,
    session_id uuid not null references sessions (id),
    -- SHA-256 of the token: a stolen dump signs nobody in.
    token_hash bytea not null constraint refresh_tokens_hash_key unique,
    -- The token that this one replaced. It distinguishes the direct predecessor from older tokens.
    predecessor_id uuid references refresh_tokens (id) on delete set null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    -- Set when the token was exchanged, or when a token issued beside it took its place.
    used_at timestamptz
);
create index refresh_tokens_of_session on refresh_tokens (session_id, created_at desc);
-- However often a client repeats a request whose answer was lost, a session has one live token.
create unique index refresh_tokens_one_live_per_session on refresh_tokens (session_id) where used_at is null;
create index refresh_tokens_by_predecessor on refresh_tokens (predecessor_id) where predecessor_id is not null;
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);

-- The live code of a phone, one at a time, kept as an HMAC. The sign-in that uses the code deletes it.
create table otp_codes (
    phone text primary key,
    code_hmac bytea not null,
    sent_at timestamptz not null,
    expires_at timestamptz not null
);

-- What the limits on sign-in count. A resend changes nothing here; a sweep deletes old rows.
create table otp_attempts (
    id bigint generated always as identity primary key,
    -- Null for what the limits count by address alone.
    phone text,
    -- The client's address, IPv6 cut to its /64.
    address text not null,
    kind text not null constraint otp_attempts_kind_known check (kind in ('send', 'wrong', 'request')),
    at timestamptz not null
);
create index otp_attempts_by_phone on otp_attempts (phone, kind, at) where phone is not null;
create index otp_attempts_by_address on otp_attempts (address, at) where kind = 'request';
create index otp_attempts_oldest on otp_attempts (at);

-- A ticket opens one socket, so that no token appears in a URL.
create table ws_tickets (
    -- SHA-256 of the ticket.
    ticket_hash bytea primary key,
    user_id uuid not null references users (id),
    session_id uuid not null references sessions (id),
    expires_at timestamptz not null,
    used_at timestamptz
);
