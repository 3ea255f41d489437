//! SQL of the status: bounded counts in partial indexes.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, Result};

use crate::platform::db::Db;

/// The numbers of late notifications and mails.
#[derive(Debug, Clone, Copy, Default, FromRow)]
pub struct LateRow {
    /// Notifications that should have been pushed before the given time, up to 10,000.
    pub notifications: i64,
    /// Mails that should have been sent before the given time, up to 10,000.
    pub mails: i64,
}

pub async fn late(db: &Db, before: DateTime<Utc>) -> Result<LateRow> {
    sqlx::query_as(
        "select
            (select count(*) from (select from notifications where next_try_at < $1 limit 10000) late) as notifications,
            (select count(*) from (select from mails where next_try_at < $1 limit 10000) late) as mails",
    )
    .bind(before)
    .fetch_one(db)
    .await
}

/// The numbers of open grievances.
#[derive(Debug, Clone, Copy, Default, FromRow)]
pub struct GrievancesRow {
    /// Open grievances, up to 10,000.
    pub open: i64,
    /// Grievances that were due before the given time, up to 10,000.
    pub overdue: i64,
    pub next_due: Option<DateTime<Utc>>,
}

pub async fn grievances(db: &Db, now: DateTime<Utc>) -> Result<GrievancesRow> {
    sqlx::query_as(
        "select count(*) as open, count(*) filter (where due_at < $1) as overdue, min(due_at) as next_due
        from (select due_at from grievances where done_at is null order by due_at limit 10000) open",
    )
    .bind(now)
    .fetch_one(db)
    .await
}
