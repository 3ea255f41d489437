-- What the two sides of a job write to each other.

create table chat_messages (
    id uuid primary key,
    job_id uuid not null references jobs (id),
    -- Where it stands in the job's log; null until it does, and nobody sees it before that.
    seq bigint,
    sender text not null constraint chat_messages_sender_known check (sender in ('customer', 'mechanic')),
    sender_id uuid not null references users (id),
    -- The two sides when it was sent: a later mechanic of the job does not see it. Without foreign keys, which would lock
    -- the other side's account in a transaction that holds the job, while an account that is being deleted locks them the
    -- other way round.
    customer_id uuid not null,
    mechanic_profile_id uuid not null,
    -- The sender's own name for it: a repeat is no other message.
    client_message_id uuid not null,
    type text not null constraint chat_messages_type_known check (type in ('text', 'image', 'location')),
    body text constraint chat_messages_body_length check (char_length(body) between 1 and 2000),
    file_url text,
    lat double precision constraint chat_messages_lat_range check (lat between -90 and 90),
    lng double precision constraint chat_messages_lng_range check (lng between -180 and 180),
    created_at timestamptz not null,
    -- Its sender left, and took along what it said. The row stays, because every number of the log is a frame.
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

-- Up to where somebody has read a job's chat.
create table chat_reads (
    job_id uuid not null references jobs (id),
    user_id uuid not null references users (id),
    up_to_seq bigint not null constraint chat_reads_seq_sign check (up_to_seq > 0),
    read_at timestamptz not null,
    primary key (job_id, user_id)
);
create index chat_reads_of_user on chat_reads (user_id);
