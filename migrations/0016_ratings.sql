-- What the two sides of a job think of each other.

create table ratings (
    id uuid primary key,
    job_id uuid not null references jobs (id),
    -- Who rates: the other side is rated.
    rater text not null constraint ratings_rater_known check (rater in ('customer', 'mechanic')),
    customer_id uuid not null references users (id),
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    score integer not null constraint ratings_score_range check (score between 1 and 5),
    tags text[] not null constraint ratings_tags_few check (cardinality(tags) <= 5),
    comment text constraint ratings_comment_length check (char_length(comment) between 1 and 1000),
    created_at timestamptz not null,
    -- Taken out by an admin: it counts for nothing and nobody but its writer and admins sees it.
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

-- Sum and count are whole numbers, so that no order of ratings rounds differently; the average follows from them by itself.
alter table mechanic_profiles add column rating_sum bigint not null default 0;
alter table mechanic_profiles drop column avg_rating;
alter table mechanic_profiles add column avg_rating double precision not null generated always as (
    case when total_ratings > 0 then round(rating_sum::numeric / total_ratings, 2)::double precision else 0 end) stored;
alter table mechanic_profiles add constraint mechanic_profiles_rating_range
    check (total_ratings >= 0 and rating_sum between total_ratings and total_ratings::bigint * 5);

-- A mechanic's own figures ask who lost a job.
create index job_events_released on job_events ((data ->> 'mechanic_profile_id'), at) where kind = 'released';
