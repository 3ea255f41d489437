-- Text messages for customers whom no app tells how their job goes on.

-- What became of a notification as a text message, from the moment before it was handed over: a row is what keeps a notification from
-- being sent twice, whatever crashes in between.
create table notification_texts (
    notification_id uuid primary key references notifications (id) on delete cascade,
    user_id uuid not null,
    job_id uuid not null,
    status text not null constraint notification_texts_status_known check (status in (
        -- It is being handed over, or the service stopped while it was.
        'sending',
        'sent',
        -- It was not taken, and is tried again.
        'put_off',
        'failed',
        -- Nobody knows whether it was taken.
        'unknown',
        -- It was not needed, not wanted, or one too many.
        'skipped')),
    note text,
    attempts integer not null,
    tried_at timestamptz not null
);
create index notification_texts_of_job on notification_texts (job_id);
create index notification_texts_of_user on notification_texts (user_id, tried_at);

alter table notification_preferences add column texts boolean not null default true;
