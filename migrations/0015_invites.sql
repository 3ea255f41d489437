-- Invitations of admins.

create table admin_invites (
    id uuid primary key,
    -- Lower case, as an admin's email is compared.
    email text not null,
    role text not null constraint admin_invites_role_known check (role in ('admin', 'super_admin')),
    -- SHA-256 of the token, which was shown once: a stolen dump makes nobody an admin.
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
-- A second invitation of an email takes the place of the first. One that expired unheeded counts as open here: the next
-- one revokes it.
create unique index admin_invites_one_open_per_email on admin_invites (email)
    where accepted_at is null and revoked_at is null;
create index admin_invites_newest on admin_invites (created_at desc, id desc);
