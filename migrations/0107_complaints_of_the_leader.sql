-- Servers that the leader does not answer say so, each for itself: a leader that all of them complain of gives the lead away.

-- A row is of no interest after a second, and is deleted a minute later when another server complains.
create table lead_complaints (
    server uuid primary key,
    -- The newest term of a leader that the server has heard. Null if the fault may be its own.
    heard_term bigint,
    said_at timestamptz not null
);
