-- Whose quota a file counts for.

alter table uploads
    -- An HMAC of its owner's phone under the service's secret: the same for an account that is deleted and made again with that
    -- phone, and nobody's phone to whoever reads the table. Null for an admin's files, which count by account.
    add column quota_key bytea;
create index uploads_of_quota on uploads (quota_key, created_at) where quota_key is not null;
