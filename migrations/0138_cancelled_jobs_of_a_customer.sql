-- Before each new job, the calls in vain of its customer are counted: the jobs that they cancelled lately. Without this index, that
-- reads all of their jobs. Its columns change only when a job is cancelled, so no other transition touches it.
create index jobs_cancelled_of_customer on job_states (customer_id, cancelled_at) where cancelled_at is not null;
