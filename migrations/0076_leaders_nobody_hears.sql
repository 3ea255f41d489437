-- A leader that was cut off from the other servers learns by Postgres that they don't hear it.

-- When a server that is connected to NATS last said that it hears no leader.
alter table leadership add column unheard_at timestamptz;
