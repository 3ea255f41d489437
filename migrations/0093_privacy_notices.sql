-- What an operator tells people about their data, version by version; the newest one holds. And who agreed to which, or withdrew.

-- What was shown to people, and what they did, stays as it was written.
create function stays_as_written() returns trigger language plpgsql as $$
begin
    raise exception '% is append-only', tg_table_name
        using errcode = 'check_violation', constraint = tg_table_name || '_append_only';
end $$;

create table privacy_notices (
    version bigint primary key constraint privacy_notices_version_range check (version > 0),
    text_en text not null constraint privacy_notices_text_en_length check (char_length(text_en) between 1 and 6000),
    text_hi text constraint privacy_notices_text_hi_length check (char_length(text_hi) between 1 and 6000),
    text_kn text constraint privacy_notices_text_kn_length check (char_length(text_kn) between 1 and 6000),
    -- Whether those who agreed to an earlier version have to agree anew.
    ask_again boolean not null,
    -- The oldest version that counts as agreement while this one holds.
    counts_from bigint not null,
    published_by uuid not null references users (id),
    published_at timestamptz not null,
    constraint privacy_notices_counts_from_range check (counts_from between 1 and version),
    constraint privacy_notices_asks_from_itself check (not ask_again or counts_from = version)
);
create trigger privacy_notices_append_only before update or delete or truncate on privacy_notices
    execute function stays_as_written();

-- Kept after the account has ended, whose row then names nobody.
create table consents (
    user_id uuid not null references users (id),
    -- In the order in which the person did it, from 1.
    number integer not null,
    kind text not null constraint consents_kind_known check (kind in ('given', 'withdrawn')),
    version bigint not null references privacy_notices (version),
    -- The language that the person read it in.
    language text not null constraint consents_language_known check (language in ('en', 'hi', 'kn')),
    at timestamptz not null,
    primary key (user_id, number)
);
create trigger consents_append_only before update or delete or truncate on consents
    execute function stays_as_written();

-- The version that counts now; null if none was agreed to, or it was withdrawn. Here, because every request reads this row anyway.
alter table users add column agreed_notice bigint references privacy_notices (version);
