-- The server that works under a mark. One that is gone completes nothing any more, so its marks are free at once; a mark without
-- a server was claimed by a release from before this column, which is gone, too.

alter table idempotency_keys add column server uuid;
