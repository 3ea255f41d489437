-- Admins: their invitations, their accounts at the embedded identity provider, and what they did.

create table admin_invites (
    id uuid primary key,
    -- Lower case, as users_admin_email_key compares an admin's email.
    email text not null,
    role text not null constraint admin_invites_role_known check (role in ('admin', 'super_admin')),
    -- SHA-256 of the token, which the service showed once: a stolen dump makes nobody an admin.
    token_hash bytea not null constraint admin_invites_token_key unique,
    invited_by uuid not null references users (id),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    accepted_at timestamptz,
    accepted_by uuid references users (id),
    revoked_at timestamptz,
    constraint admin_invites_accepted_by_somebody check ((accepted_at is null) = (accepted_by is null)),
    constraint admin_invites_end_once check (accepted_at is null or revoked_at is null)
);
-- A second invitation to an email replaces the first. An expired one counts as open here: the next invitation revokes it.
create unique index admin_invites_one_open_per_email on admin_invites (email)
    where accepted_at is null and revoked_at is null;
create index admin_invites_newest on admin_invites (created_at desc, id desc);

-- Accounts of the embedded identity provider. Separate from users: an external provider replaces this table.
create table idp_accounts (
    uid text primary key,
    email text not null constraint idp_accounts_email_key unique,
    email_verified boolean not null,
    -- Argon2id, PHC string.
    password_hash text not null,
    -- The invitation that created the account, until somebody accepts it: until then the account can do nothing but accept, and
    -- it is deleted with the invitation. Null afterwards, and for accounts made on the command line.
    invite_id uuid references admin_invites (id),
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index idp_accounts_of_invite on idp_accounts (invite_id) where invite_id is not null;

-- What each admin did, with the state before and after.
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
create index audit_log_of_actor on audit_log (actor_id, at desc, id desc);
create index audit_log_of_action on audit_log (action, at desc, id desc);
create index audit_log_of_subject on audit_log (subject_id, at desc, id desc);
