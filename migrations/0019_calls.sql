-- Calls between the two sides of a job. What is said is nowhere: this is who called whom, and how it went.

create table calls (
    id uuid primary key,
    job_id uuid not null references jobs (id),
    -- Who was on the job: with another mechanic the call ends.
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    -- Users, without a foreign key: see notifications.
    caller_id uuid not null,
    callee_id uuid not null,
    -- The sign-ins of the two devices that talk; the callee's is known once one has answered.
    caller_session_id uuid not null,
    callee_session_id uuid,
    -- Whether the job was under way when it began: such a call ends with the job.
    on_job boolean not null,
    status text not null constraint calls_status_known
        check (status in ('ringing', 'accepted', 'rejected', 'missed', 'cancelled', 'ended')),
    end_reason text constraint calls_end_reason_known check (end_reason in (
        'caller_hung_up', 'callee_hung_up', 'declined', 'no_answer', 'job_over', 'reassigned', 'max_length')),
    -- When it ends by itself: rung out, or as long as one may be.
    deadline_at timestamptz,
    created_at timestamptz not null,
    answered_at timestamptz,
    ended_at timestamptz,
    constraint calls_two_people check (caller_id <> callee_id),
    constraint calls_live_has_deadline check ((status in ('ringing', 'accepted')) = (deadline_at is not null)),
    constraint calls_over_has_end check (
        (status in ('ringing', 'accepted')) = (ended_at is null) and (ended_at is null) = (end_reason is null)),
    constraint calls_answered_by_a_device check (
        (status in ('accepted', 'ended')) = (answered_at is not null)
        and (answered_at is null) = (callee_session_id is null))
);
-- Whoever calls while the other one does is told of that call.
create unique index calls_one_live_a_job on calls (job_id) where status in ('ringing', 'accepted');
create index calls_of_job on calls (job_id, created_at desc, id desc);
create index calls_by_caller on calls (caller_id, created_at desc, id desc);
create index calls_by_callee on calls (callee_id, created_at desc, id desc);
create index calls_by_end on calls (ended_at) where ended_at is not null;
