use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::{
    dto::TrackerApp,
    protocols::{TrackerFault, Unusable},
};
use crate::platform::db::RunQuery;

/// A row of `trackers`, without the token's hash.
#[derive(Debug, Clone, FromRow)]
pub struct TrackerRow {
    pub id: Uuid,
    pub name: String,
    pub app: TrackerApp,
    pub created_at: DateTime<Utc>,
    pub last_seen_at: Option<DateTime<Utc>>,
    pub problem: Option<TrackerFault>,
    pub problem_detail: Option<String>,
    pub problem_at: Option<DateTime<Utc>>,
}

pub async fn insert(
    tx: &mut PgConnection,
    mechanic_profile_id: Uuid,
    new: &TrackerRow,
    token_hash: &[u8],
) -> Result<()> {
    sqlx::query(
        "insert into trackers (id, mechanic_profile_id, name, app, token_hash, created_at)
        values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(new.id)
    .bind(mechanic_profile_id)
    .bind(&new.name)
    .bind(new.app)
    .bind(token_hash)
    .bind(new.created_at)
    .run(tx)
    .await
}

/// Lists the trackers that were connected since the person last signed out everywhere, in the order in which they were made.
pub async fn of_mechanic(db: impl PgExecutor<'_>, mechanic_profile_id: Uuid) -> Result<Vec<TrackerRow>> {
    sqlx::query_as(
        "select tracker.id, tracker.name, tracker.app, tracker.created_at, tracker.last_seen_at, tracker.problem,
            tracker.problem_detail, tracker.problem_at
        from trackers tracker
        join mechanic_profiles profile on profile.id = tracker.mechanic_profile_id
        join users on users.id = profile.user_id
        where tracker.mechanic_profile_id = $1
            and (users.signed_out_at is null or tracker.created_at > users.signed_out_at)
        order by tracker.created_at, tracker.id",
    )
    .bind(mechanic_profile_id)
    .fetch_all(db)
    .await
}

/// Deletes a tracker; returns false if the mechanic has no such tracker.
pub async fn delete(db: impl PgExecutor<'_>, mechanic_profile_id: Uuid, id: Uuid) -> Result<bool> {
    let deleted = sqlx::query("delete from trackers where id = $1 and mechanic_profile_id = $2")
        .bind(id)
        .bind(mechanic_profile_id)
        .execute(db)
        .await?;
    Ok(deleted.rows_affected() > 0)
}

/// Deletes the trackers that ended when the person signed out everywhere: nobody sees them any longer.
pub async fn delete_ended(tx: &mut PgConnection, mechanic_profile_id: Uuid) -> Result<()> {
    sqlx::query(
        "delete from trackers using mechanic_profiles profile, users
        where trackers.mechanic_profile_id = $1 and profile.id = $1 and users.id = profile.user_id
            and trackers.created_at <= users.signed_out_at",
    )
    .bind(mechanic_profile_id)
    .run(tx)
    .await
}

/// Deletes the trackers of a person who leaves.
pub async fn delete_of_person(tx: &mut PgConnection, user_id: Uuid) -> Result<()> {
    sqlx::query(
        "delete from trackers using mechanic_profiles profile
        where profile.id = trackers.mechanic_profile_id and profile.user_id = $1",
    )
    .bind(user_id)
    .run(tx)
    .await
}

/// A tracker that may send positions now.
#[derive(Debug, Clone, Copy, FromRow)]
pub struct LiveTracker {
    pub id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub user_id: Uuid,
    /// Whether a problem of its newest message is shown.
    pub has_problem: bool,
}

/// Returns the tracker with this token, unless its mechanic is suspended or has signed out everywhere since. Notes that it was
/// seen, once in half a minute.
pub async fn see(
    db: impl PgExecutor<'_>,
    token_hash: &[u8],
    now: DateTime<Utc>,
) -> Result<Option<LiveTracker>> {
    sqlx::query_as(
        "with found as (
            select tracker.id, tracker.mechanic_profile_id, profile.user_id, tracker.last_seen_at,
                tracker.problem is not null as has_problem
            from trackers tracker
            join mechanic_profiles profile on profile.id = tracker.mechanic_profile_id
            join users on users.id = profile.user_id
            where tracker.token_hash = $1 and users.status = 'active'
                and (users.signed_out_at is null or tracker.created_at > users.signed_out_at)),
        seen as (
            update trackers set last_seen_at = $2 from found
            where trackers.id = found.id
                and (found.last_seen_at is null or found.last_seen_at < $2::timestamptz - interval '30 seconds'))
        select id, mechanic_profile_id, user_id, has_problem from found",
    )
    .bind(token_hash)
    .bind(now)
    .fetch_optional(db)
    .await
}

/// Stores why a tracker's message can't be used; a repetition of the same problem only once in half a minute.
pub async fn keep_problem(
    db: impl PgExecutor<'_>,
    id: Uuid,
    unusable: &Unusable,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update trackers set problem = $2, problem_detail = $3, problem_at = $4
        where id = $1 and (problem is distinct from $2 or problem_detail is distinct from $3
            or problem_at < $4::timestamptz - interval '30 seconds')",
    )
    .bind(id)
    .bind(unusable.fault)
    .bind(&unusable.detail)
    .bind(now)
    .run(db)
    .await
}

pub async fn clear_problem(db: impl PgExecutor<'_>, id: Uuid) -> Result<()> {
    sqlx::query("update trackers set problem = null, problem_detail = null, problem_at = null where id = $1")
        .bind(id)
        .run(db)
        .await
}
