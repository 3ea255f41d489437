-- New notifications are found by the transaction that wrote them, so that announcing them writes nothing.
-- Null in rows of earlier releases. is_announced and its index stay for a release that still runs; nothing else uses them.
alter table notifications add column written_by bigint;
create index notifications_by_transaction on notifications (written_by);
