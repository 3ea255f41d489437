-- When servers started with each of the service's secrets as the one in use, by what the secret is called; the secrets themselves are
-- not here. `roadcall keys check` compares this with the settings: what was made with an earlier secret, and when.
create table token_keys (
    id bytea primary key constraint token_keys_id_size check (octet_length(id) = 4),
    first_started_at timestamptz not null,
    last_started_at timestamptz not null,
    constraint token_keys_order check (first_started_at <= last_started_at)
);
