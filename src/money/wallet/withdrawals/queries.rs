//! The queries of withdrawals.

use std::fmt;

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::state::WithdrawalStatus;
use crate::{
    http::{Between, ListWindow, PageParams, list_filter},
    platform::db::{StoredRow, read},
};

/// A row of `withdrawals`.
#[derive(Clone, FromRow)]
pub struct WithdrawalRow {
    pub id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub upi_account_id: Uuid,
    pub vpa: String,
    pub holder_name: String,
    pub fund_account_id: Option<String>,
    pub amount_paise: i64,
    pub currency: String,
    pub status: WithdrawalStatus,
    pub payout_id: Option<String>,
    /// When a payout provider was first asked to pay it out.
    pub asked_at: Option<DateTime<Utc>>,
    pub utr: Option<String>,
    pub failure_reason: Option<String>,
    pub attempts: i32,
    pub next_try_at: Option<DateTime<Utc>>,
    pub requested_at: DateTime<Utc>,
    pub settled_at: Option<DateTime<Utc>>,
    pub updated_at: DateTime<Utc>,
}

impl StoredRow for WithdrawalRow {
    const TABLE: &'static str = "withdrawals";
}

/// Leaves out names and addresses, which must not reach a log.
impl fmt::Debug for WithdrawalRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WithdrawalRow")
            .field("id", &self.id)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

pub async fn insert(tx: &mut PgConnection, row: &WithdrawalRow) -> Result<()> {
    sqlx::query(
        "insert into withdrawals (id, mechanic_profile_id, upi_account_id, vpa, holder_name, fund_account_id,
            amount_paise, currency, status, next_try_at, requested_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)",
    )
    .bind(row.id)
    .bind(row.mechanic_profile_id)
    .bind(row.upi_account_id)
    .bind(&row.vpa)
    .bind(&row.holder_name)
    .bind(&row.fund_account_id)
    .bind(row.amount_paise)
    .bind(&row.currency)
    .bind(row.status)
    .bind(row.next_try_at)
    .bind(row.requested_at)
    .execute(tx)
    .await
    .map(drop)
}

pub async fn find(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
    id: Uuid,
) -> Result<Option<WithdrawalRow>> {
    sqlx::query("select * from withdrawals where id = $1 and mechanic_profile_id = $2")
        .bind(id)
        .bind(mechanic_profile_id)
        .try_map(read::<WithdrawalRow>)
        .fetch_optional(db)
        .await
}

pub async fn is_known(db: impl PgExecutor<'_>, id: Uuid) -> Result<bool> {
    sqlx::query_scalar("select exists (select from withdrawals where id = $1)").bind(id).fetch_one(db).await
}

list_filter! {
    /// The filter of the admins' list of withdrawals. A withdrawal must match all given fields.
    WithdrawalFilter {
        /// Only those with this status.
        status: Option<WithdrawalStatus> = "failed",
        /// Of this mechanic.
        mechanic_profile_id: Option<Uuid> = "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01",
        /// Asked for in this time.
        asked: Between,
    }
}

list_filter! {
    /// The filter of the list of a mechanic's own withdrawals.
    OwnWithdrawalFilter {
        /// Asked for in this time.
        asked: Between,
    }
}

/// The condition of [`WithdrawalFilter`]: $1 is the status, $2 the mechanic, $3 and $4 are the period.
macro_rules! listed {
    () => {
        "($1::text is null or status = $1)
            and ($2::uuid is null or mechanic_profile_id = $2)
            and ($3::timestamptz is null or requested_at >= $3)
            and ($4::timestamptz is null or requested_at < $4)"
    };
}

