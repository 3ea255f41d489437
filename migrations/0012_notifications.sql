-- Notifications: what people were told, the devices that it is pushed to, and what they want to be pushed.

create table notifications (
    id uuid primary key,
    -- Without a foreign key: it would lock the person's row in transactions that hold a job's, while an account that is
    -- being deleted locks them the other way round. Accounts stay as rows, and take their notifications along.
    user_id uuid not null,
    type text not null,
    title text not null,
    body text not null,
    -- Ids by name, of what it is about.
    data jsonb not null constraint notifications_data_is_object check (jsonb_typeof(data) = 'object'),
    is_read boolean not null default false,
    -- Pushed before all others.
    is_urgent boolean not null,
    -- When it is of no use any more, as an offer's; such a one is not pushed afterwards, and counts as read.
    expires_at timestamptz,
    -- Whether the person's sockets were told.
    is_announced boolean not null default false,
    -- sent: a device's push service took it. skipped: there was no reason to push it, or no use. failed: dead.
    delivery_status text not null constraint notifications_status_known
        check (delivery_status in ('pending', 'sent', 'failed', 'skipped')),
    -- Why it was skipped or failed, or why the last try came to nothing.
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

-- One token is one app on one device, and belongs to whoever signed in there last.
create table push_tokens (
    id uuid primary key,
    user_id uuid not null references users (id),
    token text not null constraint push_tokens_once unique,
    platform text not null constraint push_tokens_platform_known check (platform in ('android', 'ios', 'web')),
    device_id text not null,
    created_at timestamptz not null,
    -- When the app last said that it has it.
    updated_at timestamptz not null
);
create unique index push_tokens_one_per_device on push_tokens (user_id, device_id);

-- What a person wants to be pushed; whoever has no row wants everything.
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
