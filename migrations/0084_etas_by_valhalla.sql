-- A second router. The new rules allow what the old ones did, so the running release is not disturbed.
alter table offers
    drop constraint offers_eta_source_known,
    add constraint offers_eta_source_known check (eta_source ~ '^(straight_line|osrm|valhalla)(_learned)?$') not valid;
alter table trips
    drop constraint trips_eta_source_known,
    add constraint trips_eta_source_known check (eta_source ~ '^(straight_line|osrm|valhalla)(_learned)?$') not valid;
