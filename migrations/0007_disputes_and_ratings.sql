-- What customers and mechanics say about a job afterwards.

-- Somebody contests the work or its price: once per job.
create table disputes (
    id uuid primary key,
    job_id uuid not null constraint disputes_one_per_job unique references jobs (id),
    customer_id uuid not null references users (id),
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    opened_by text not null constraint disputes_opened_by_known check (opened_by in ('customer', 'mechanic')),
    reason_code text not null constraint disputes_reason_known check (reason_code in (
        'work_not_done', 'poor_work', 'overcharged', 'wrong_items', 'damage', 'behaviour', 'not_paid', 'other')),
    description text not null,
    evidence_urls text[] not null,
    status text not null constraint disputes_status_known check (status in ('open', 'resolved')),
    -- The job's price when the dispute began.
    final_price_paise bigint not null,
    outcome text constraint disputes_outcome_known check (outcome in ('customer', 'mechanic', 'split')),
    -- Of a split: what the customer gets back, or need not pay.
    amount_paise bigint constraint disputes_amount_range
        check (amount_paise > 0 and amount_paise < final_price_paise),
    note text,
    resolved_by uuid references users (id),
    created_at timestamptz not null,
    resolved_at timestamptz,
    constraint disputes_resolution check ((status = 'resolved') = (outcome is not null and note is not null
        and resolved_by is not null and resolved_at is not null)),
    constraint disputes_split check ((outcome is not distinct from 'split') = (amount_paise is not null))
);
create index disputes_newest on disputes (created_at desc, id desc);
create index disputes_of_customer on disputes (customer_id);
create index disputes_of_mechanic on disputes (mechanic_profile_id, created_at desc, id desc);
create index disputes_evidence on disputes using gin (evidence_urls);

create table ratings (
    id uuid primary key,
    job_id uuid not null references jobs (id),
    -- Who rates; the rating is of the other side.
    rater text not null constraint ratings_rater_known check (rater in ('customer', 'mechanic')),
    customer_id uuid not null references users (id),
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    score integer not null constraint ratings_score_range check (score between 1 and 5),
    tags text[] not null constraint ratings_tags_few check (cardinality(tags) <= 5),
    comment text constraint ratings_comment_length check (char_length(comment) between 1 and 1000),
    created_at timestamptz not null,
    -- When the mechanic's average took it in. It does so once the mechanic may see the rating, so that a change of the average
    -- gives nobody's rating away. A rating hidden later leaves the average; one hidden earlier never enters it.
    counted_at timestamptz,
    -- When an admin hid the rating: it no longer counts, and only its author and admins see it.
    hidden_at timestamptz,
    hidden_by uuid references users (id),
    hidden_reason text constraint ratings_hidden_reason_known check (hidden_reason in (
        'abusive', 'personal_data', 'off_topic', 'fraud', 'other')),
    constraint ratings_once_a_side unique (job_id, rater),
    constraint ratings_hidden_whole check (
        (hidden_at is null) = (hidden_by is null) and (hidden_at is null) = (hidden_reason is null))
);
create index ratings_of_mechanic on ratings (mechanic_profile_id, created_at desc, id desc);
create index ratings_of_customer on ratings (customer_id, created_at desc, id desc);
create index ratings_newest on ratings (created_at desc, id desc);
create index ratings_to_count on ratings (created_at)
    where rater = 'customer' and counted_at is null and hidden_at is null;
