use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::dto::{HiddenReason, Rater, RatingTag};

use crate::{
    http::{Between, ListWindow, WholeNumber, list_filter},
    platform::db::{RunQuery, StoredRow},
};

/// A row of `ratings`, without the people.
#[derive(Debug, Clone, FromRow)]
pub struct RatingRow {
    pub id: Uuid,
    pub job_id: Uuid,
    pub rater: Rater,
    pub score: i32,
    pub tags: Vec<RatingTag>,
    pub comment: Option<String>,
    pub created_at: DateTime<Utc>,
    pub hidden_at: Option<DateTime<Utc>>,
}

impl StoredRow for RatingRow {
    const TABLE: &str = "ratings";
}

/// The public part of a rating, with the writer's name.
#[derive(Debug, FromRow)]
pub struct PublicRow {
    pub id: Uuid,
    pub score: i32,
    pub tags: Vec<RatingTag>,
    pub comment: Option<String>,
    pub name: Option<String>,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for PublicRow {
    const TABLE: &str = "ratings";
}

/// A rating in full.
#[derive(Debug, Clone, FromRow)]
pub struct AdminRatingRow {
    #[sqlx(flatten)]
    pub rating: RatingRow,
    pub customer_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub hidden_by: Option<Uuid>,
    pub hidden_reason: Option<HiddenReason>,
    /// The time from which it counts in the mechanic's average. A hidden rating keeps the time, although it no longer counts.
    pub counted_at: Option<DateTime<Utc>>,
}

impl StoredRow for AdminRatingRow {
    const TABLE: &str = "ratings";
}

/// The two people of a rating.
#[derive(Debug, Clone, Copy)]
pub struct Parties {
    pub customer_id: Uuid,
    pub mechanic_profile_id: Uuid,
}

pub async fn insert(tx: &mut PgConnection, new: &RatingRow, parties: Parties) -> Result<()> {
    sqlx::query(
        "insert into ratings (id, job_id, rater, customer_id, mechanic_profile_id, score, tags, comment, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(new.id)
    .bind(new.job_id)
    .bind(new.rater)
    .bind(parties.customer_id)
    .bind(parties.mechanic_profile_id)
    .bind(new.score)
    .bind(&new.tags)
    .bind(&new.comment)
    .bind(new.created_at)
    .run(tx)
    .await
}

/// A rating that has just begun to count in its mechanic's average.
#[derive(Debug, Clone, Copy, FromRow)]
pub struct CountedRow {
    pub mechanic_profile_id: Uuid,
    pub score: i32,
}

/// Marks the customer's rating of a job as counted; `None` if it already is, or is hidden, or does not exist.
pub async fn count_of_job(
    tx: &mut PgConnection,
    job_id: Uuid,
    at: DateTime<Utc>,
) -> Result<Option<CountedRow>> {
    sqlx::query_as(
        "update ratings set counted_at = $2
        where job_id = $1 and rater = 'customer' and counted_at is null and hidden_at is null
        returning mechanic_profile_id, score",
    )
    .bind(job_id)
    .bind(at)
    .fetch_optional(tx)
    .await
}

/// Marks revealed ratings, as defined in [`of_mechanic`], as counted: the oldest first, at most `limit`. A rating that another
/// transaction has locked waits for the next run.
pub async fn count_revealed(
    tx: &mut PgConnection,
    closed_before: DateTime<Utc>,
    at: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<CountedRow>> {
    sqlx::query_as(
        "update ratings set counted_at = $2 where id in (
            select rating.id from ratings rating join job_states job on job.id = rating.job_id
            where rating.rater = 'customer' and rating.counted_at is null and rating.hidden_at is null
                and (exists (select from ratings own where own.job_id = rating.job_id and own.rater = 'mechanic')
                    or (job.status <> 'disputed' and greatest(job.completed_at, job.resolved_at) < $1))
            order by rating.created_at limit $3
            for update of rating skip locked)
        returning mechanic_profile_id, score",
    )
    .bind(closed_before)
    .bind(at)
    .bind(limit)
    .fetch_all(tx)
    .await
}

/// Returns the job's ratings; the schema allows at most two.
pub async fn of_job(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Vec<RatingRow>> {
    sqlx::query("select * from ratings where job_id = $1 order by rater").bind(job_id).all(db).await
}

/// The condition on the ratings that everybody may read: $1 is the mechanic. A job that was completed, or whose dispute was
/// resolved, before $2 can no longer be rated.
macro_rules! public {
    () => {
        "rating.mechanic_profile_id = $1 and rating.rater = 'customer' and rating.hidden_at is null
            and (exists (select from ratings own where own.job_id = rating.job_id and own.rater = 'mechanic')
                or (job.status <> 'disputed' and greatest(job.completed_at, job.resolved_at) < $2))"
    };
}

/// Lists customers' ratings of a mechanic, newest first, without hidden ones and those that the mechanic may not read yet. A job
/// that was completed, or whose dispute was resolved, before `closed_before` can no longer be rated.
pub async fn of_mechanic(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
    closed_before: DateTime<Utc>,
    limit: i64,
    offset: i64,
) -> Result<Vec<PublicRow>> {
    sqlx::query(concat!(
        "select rating.id, rating.score, rating.tags, rating.comment, person.name, rating.created_at
        from ratings rating join job_states job on job.id = rating.job_id join users person on person.id = rating.customer_id
        where ",
        public!(),
        " order by rating.created_at desc, rating.id desc limit $3 offset $4",
    ))
    .bind(mechanic_profile_id)
    .bind(closed_before)
    .bind(limit)
    .bind(offset)
    .all(db)
    .await
}

/// Counts the ratings of [`of_mechanic`] on all pages.
pub async fn count_of_mechanic(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
    closed_before: DateTime<Utc>,
) -> Result<i64> {
    sqlx::query_scalar(concat!(
        "select count(*) from ratings rating join job_states job on job.id = rating.job_id where ",
        public!()
    ))
    .bind(mechanic_profile_id)
    .bind(closed_before)
    .fetch_one(db)
    .await
}

/// Lists ratings by a person, from either side, newest first.
pub async fn given(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
) -> Result<Vec<RatingRow>> {
    sqlx::query(
        "select * from (
            (select * from ratings
            where rater = 'customer' and customer_id = $1
            order by created_at desc, id desc
            limit $3)
            union all
            (select * from ratings
            where rater = 'mechanic' and mechanic_profile_id = $2
            order by created_at desc, id desc
            limit $3)) own
        order by created_at desc, id desc
        limit $3",
    )
    .bind(user_id)
    .bind(mechanic_profile_id)
    .bind(limit)
    .all(db)
    .await
}

/// Lists ratings of a person, from either side, newest first. As in [`of_mechanic`], hidden ones and those that the person may
/// not read yet are left out.
pub async fn received(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    closed_before: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<RatingRow>> {
    sqlx::query(
        "select rating.*
        from (
            (select * from ratings where rater = 'mechanic' and customer_id = $1)
            union all
            (select * from ratings where rater = 'customer' and mechanic_profile_id = $2)) rating
        join job_states job on job.id = rating.job_id
        where rating.hidden_at is null
            and (exists (select from ratings own where own.job_id = rating.job_id and own.rater <> rating.rater)
                or (job.status <> 'disputed' and greatest(job.completed_at, job.resolved_at) < $3))
        order by rating.created_at desc, rating.id desc
        limit $4",
    )
    .bind(user_id)
    .bind(mechanic_profile_id)
    .bind(closed_before)
    .bind(limit)
    .all(db)
    .await
}

list_filter! {
    /// The filter of the admins' list of ratings.
    RatingFilter {
        mechanic_profile_id: Option<Uuid> = "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01",
        customer_id: Option<Uuid> = "019b7876-a4c0-7a10-8d21-5c0e4f9a1b01",
        job_id: Option<Uuid> = "019ceb77-7340-7b20-9e32-6d1f5aab2c01",
        /// Both sides' if not given.
        rater: Option<Rater> = "customer",
        /// So many stars at most.
        max_score: Option<WholeNumber<1, 5>> = 2,
        /// Both if not given.
        is_hidden: Option<bool> = false,
        /// Made in this time.
        made: Between,
    }
}

/// The condition of [`RatingFilter`]: $1 is the mechanic, $2 the customer, $3 the job, $4 the rater, $5 the highest score, $6
/// says whether it is hidden, $7 and $8 are the period.
macro_rules! listed {
    () => {
        "($1::uuid is null or mechanic_profile_id = $1) and ($2::uuid is null or customer_id = $2)
            and ($3::uuid is null or job_id = $3) and ($4::text is null or rater = $4)
            and ($5::bigint is null or score <= $5) and ($6::boolean is null or (hidden_at is not null) = $6)
            and ($7::timestamptz is null or created_at >= $7) and ($8::timestamptz is null or created_at < $8)"
    };
}

/// Lists the ratings that fit the filter, newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &RatingFilter,
    window: ListWindow,
) -> Result<Vec<AdminRatingRow>> {
    sqlx::query(concat!(
        "select * from ratings where ",
        listed!(),
        " and ($9::timestamptz is null or (created_at, id) < ($9, $10))
        order by created_at desc, id desc
        limit $11 offset $12",
    ))
    .bind(filter.mechanic_profile_id)
    .bind(filter.customer_id)
    .bind(filter.job_id)
    .bind(filter.rater)
    .bind(filter.max_score.map(|score| score.0))
    .bind(filter.is_hidden)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    .persistent(false)
    .all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &RatingFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from ratings where ", listed!()))
        .bind(filter.mechanic_profile_id)
        .bind(filter.customer_id)
        .bind(filter.job_id)
        .bind(filter.rater)
        .bind(filter.max_score.map(|score| score.0))
        .bind(filter.is_hidden)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

/// Hides a rating that is not hidden yet; `None` if it already is.
pub async fn hide(
    tx: &mut PgConnection,
    id: Uuid,
    by: Uuid,
    reason: HiddenReason,
    at: DateTime<Utc>,
) -> Result<Option<AdminRatingRow>> {
    sqlx::query(
        "update ratings set hidden_at = $4, hidden_by = $2, hidden_reason = $3
        where id = $1 and hidden_at is null
        returning *",
    )
    .bind(id)
    .bind(by)
    .bind(reason)
    .bind(at)
    .optional(tx)
    .await
}

pub async fn exists(db: impl PgExecutor<'_>, id: Uuid) -> Result<bool> {
    sqlx::query_scalar("select exists (select from ratings where id = $1)").bind(id).fetch_one(db).await
}
