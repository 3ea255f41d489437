-- Customers who wait for a mechanic and ask to be called. A request is open until an admin has dealt with it or a mechanic has
-- accepted the job: the job's `accepted_at` says so, and housekeeping writes it down once the job is over.
create table callback_requests (
    job_id uuid primary key references jobs (id),
    requested_at timestamptz not null,
    note text constraint callback_requests_note_length check (char_length(note) between 1 and 500),
    done_at timestamptz,
    -- Null where a mechanic was found.
    done_by uuid references users (id),
    outcome text constraint callback_requests_outcome_known
        check (outcome in ('reached', 'not_reached', 'resolved_without_call', 'mechanic_found')),
    -- For admins alone.
    done_note text constraint callback_requests_done_note_length check (char_length(done_note) between 1 and 500),
    constraint callback_requests_done_has_outcome check ((done_at is null) = (outcome is null)),
    constraint callback_requests_done_by_somebody
        check ((outcome is null or outcome = 'mechanic_found') = (done_by is null)),
    constraint callback_requests_note_of_done check (done_note is null or done_at is not null)
);
create index callback_requests_open on callback_requests (requested_at, job_id) where done_at is null;
create index callback_requests_newest on callback_requests (requested_at desc, job_id desc);

-- What the customer of a job was notified of last while a mechanic was sought, and how often in this attempt: a restart repeats
-- nothing. Housekeeping deletes it once the job is over.
create table search_news (
    job_id uuid primary key references jobs (id),
    attempt integer not null,
    kind text not null constraint search_news_kind_known
        check (kind in ('search_long', 'search_unserved', 'search_shorter')),
    notified integer not null constraint search_news_twice_at_most check (notified between 1 and 2),
    notified_at timestamptz not null
);
