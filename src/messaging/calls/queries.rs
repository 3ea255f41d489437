use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::state::{CallReach, CallStage, CallStatus, EndReason};

use crate::{
    messaging::guests::Speaker,
    platform::db::{RunQuery, StoredRow},
};

/// A row of `calls`.
#[derive(Debug, Clone, FromRow)]
pub struct CallRow {
    pub id: Uuid,
    pub job_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub caller_id: Uuid,
    pub callee_id: Uuid,
    pub caller_session_id: Uuid,
    pub callee_session_id: Option<Uuid>,
    pub on_job: bool,
    pub status: CallStatus,
    pub end_reason: Option<EndReason>,
    pub deadline_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub answered_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    pub rings: CallReach,
    /// The links of the guests who called or answered for the customer.
    pub caller_link_id: Option<Uuid>,
    pub callee_link_id: Option<Uuid>,
}

impl StoredRow for CallRow {
    const TABLE: &'static str = "calls";
}

impl CallRow {
    /// Returns whether this guest's link called or answered.
    pub fn has_link(&self, link_id: Uuid) -> bool {
        [self.caller_link_id, self.callee_link_id].contains(&Some(link_id))
    }

    /// Returns whether somebody else on the customer's side has answered, so that this guest has no part in the call.
    pub fn is_elsewhere(&self, by: Speaker) -> bool {
        self.status == CallStatus::Accepted && by.link().is_some_and(|link| !self.has_link(link))
    }

    /// Returns whom the call rings, by the ids of their sockets. `links` are the job's links for guests.
    pub fn rung(&self, links: Vec<Uuid>) -> Vec<Uuid> {
        let account = self.rings.has_account().then_some(self.callee_id);
        let guests = links.into_iter().filter(|_| self.rings.has_guests());
        account.into_iter().chain(guests).collect()
    }

    pub fn stage(&self) -> CallStage {
        match (self.status, self.deadline_at, self.callee_session_id, self.answered_at) {
            (CallStatus::Ringing, Some(until), _, _) => CallStage::Ringing { until },
            (CallStatus::Accepted, Some(until), Some(callee_session_id), Some(answered_at)) => {
                CallStage::Accepted { callee_session_id, answered_at, until }
            }
            // The schema allows no other live rows.
            (status, ..) => CallStage::Over { status },
        }
    }
}

pub async fn insert(tx: &mut PgConnection, call: &CallRow) -> Result<()> {
    sqlx::query(
        "insert into calls (id, job_id, mechanic_profile_id, caller_id, callee_id, caller_session_id, on_job, status,
            deadline_at, created_at, rings, caller_link_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(call.id)
    .bind(call.job_id)
    .bind(call.mechanic_profile_id)
    .bind(call.caller_id)
    .bind(call.callee_id)
    .bind(call.caller_session_id)
    .bind(call.on_job)
    .bind(call.status)
    .bind(call.deadline_at)
    .bind(call.created_at)
    .bind(call.rings)
    .bind(call.caller_link_id)
    .run(tx)
    .await
}

/// Stores the columns that change.
pub async fn save(tx: &mut PgConnection, call: &CallRow) -> Result<()> {
    sqlx::query(
        "update calls set status = $2, end_reason = $3, deadline_at = $4, callee_session_id = $5, answered_at = $6,
            ended_at = $7, callee_link_id = $8
        where id = $1",
    )
    .bind(call.id)
    .bind(call.status)
    .bind(call.end_reason)
    .bind(call.deadline_at)
    .bind(call.callee_session_id)
    .bind(call.answered_at)
    .bind(call.ended_at)
    .bind(call.callee_link_id)
    .run(tx)
    .await
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<CallRow>> {
    sqlx::query("select * from calls where id = $1").bind(id).optional(db).await
}

pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<CallRow>> {
    sqlx::query("select * from calls where id = $1 for update").bind(id).optional(tx).await
}

/// Returns the job's call that rings or was answered.
pub async fn live(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Option<CallRow>> {
    sqlx::query("select * from calls where job_id = $1 and status in ('ringing', 'accepted')")
        .bind(job_id)
        .optional(db)
        .await
}

/// Locks and returns the job's call that rings or was answered.
pub async fn lock_live(tx: &mut PgConnection, job_id: Uuid) -> Result<Option<CallRow>> {
    sqlx::query("select * from calls where job_id = $1 and status in ('ringing', 'accepted') for update")
        .bind(job_id)
        .optional(tx)
        .await
}

/// The condition on the calls of a job: $1 is the job, and $2 the mechanic, if only their calls are meant.
macro_rules! of_job {
    () => {
        "job_id = $1 and ((select $2::uuid) is null or mechanic_profile_id = (select $2::uuid))"
    };
}

/// Lists the job's calls, newest first, with one mechanic or with all who were on the job; at most `limit`.
pub async fn of_job(
    db: impl PgExecutor<'_>,
    job_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
    offset: i64,
) -> Result<Vec<CallRow>> {
    sqlx::query(concat!(
        "select * from calls where ",
        of_job!(),
        " order by created_at desc, id desc limit $3 offset $4",
    ))
    .bind(job_id)
    .bind(mechanic_profile_id)
    .bind(limit)
    .bind(offset)
    .all(db)
    .await
}

pub async fn count_of_job(
    db: impl PgExecutor<'_>,
    job_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from calls where ", of_job!()))
        .bind(job_id)
        .bind(mechanic_profile_id)
        .fetch_one(db)
        .await
}

/// Returns a person's newest calls, as caller or callee, at most `limit`.
pub async fn of_person(db: impl PgExecutor<'_>, user_id: Uuid, limit: i64) -> Result<Vec<CallRow>> {
    sqlx::query(
        "select * from (
            (select * from calls where caller_id = $1 order by created_at desc, id desc limit $2)
            union all
            (select * from calls where callee_id = $1 order by created_at desc, id desc limit $2)) own
        order by created_at desc, id desc limit $2",
    )
    .bind(user_id)
    .bind(limit)
    .all(db)
    .await
}

/// Returns the user who has this mechanic's profile.
pub async fn user_of_profile(db: impl PgExecutor<'_>, profile_id: Uuid) -> Result<Option<Uuid>> {
    sqlx::query_scalar("select user_id from mechanic_profiles where id = $1")
        .bind(profile_id)
        .fetch_optional(db)
        .await
}

/// Lists live calls whose time is up or whose job has moved on, longest overdue first; at most `limit`.
pub async fn due(db: impl PgExecutor<'_>, now: DateTime<Utc>, limit: i64) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select call.id from calls call join job_states job on job.id = call.job_id
        where call.status in ('ringing', 'accepted') and (
            call.deadline_at <= $1
            or job.mechanic_profile_id is distinct from call.mechanic_profile_id
            or (call.on_job and not job.is_active))
        order by call.deadline_at limit $2",
    )
    .bind(now)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Deletes calls that ended before `before`; returns how many.
pub async fn sweep(db: impl PgExecutor<'_>, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    let swept = sqlx::query(
        "delete from calls where id in
            (select id from calls where ended_at < $1 order by ended_at limit $2)",
    );
    swept.bind(before).bind(limit).changed(db).await
}
