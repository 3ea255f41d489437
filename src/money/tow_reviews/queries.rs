use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::dto::TowReviewStatus;
use crate::{
    http::{Between, ListWindow, list_filter},
    platform::db::{StoredRow, read},
};

/// A row of `tow_reviews`, with the agreed and the driven distance.
#[derive(Debug, Clone, FromRow)]
pub struct TowReviewRow {
    pub job_id: Uuid,
    pub customer_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub reason: String,
    pub distance_m: Option<i32>,
    pub amount_paise: i64,
    pub status: TowReviewStatus,
    pub held_until: DateTime<Utc>,
    pub note: Option<String>,
    pub decided_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub quoted_m: Option<i32>,
    pub driven_m: Option<i32>,
}

impl StoredRow for TowReviewRow {
    const TABLE: &'static str = "tow_reviews";
    const KEY: &'static str = "job_id";
}

/// A new review.
#[derive(Debug)]
pub struct NewReview<'a> {
    pub job_id: Uuid,
    pub customer_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub reason: &'a str,
    pub distance_m: Option<i32>,
    pub amount_paise: i64,
    pub held_until: DateTime<Utc>,
}

pub async fn insert(tx: &mut PgConnection, new: &NewReview<'_>, at: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "insert into tow_reviews (job_id, customer_id, mechanic_profile_id, reason, distance_m, amount_paise, status,
            held_until, created_at)
        values ($1, $2, $3, $4, $5, $6, 'open', $7, $8)",
    )
    .bind(new.job_id)
    .bind(new.customer_id)
    .bind(new.mechanic_profile_id)
    .bind(new.reason)
    .bind(new.distance_m)
    .bind(new.amount_paise)
    .bind(new.held_until)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

pub async fn find(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Option<TowReviewRow>> {
    sqlx::query(
        "select r.*, j.destination_distance_m as quoted_m, j.destination_driven_m as driven_m
        from tow_reviews r join job_facts j on j.id = r.job_id
        where r.job_id = $1",
    )
    .bind(job_id)
    .try_map(read::<TowReviewRow>)
    .fetch_optional(db)
    .await
}

/// Decides the review. Returns false if it was decided before. The caller holds the job's lock.
pub async fn decide(
    tx: &mut PgConnection,
    job_id: Uuid,
    status: TowReviewStatus,
    note: &str,
    by: Uuid,
    at: DateTime<Utc>,
) -> Result<bool> {
    let decided = sqlx::query(
        "update tow_reviews set status = $2, note = $3, decided_by = $4, decided_at = $5
        where job_id = $1 and status = 'open'",
    );
    let decided = decided.bind(job_id).bind(status).bind(note).bind(by).bind(at);
    Ok(decided.execute(tx).await?.rows_affected() > 0)
}

list_filter! {
    /// The filter of the admins' list of reviews.
    TowReviewFilter {
        /// All if not given.
        status: Option<TowReviewStatus> = "open",
        /// Handed over in this time.
        made: Between,
    }
}

/// The condition of [`TowReviewFilter`]: $1 is the status, $2 and $3 are the period.
macro_rules! listed {
    () => {
        "($1::text is null or r.status = $1)
            and ($2::timestamptz is null or r.created_at >= $2) and ($3::timestamptz is null or r.created_at < $3)"
    };
}

/// Returns a part of the list, newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &TowReviewFilter,
    window: ListWindow,
) -> Result<Vec<TowReviewRow>> {
    sqlx::query(concat!(
        "select r.*, j.destination_distance_m as quoted_m, j.destination_driven_m as driven_m
        from tow_reviews r join job_facts j on j.id = r.job_id
        where ",
        listed!(),
        " and ($4::timestamptz is null or (r.created_at, r.job_id) < ($4, $5))
        order by r.created_at desc, r.job_id desc
        limit $6 offset $7",
    ))
    .bind(filter.status)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    .persistent(false)
    .try_map(read::<TowReviewRow>)
    .fetch_all(db)
    .await
}

/// Returns the reviews of tows with this person on either side, newest first.
pub async fn of_person(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
) -> Result<Vec<TowReviewRow>> {
    sqlx::query(
        "select r.*, j.destination_distance_m as quoted_m, j.destination_driven_m as driven_m
        from (
            (select * from tow_reviews where customer_id = $1 order by created_at desc, job_id desc limit $3)
            union all
            (select * from tow_reviews
            where mechanic_profile_id = $2 and customer_id <> $1
            order by created_at desc, job_id desc
            limit $3)) r
        join job_facts j on j.id = r.job_id
        order by r.created_at desc, r.job_id desc
        limit $3",
    )
    .bind(user_id)
    .bind(mechanic_profile_id)
    .bind(limit)
    .try_map(read::<TowReviewRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &TowReviewFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from tow_reviews r where ", listed!()))
        .bind(filter.status)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .persistent(false)
        .fetch_one(db)
        .await
}
