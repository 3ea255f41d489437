-- People change the number that they sign in with.

alter table users
    -- When they last did. Null if they never did.
    add column phone_changed_at timestamptz;

-- Each change: for the limit, for the message to the old number, and for support, which looks for somebody by the number that was
-- taken from them. Deleted with the account, and after half a year.
create table phone_changes (
    id uuid primary key,
    user_id uuid not null references users (id),
    old_phone text not null,
    at timestamptz not null,
    -- When the old number was sent a message. Null until then.
    told_at timestamptz
);
create index phone_changes_of_user on phone_changes (user_id, at desc);
create index phone_changes_by_last_digits on phone_changes (reverse(old_phone) text_pattern_ops);
create index phone_changes_untold on phone_changes (at) where told_at is null;
create index phone_changes_oldest on phone_changes (at);
