-- Notifications, the devices that receive them as pushes, and which ones people want pushed.

create table notifications (
    id uuid primary key,
    -- Without a foreign key: it would lock the person's row in a transaction that holds a job's, while deleting an account
    -- takes the same locks in the opposite order. An account's row stays when it is deleted; its notifications go.
    user_id uuid not null,
    type text not null,
    title text not null,
    body text not null,
    -- The ids of what it is about, by name.
    data jsonb not null constraint notifications_data_is_object check (jsonb_typeof(data) = 'object'),
    is_read boolean not null default false,
    -- Pushed before all others.
    is_urgent boolean not null,
    -- When it stops being useful, as an offer's does: from then on the service does not push it, and it counts as read.
    expires_at timestamptz,
    -- Whether the person's sockets have received it.
    is_announced boolean not null default false,
    -- sent: a device's push service took it. skipped: there was no reason to push it, or no use. failed: the service gave up.
    delivery_status text not null constraint notifications_status_known
        check (delivery_status in ('pending', 'sent', 'failed', 'skipped')),
    -- Why it was skipped or failed, or why the last try did not succeed.
    delivery_note text,
    attempts integer not null default 0,
    next_try_at timestamptz,
    created_at timestamptz not null,
    settled_at timestamptz,
    constraint notifications_due_while_pending check ((delivery_status = 'pending') = (next_try_at is not null)),
    constraint notifications_settled check ((delivery_status = 'pending') = (settled_at is null))
);
create index notifications_of_user on notifications (user_id, created_at desc, id desc);
create index notifications_unread on notifications (user_id) where not is_read;
create index notifications_to_expire on notifications (expires_at) where not is_read and expires_at is not null;
create index notifications_to_announce on notifications (created_at) where not is_announced;
create index notifications_due on notifications (is_urgent desc, next_try_at) where next_try_at is not null;
create index notifications_failed on notifications (created_at desc, id desc) where delivery_status = 'failed';
create index notifications_by_age on notifications (created_at);

-- A token stands for one app on one device, and belongs to whoever signed in there last.
create table push_tokens (
    id uuid primary key,
    user_id uuid not null references users (id),
    token text not null constraint push_tokens_once unique,
    platform text not null constraint push_tokens_platform_known check (platform in ('android', 'ios', 'web')),
    device_id text not null,
    -- The session that registered the token: the service pushes to the device while that session lasts.
    session_id uuid not null references sessions (id) on delete cascade,
    created_at timestamptz not null,
    -- When the app last registered it.
    updated_at timestamptz not null
);
create unique index push_tokens_one_per_device on push_tokens (user_id, device_id);
create index push_tokens_of_session on push_tokens (session_id);

-- What a person wants pushed; without a row, everything.
create table notification_preferences (
    user_id uuid primary key references users (id),
    offers boolean not null,
    jobs boolean not null,
    payments boolean not null,
    wallet boolean not null,
    account boolean not null,
    messages boolean not null,
    updated_at timestamptz not null
);
