-- What people ask or complain about their data, and what they were answered. The row outlives its texts, which go with the account.
create table grievances (
    id uuid primary key,
    user_id uuid not null references users (id),
    kind text not null constraint grievances_kind_known
        check (kind in ('access', 'correction', 'erasure', 'consent', 'other')),
    -- In the person's words; null once their account is deleted.
    text text constraint grievances_text_length check (char_length(text) between 1 and 2000),
    created_at timestamptz not null,
    -- As it was promised then, whatever privacy.grievance_days says later.
    due_at timestamptz not null,
    -- When it was answered, or its account was deleted before that.
    done_at timestamptz,
    answer text constraint grievances_answer_length check (char_length(answer) between 1 and 4000),
    -- The admin; null for one that nobody answered.
    answered_by uuid references users (id),
    constraint grievances_due_later check (due_at > created_at),
    constraint grievances_text_while_open check (done_at is not null or text is not null),
    constraint grievances_answered_is_done check (done_at is not null or (answered_by is null and answer is null)),
    constraint grievances_answered_by_somebody check (answer is null or answered_by is not null)
);
create index grievances_open on grievances (due_at, id) where done_at is null;
create index grievances_done on grievances (done_at desc, id desc) where done_at is not null;
create index grievances_of_person on grievances (user_id, created_at desc, id desc);
