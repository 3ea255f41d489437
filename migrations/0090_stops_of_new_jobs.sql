-- When no new jobs are taken, version by version; the newest one holds. A version without a message ended the one before.
create table job_stops (
    version bigint primary key constraint job_stops_version_range check (version > 0),
    -- What customers read.
    message text constraint job_stops_message_length check (char_length(message) between 1 and 300),
    -- When it ends by itself; null if an admin has to end it.
    ends_at timestamptz,
    set_by uuid not null references users (id),
    set_at timestamptz not null,
    constraint job_stops_end_of_a_stop check (ends_at is null or message is not null)
);
