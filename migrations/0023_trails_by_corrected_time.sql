-- When a mechanic was at a point of its trail, corrected for its phone's clock. The phone's own time, recorded_at, tells points from
-- each other (location_points_once) and serves for nothing else.

alter table location_points add column corrected_at timestamptz;
-- What it was corrected by was not kept.
update location_points set corrected_at = recorded_at;
alter table location_points alter column corrected_at set not null;
drop index location_points_by_time;
create index location_points_by_time on location_points (corrected_at);
