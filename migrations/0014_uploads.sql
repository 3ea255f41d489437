-- Files that clients upload. The bytes are in a store, never in the database.

create table uploads (
    id uuid primary key,
    user_id uuid not null references users (id),
    purpose text not null constraint uploads_purpose_known
        check (purpose in ('job_photo', 'document', 'avatar', 'chat', 'evidence')),
    content_type text not null constraint uploads_content_type_known
        check (content_type in ('image/jpeg', 'image/png', 'image/webp', 'image/heic', 'application/pdf')),
    size_bytes bigint not null constraint uploads_size_sign check (size_bytes > 0),
    -- Of the bytes, where the client sent it.
    sha256 bytea constraint uploads_sha256_length check (octet_length(sha256) = 32),
    -- Which store has the bytes: an operator may have changed it since older files came.
    store text not null constraint uploads_store_known check (store in ('local', 's3')),
    -- The URL as the client first got it. Other areas refer to the file by this text, even after server.public_url changes.
    file_url text not null constraint uploads_file_url_key unique,
    -- deleting: nobody sees the file any more; the service deletes the bytes first, then the row.
    status text not null constraint uploads_status_known check (status in ('pending', 'complete', 'deleting')),
    -- The last try to complete the upload (part of the object's name in S3), and until when that try may take.
    attempt uuid,
    attempt_until timestamptz,
    created_at timestamptz not null,
    completed_at timestamptz,
    -- When the service last accepted a request that refers to the file; at first, when it was completed.
    referred_at timestamptz,
    constraint uploads_completed check (status <> 'complete' or (completed_at is not null and referred_at is not null))
);
create index uploads_of_user on uploads (user_id, created_at);
create index uploads_pending on uploads (created_at) where status = 'pending';
create index uploads_complete on uploads (referred_at) where status = 'complete';
create index uploads_deleting on uploads (id) where status = 'deleting';
