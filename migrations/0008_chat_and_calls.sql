-- How the customer and the mechanic of a job reach each other.

create table chat_messages (
    id uuid primary key,
    job_id uuid not null references jobs (id),
    -- The message's place in the job's log. Null until it has one; nobody sees it before that.
    seq bigint,
    sender text not null constraint chat_messages_sender_known check (sender in ('customer', 'mechanic')),
    sender_id uuid not null references users (id),
    -- The two sides when it was sent: a later mechanic of the job does not see it. Without foreign keys: these would lock the
    -- other side's account in a transaction that holds the job, while deleting an account takes the same locks in the
    -- opposite order.
    customer_id uuid not null,
    mechanic_profile_id uuid not null,
    -- The id that the sender's app gave it: a repeat makes no second message.
    client_message_id uuid not null,
    type text not null constraint chat_messages_type_known check (type in ('text', 'image', 'location')),
    body text constraint chat_messages_body_length check (char_length(body) between 1 and 2000),
    file_url text,
    lat double precision constraint chat_messages_lat_range check (lat between -90 and 90),
    lng double precision constraint chat_messages_lng_range check (lng between -180 and 180),
    created_at timestamptz not null,
    -- When the deletion of the sender's account removed the content. The row stays, because the log has no gaps.
    removed_at timestamptz,
    constraint chat_messages_seq_key unique (job_id, seq),
    constraint chat_messages_once unique (sender_id, client_message_id),
    constraint chat_messages_content check (case
        when removed_at is not null then num_nonnulls(body, file_url, lat, lng) = 0
        when type = 'text' then body is not null and num_nonnulls(file_url, lat, lng) = 0
        when type = 'image' then file_url is not null and num_nonnulls(lat, lng) = 0
        else file_url is null and num_nonnulls(lat, lng) = 2 end)
);
create index chat_messages_of_customer on chat_messages (customer_id, created_at desc, id desc);
create index chat_messages_of_mechanic on chat_messages (mechanic_profile_id, created_at desc, id desc);
create index chat_messages_unsent on chat_messages (created_at) where seq is null;
create index chat_messages_file_url on chat_messages (file_url) where file_url is not null;

-- How far each person has read a job's chat.
create table chat_reads (
    job_id uuid not null references jobs (id),
    user_id uuid not null references users (id),
    up_to_seq bigint not null constraint chat_reads_seq_sign check (up_to_seq > 0),
    read_at timestamptz not null,
    primary key (job_id, user_id)
);
create index chat_reads_of_user on chat_reads (user_id);

-- Who called whom, and how the call went. The service records no speech.
create table calls (
    id uuid primary key,
    job_id uuid not null references jobs (id),
    -- The job's mechanic when the call began: the call ends when the job gets another one.
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    -- Users, without foreign keys for the reason given at chat_messages.
    caller_id uuid not null,
    callee_id uuid not null,
    -- The sessions of the two devices; the callee's is known once one of their devices has answered.
    caller_session_id uuid not null,
    callee_session_id uuid,
    -- Whether the job was under way when the call began: such a call ends with the job.
    on_job boolean not null,
    status text not null constraint calls_status_known
        check (status in ('ringing', 'accepted', 'rejected', 'missed', 'cancelled', 'ended')),
    end_reason text constraint calls_end_reason_known check (end_reason in (
        'caller_hung_up', 'callee_hung_up', 'declined', 'no_answer', 'job_over', 'reassigned', 'max_length')),
    -- When the service ends the call: nobody answered, or it has lasted as long as a call may.
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
-- When both sides call at once, one request wins and the service refuses the other.
create unique index calls_one_live_a_job on calls (job_id) where status in ('ringing', 'accepted');
create index calls_of_job on calls (job_id, created_at desc, id desc);
create index calls_by_caller on calls (caller_id, created_at desc, id desc);
create index calls_by_callee on calls (callee_id, created_at desc, id desc);
create index calls_by_end on calls (ended_at) where ended_at is not null;