/// Returns a part of the list, newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &WithdrawalFilter,
    window: ListWindow,
) -> Result<Vec<WithdrawalRow>> {
    sqlx::query(concat!(
        "select * from withdrawals where ",
        listed!(),
        " and ($5::timestamptz is null or (requested_at, id) < ($5, $6))
        order by requested_at desc, id desc
        limit $7 offset $8",
    ))
    .bind(filter.status)
    .bind(filter.mechanic_profile_id)
    .bind(filter.asked.0)
    .bind(filter.asked.1)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    .persistent(false)
    .try_map(read::<WithdrawalRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &WithdrawalFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from withdrawals where ", listed!()))
        .bind(filter.status)
        .bind(filter.mechanic_profile_id)
        .bind(filter.asked.0)
        .bind(filter.asked.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

/// The condition of [`OwnWithdrawalFilter`]: $1 is the mechanic, $2 and $3 are the period.
macro_rules! listed_of_mechanic {
    () => {
        "mechanic_profile_id = $1
            and requested_at >= coalesce($2::timestamptz, '-infinity')
            and requested_at < coalesce($3::timestamptz, 'infinity')"
    };
}

/// Returns a mechanic's own withdrawals, the newest first.
pub async fn list_of_mechanic(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
    filter: &OwnWithdrawalFilter,
    page: PageParams,
) -> Result<Vec<WithdrawalRow>> {
    sqlx::query(concat!(
        "select * from withdrawals where ",
        listed_of_mechanic!(),
        " order by requested_at desc, id desc limit $4 offset $5",
    ))
    .bind(mechanic_profile_id)
    .bind(filter.asked.0)
    .bind(filter.asked.1)
    .bind(page.limit)
    .bind(page.offset())
    .try_map(read::<WithdrawalRow>)
    .fetch_all(db)
    .await
}

pub async fn count_of_mechanic(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
    filter: &OwnWithdrawalFilter,
) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from withdrawals where ", listed_of_mechanic!()))
        .bind(mechanic_profile_id)
        .bind(filter.asked.0)
        .bind(filter.asked.1)
        .fetch_one(db)
        .await
}

pub async fn is_under_way_to(db: impl PgExecutor<'_>, upi_account_id: Uuid) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (select 1 from withdrawals where upi_account_id = $1 and settled_at is null)",
    )
    .bind(upi_account_id)
    .fetch_one(db)
    .await
}

/// Locks a withdrawal, found by our id, or by the provider's id if the message lacks ours.
pub async fn lock(tx: &mut PgConnection, id: Option<Uuid>, payout_id: &str) -> Result<Option<WithdrawalRow>> {
    sqlx::query(
        "select * from withdrawals where id = coalesce((select $1::uuid), (select id from withdrawals where payout_id = $2))
        for update",
    )
    .bind(id)
    .bind(payout_id)
    .try_map(read::<WithdrawalRow>)
    .fetch_optional(tx)
    .await
}

/// Writes everything that a withdrawal's progress changes.
pub async fn update(tx: &mut PgConnection, row: &WithdrawalRow) -> Result<()> {
    sqlx::query(
        "update withdrawals set status = $2, payout_id = $3, utr = $4, failure_reason = $5, attempts = $6,
            next_try_at = $7, settled_at = $8, updated_at = $9
        where id = $1",
    )
    .bind(row.id)
    .bind(row.status)
    .bind(&row.payout_id)
    .bind(&row.utr)
    .bind(&row.failure_reason)
    .bind(row.attempts)
    .bind(row.next_try_at)
    .bind(row.settled_at)
    .bind(row.updated_at)
    .execute(tx)
    .await
    .map(drop)
}

/// Notes that a payout provider is about to be asked to pay a withdrawal out; the first time counts. Returns false if
/// the withdrawal has ended, so that no provider may be asked.
pub async fn note_asked(db: impl PgExecutor<'_>, id: Uuid, now: DateTime<Utc>) -> Result<bool> {
    let noted = sqlx::query(
        "update withdrawals set asked_at = coalesce(asked_at, $2) where id = $1 and settled_at is null",
    )
    .bind(id)
    .bind(now)
    .execute(db)
    .await?;
    Ok(noted.rows_affected() > 0)
}

/// Takes withdrawals that are due; no other server takes them before `again_at`. Takes none while payouts are paused.
pub async fn take_due(
    db: impl PgExecutor<'_>,
    now: DateTime<Utc>,
    again_at: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<WithdrawalRow>> {
    sqlx::query(
        "update withdrawals set next_try_at = $2, attempts = attempts + 1
        where id in (select id from withdrawals where next_try_at <= $1
                and not exists (select from payout_pauses where ended_at is null)
            order by next_try_at limit $3 for update skip locked)
        returning *",
    )
    .bind(now)
    .bind(again_at)
    .bind(limit)
    .try_map(read::<WithdrawalRow>)
    .fetch_all(db)
    .await
}

/// Pauses payouts until the pause is ended.
pub async fn begin_pause(db: impl PgExecutor<'_>, id: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query("insert into payout_pauses (id, reason, begun_at) values ($1, 'restored', $2)")
        .bind(id)
        .bind(now)
        .execute(db)
        .await
        .map(drop)
}

/// Ends every pause, and returns the ids of the pauses that it ended.
pub async fn end_pauses(db: impl PgExecutor<'_>, now: DateTime<Utc>) -> Result<Vec<Uuid>> {
    sqlx::query_scalar("update payout_pauses set ended_at = $1 where ended_at is null returning id")
        .bind(now)
        .fetch_all(db)
        .await
}

/// Returns the time since which payouts are paused.
pub async fn paused_since(db: impl PgExecutor<'_>) -> Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar("select min(begun_at) from payout_pauses where ended_at is null").fetch_one(db).await
}

/// Puts the next try off, unless the withdrawal has ended meanwhile.
pub async fn put_off(db: impl PgExecutor<'_>, id: Uuid, until: DateTime<Utc>) -> Result<()> {
    sqlx::query("update withdrawals set next_try_at = $2 where id = $1 and next_try_at is not null")
        .bind(id)
        .bind(until)
        .execute(db)
        .await
        .map(drop)
}

/// The sums of a mechanic's withdrawals that are under way and of those that arrived, in paise.
#[derive(Debug, FromRow)]
pub struct Sums {
    pub under_way_paise: i64,
    pub processed_paise: i64,
}

pub async fn sums(db: impl PgExecutor<'_>, mechanic_profile_id: Uuid) -> Result<Sums> {
    sqlx::query_as(
        "select
            coalesce(sum(amount_paise) filter (where settled_at is null), 0)::bigint as under_way_paise,
            coalesce(sum(amount_paise) filter (where status = 'processed'), 0)::bigint as processed_paise
        from withdrawals where mechanic_profile_id = $1",
    )
    .bind(mechanic_profile_id)
    .fetch_one(db)
    .await
}

pub async fn anonymise(tx: &mut PgConnection, mechanic_profile_id: Uuid) -> Result<()> {
    sqlx::query("update withdrawals set vpa = '', holder_name = '' where mechanic_profile_id = $1")
        .bind(mechanic_profile_id)
        .execute(tx)
        .await
        .map(drop)
}
