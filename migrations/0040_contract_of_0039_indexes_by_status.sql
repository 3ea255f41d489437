-- The same rules under the same names. An older program that still leads meanwhile reads more slowly without the former indexes.
drop index jobs_one_active_per_mechanic, jobs_one_open_per_vehicle, jobs_to_recover;
create unique index jobs_one_active_per_mechanic on jobs (mechanic_profile_id) where is_active;
create unique index jobs_one_open_per_vehicle on jobs (vehicle_id) where is_open;
create index jobs_to_recover on jobs (id) where is_unfinished;
