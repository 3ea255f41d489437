-- Files that clients hand in: what was announced, and what became of it. The bytes are in a store, never here.

create table uploads (
    id uuid primary key,
    user_id uuid not null references users (id),
    purpose text not null constraint uploads_purpose_known
        check (purpose in ('job_photo', 'document', 'avatar', 'chat', 'evidence')),
    content_type text not null constraint uploads_content_type_known
        check (content_type in ('image/jpeg', 'image/png', 'image/webp', 'image/heic', 'application/pdf')),
    size_bytes bigint not null constraint uploads_size_sign check (size_bytes > 0),
    -- Of the bytes, where the client told it.
    sha256 bytea constraint uploads_sha256_length check (octet_length(sha256) = 32),
    -- Which store has the bytes: it may have been another one when older files came.
    store text not null constraint uploads_store_known check (store in ('local', 's3')),
    -- What other areas refer to it by, as it was handed out: equal texts, whatever server.public_url is by now.
    file_url text not null constraint uploads_file_url_key unique,
    -- deleting: nobody is shown it any more, its bytes go first and then its row.
    status text not null constraint uploads_status_known check (status in ('pending', 'complete', 'deleting')),
    -- The last try to complete it, which is part of the object's name in S3, and how long that try may take.
    attempt uuid,
    attempt_until timestamptz,
    created_at timestamptz not null,
    completed_at timestamptz,
    -- When a body that referred to it was last accepted; at first when it was completed.
    referred_at timestamptz,
    constraint uploads_completed check (status <> 'complete' or (completed_at is not null and referred_at is not null))
);
create index uploads_of_user on uploads (user_id, created_at);
create index uploads_pending on uploads (created_at) where status = 'pending';
create index uploads_complete on uploads (referred_at) where status = 'complete';
create index uploads_deleting on uploads (id) where status = 'deleting';

-- Who refers to a file is asked when a link to it is wanted, and before it is deleted.
create index job_photos_file_url on job_photos (file_url);
create index line_items_photo_url on line_items (photo_url) where photo_url is not null;
create index mechanic_documents_file_url on mechanic_documents (file_url);
create index disputes_of_customer on disputes (customer_id);
