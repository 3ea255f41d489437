-- The quota of a day counts what was announced: `size_bytes` shrinks when a picture's metadata goes.

alter table uploads
    -- Null for uploads of a release before this column; those count by size_bytes.
    add column announced_bytes bigint;
