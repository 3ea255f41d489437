-- A rating counts in its mechanic's average from when it is revealed on, so that the average gives nobody's away.

-- When it was counted; a rating that is hidden afterwards is taken out again, and one that was hidden before never counts.
alter table ratings add column counted_at timestamptz;
create index ratings_to_count on ratings (created_at)
    where rater = 'customer' and counted_at is null and hidden_at is null;

-- Of what was counted so far stays what both sides have rated. What the end of the time to rate has revealed is counted by the
-- service, which knows how long that is.
update ratings rating set counted_at = own.created_at
from ratings own
where rating.rater = 'customer' and rating.hidden_at is null and own.job_id = rating.job_id and own.rater = 'mechanic';
update mechanic_profiles profile set
    rating_sum = coalesce((select sum(score) from ratings
        where mechanic_profile_id = profile.id and counted_at is not null), 0),
    total_ratings = (select count(*) from ratings
        where mechanic_profile_id = profile.id and counted_at is not null)
where total_ratings <> 0;

-- A device is pushed to while the session lasts in which it was registered. Which one that was nobody knows of those registered so
-- far: they are forgotten, and apps register at each start.
delete from push_tokens;
alter table push_tokens add column session_id uuid not null references sessions (id) on delete cascade;
create index push_tokens_of_session on push_tokens (session_id);
