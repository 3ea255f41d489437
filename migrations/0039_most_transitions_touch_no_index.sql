-- A transition that changes nothing indexed stays within its page (a "heap-only" update) and writes to none of the indexes of jobs.
-- Partial indexes that named the status made every transition write to all of them, the index of words included. These columns
-- change only when a mechanic gets the job and when it ends; 0040 makes the indexes by them.
--
-- This writes the table once more, with its indexes, under a lock.
alter table jobs set (fillfactor = 70);
alter table jobs
    -- The job's customer waits for a mechanic, or has one.
    add column is_open boolean generated always as (job_is_open(status)) stored,
    -- A mechanic is on the job.
    add column is_active boolean generated always as (job_is_active(status)) stored,
    -- Something may still happen to the job by itself.
    add column is_unfinished boolean generated always as (job_is_unfinished(status)) stored;
