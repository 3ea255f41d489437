-- Prices of mechanics' time may be on and off by the hour, to measure what they are worth. Versions from before have them on all the
-- time, and so has what an older program writes.
alter table dispatch_settings add column price_switchback boolean not null default false;
