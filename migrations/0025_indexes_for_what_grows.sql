-- What is read now and then and would else be found by reading tables that only grow.

create index sessions_by_expiry on sessions (expires_at);
create index disputes_evidence on disputes using gin (evidence_urls);
create index webhook_events_dead on webhook_events (received_at desc, id desc) where status = 'dead';
create index job_dues_of_mechanic on job_dues (mechanic_profile_id);
create index refunds_failed on refunds (payment_id, created_at) where status = 'failed';
