-- A cookie that is presented again by another attempt than the one that exchanged it has been copied: the session ends. The digest
-- (SHA-256) of the attempt; null for tokens that are not in a cookie, and for those exchanged before.
alter table refresh_tokens
    add column spent_by bytea
        constraint refresh_tokens_spent_by_is_a_digest check (octet_length(spent_by) = 32);
