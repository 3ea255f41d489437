-- A person's own lists are read by these indexes, newest first, however many rows others have.
create index disputes_of_customer_by_age on disputes (customer_id, created_at desc, id desc);
create index no_shows_of_customer_by_age on no_shows (customer_id, created_at desc, job_id desc);
create index no_shows_of_mechanic_by_age on no_shows (mechanic_profile_id, created_at desc, job_id desc);
create index settlements_of_mechanic_by_age on settlements (mechanic_profile_id, created_at);
