-- Several servers may serve people while the engine runs on one of them.

-- Counts the take-overs, so that what a former leader sends is recognised.
alter table leadership add column term bigint not null default 0;

-- The last take-overs: who, and from when to when it loaded what was committed.
create table take_overs (
    term bigint primary key,
    server uuid not null,
    release text not null,
    led_at timestamptz not null,
    ready_at timestamptz
);
