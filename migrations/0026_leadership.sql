-- The server whose engine runs on this database, or ran on it last. A server that finds another one here has been replaced,
-- whatever it believes of its lock.

create table leadership (
    only_row boolean primary key default true constraint leadership_has_one_row check (only_row),
    server uuid not null
);
