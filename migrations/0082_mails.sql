-- Mail that is to go out, addresses that people confirm, and places that dispatchers ask for.

-- What to tell whom. The text is written when the mail is handed over, from what holds then: a row holds no link and no code.
create table mails (
    id uuid primary key,
    kind text not null constraint mails_kind_known check (kind in ('invitation', 'email_code', 'receipt', 'report')),
    -- The invitation, the person, the payment, or the number of the day.
    about_id uuid not null,
    -- Whose it is; null for somebody without an account.
    user_id uuid,
    address text not null constraint mails_address_short check (length(address) <= 254),
    status text not null constraint mails_status_known check (status in (
        'pending',
        'sent',
        -- The tries are used up, or the server refused it for good.
        'failed',
        -- There was nothing to say any more.
        'skipped')),
    attempts integer not null default 0,
    -- When it is tried next; null once it is settled.
    next_try_at timestamptz,
    note text,
    created_at timestamptz not null,
    settled_at timestamptz,
    constraint mails_tried_while_pending check ((status = 'pending') = (next_try_at is not null))
);
create index mails_by_next_try on mails (next_try_at) where next_try_at is not null;
create index mails_of_user on mails (user_id, created_at);
create index mails_of_address on mails (address, created_at);
create index mails_by_age on mails (created_at);
-- Whatever happens twice, one mail tells it.
create unique index mails_one_for_each_event on mails (kind, about_id, address) where kind <> 'email_code';

-- The code that confirms an address, while it is good. The code is made of the nonce and the server's key.
create table email_codes (
    user_id uuid primary key references users (id) on delete cascade,
    email text not null,
    nonce bytea not null,
    wrong_tries integer not null default 0,
    sent_at timestamptz not null,
    expires_at timestamptz not null
);

alter table notification_preferences add column mails boolean not null default true;
