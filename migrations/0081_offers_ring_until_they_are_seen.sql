-- The push of an offer is repeated until its mechanic has seen it.

alter table offers add column shown_at timestamptz;

alter table notifications
    -- When its push is made once more, after it was sent.
    add column repeat_at timestamptz,
    add column repeats integer not null default 0;
create index notifications_to_repeat on notifications (repeat_at) where repeat_at is not null;
