//! The queries of UPI accounts.

use std::fmt;

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::{
    http::{Between, ListWindow, list_filter},
    money::wallet::state::VerificationStatus,
    platform::db::{Db, StoredRow, read},
};

/// A row of `upi_accounts`.
#[derive(Clone, FromRow)]
pub struct UpiRow {
    pub id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub vpa: String,
    pub holder_name: Option<String>,
    pub name_at_bank: Option<String>,
    pub name_match_score: Option<i32>,
    pub verification_status: VerificationStatus,
    pub is_default: bool,
    pub usable_from: DateTime<Utc>,
    pub rejection_reason: Option<String>,
    pub validation_id: Option<String>,
    pub fund_account_id: Option<String>,
    pub check_at: Option<DateTime<Utc>>,
    pub checks: i32,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl StoredRow for UpiRow {
    const TABLE: &'static str = "upi_accounts";
}

/// Leaves out names and addresses, which must not reach a log.
impl fmt::Debug for UpiRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UpiRow")
            .field("id", &self.id)
            .field("verification_status", &self.verification_status)
            .finish_non_exhaustive()
    }
}

/// A UPI account with the names of its mechanic, for admins.
#[derive(FromRow)]
pub struct AdminUpiRow {
    #[sqlx(flatten)]
    pub account: UpiRow,
    pub mechanic_name: Option<String>,
    pub verified_name: Option<String>,
}

/// Leaves out names, which must not reach a log.
impl fmt::Debug for AdminUpiRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdminUpiRow").field("account", &self.account).finish_non_exhaustive()
    }
}

impl StoredRow for AdminUpiRow {
    const TABLE: &'static str = "upi_accounts";
}

/// Returns a mechanic's accounts, the default first, then the oldest.
pub async fn list(db: impl PgExecutor<'_>, mechanic_profile_id: Uuid) -> Result<Vec<UpiRow>> {
    sqlx::query(
        "select * from upi_accounts where mechanic_profile_id = $1 and deleted_at is null
        order by is_default desc, created_at, id",
    )
    .bind(mechanic_profile_id)
    .try_map(read::<UpiRow>)
    .fetch_all(db)
    .await
}

/// Counts a mechanic's accounts, without those that no bank knows.
pub async fn count(db: impl PgExecutor<'_>, mechanic_profile_id: Uuid) -> Result<i64> {
    sqlx::query_scalar(
        "select count(*) from upi_accounts
        where mechanic_profile_id = $1 and deleted_at is null and verification_status <> 'invalid'",
    )
    .bind(mechanic_profile_id)
    .fetch_one(db)
    .await
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<UpiRow>> {
    sqlx::query("select * from upi_accounts where id = $1 and deleted_at is null")
        .bind(id)
        .try_map(read::<UpiRow>)
        .fetch_optional(db)
        .await
}

pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<UpiRow>> {
    sqlx::query("select * from upi_accounts where id = $1 and deleted_at is null for update")
        .bind(id)
        .try_map(read::<UpiRow>)
        .fetch_optional(tx)
        .await
}

/// Returns the account with this id of the provider's check.
pub async fn find_by_validation(db: impl PgExecutor<'_>, validation_id: &str) -> Result<Option<UpiRow>> {
    sqlx::query(
        "select * from upi_accounts where validation_id = $1 and deleted_at is null
        order by created_at limit 1",
    )
    .bind(validation_id)
    .try_map(read::<UpiRow>)
    .fetch_optional(db)
    .await
}

/// Returns the account with that id, or the default if no id is given, share-locked until the transaction ends.
pub async fn lock_to_pay(
    tx: &mut PgConnection,
    mechanic_profile_id: Uuid,
    id: Option<Uuid>,
) -> Result<Option<UpiRow>> {
    sqlx::query(
        "select * from upi_accounts
        where mechanic_profile_id = $1 and deleted_at is null and (id = $2 or ($2 is null and is_default))
        for share",
    )
    .bind(mechanic_profile_id)
    .bind(id)
    .try_map(read::<UpiRow>)
    .fetch_optional(tx)
    .await
}

pub async fn insert(tx: &mut PgConnection, row: &UpiRow) -> Result<()> {
    sqlx::query(
        "insert into upi_accounts (id, mechanic_profile_id, vpa, holder_name, verification_status, is_default,
            usable_from, check_at, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)",
    )
    .bind(row.id)
    .bind(row.mechanic_profile_id)
    .bind(&row.vpa)
    .bind(&row.holder_name)
    .bind(row.verification_status)
    .bind(row.is_default)
    .bind(row.usable_from)
    .bind(row.check_at)
    .bind(row.created_at)
    .execute(tx)
    .await
    .map(drop)
}

/// Writes everything that verification changes.
pub async fn update(tx: &mut PgConnection, row: &UpiRow) -> Result<()> {
    sqlx::query(
        "update upi_accounts set name_at_bank = $2, name_match_score = $3, verification_status = $4,
            rejection_reason = $5, validation_id = $6, fund_account_id = $7, check_at = $8, checks = $9, updated_at = $10
        where id = $1",
    )
    .bind(row.id)
    .bind(&row.name_at_bank)
    .bind(row.name_match_score)
    .bind(row.verification_status)
    .bind(&row.rejection_reason)
    .bind(&row.validation_id)
    .bind(&row.fund_account_id)
    .bind(row.check_at)
    .bind(row.checks)
    .bind(row.updated_at)
    .execute(tx)
    .await
    .map(drop)
}

pub async fn clear_default(
    tx: &mut PgConnection,
    mechanic_profile_id: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update upi_accounts set is_default = false, updated_at = $2 where mechanic_profile_id = $1 and is_default",
    )
    .bind(mechanic_profile_id)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}

pub async fn make_default(tx: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query("update upi_accounts set is_default = true, updated_at = $2 where id = $1")
        .bind(id)
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
}

/// Takes the default from an account that is no longer usable.
pub async fn clear_unusable_default(
    tx: &mut PgConnection,
    mechanic_profile_id: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update upi_accounts set is_default = false, updated_at = $2
        where mechanic_profile_id = $1 and is_default
            and verification_status not in ('verified', 'manually_approved')",
    )
    .bind(mechanic_profile_id)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}

/// Makes the oldest usable account the default if there is no default. Accounts that still have to wait come last.
pub async fn fill_default(
    tx: &mut PgConnection,
    mechanic_profile_id: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update upi_accounts set is_default = true, updated_at = $2
        where id = (select id from upi_accounts
                where mechanic_profile_id = $1 and deleted_at is null
                    and verification_status in ('verified', 'manually_approved')
                order by usable_from > $2, created_at, id limit 1)
            and not exists (select 1 from upi_accounts where mechanic_profile_id = $1 and is_default)",
    )
    .bind(mechanic_profile_id)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}

/// Removes all invalid accounts except the newest `kept`.
pub async fn remove_invalid(
    tx: &mut PgConnection,
    mechanic_profile_id: Uuid,
    kept: i64,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update upi_accounts set deleted_at = $3, updated_at = $3
        where id in (select id from upi_accounts
            where mechanic_profile_id = $1 and deleted_at is null and verification_status = 'invalid'
            order by created_at desc, id desc offset $2)",
    )
    .bind(mechanic_profile_id)
    .bind(kept)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}

/// Returns the times at which the mechanic had addresses looked up since then, the oldest first.
pub async fn look_ups_since(
    tx: &mut PgConnection,
    mechanic_profile_id: Uuid,
    since: DateTime<Utc>,
) -> Result<Vec<DateTime<Utc>>> {
    sqlx::query_scalar("select at from upi_look_ups where mechanic_profile_id = $1 and at > $2 order by at")
        .bind(mechanic_profile_id)
        .bind(since)
        .fetch_all(tx)
        .await
}

/// Counts one more look-up, and deletes those from before `since`.
pub async fn count_look_up(
    tx: &mut PgConnection,
    mechanic_profile_id: Uuid,
    now: DateTime<Utc>,
    since: DateTime<Utc>,
) -> Result<()> {
    sqlx::query("delete from upi_look_ups where mechanic_profile_id = $1 and at <= $2")
        .bind(mechanic_profile_id)
        .bind(since)
        .execute(&mut *tx)
        .await?;
    sqlx::query("insert into upi_look_ups (mechanic_profile_id, at) values ($1, $2)")
        .bind(mechanic_profile_id)
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
}

/// Deletes at most `limit` look-ups of any mechanic from before that time. Returns the number of deleted ones.
pub async fn sweep_look_ups(db: &Db, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    let done = sqlx::query(
        "delete from upi_look_ups where id in (select id from upi_look_ups where at <= $1 order by at limit $2)",
    );
    Ok(done.bind(before).bind(limit).execute(db).await?.rows_affected())
}

pub async fn mark_deleted(tx: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query("update upi_accounts set deleted_at = $2, updated_at = $2, is_default = false where id = $1")
        .bind(id)
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
}

/// Deletes all of a mechanic's accounts and removes the personal data from them.
pub async fn anonymise(tx: &mut PgConnection, mechanic_profile_id: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "update upi_accounts
        set deleted_at = coalesce(deleted_at, $2), updated_at = $2, is_default = false, vpa = '', holder_name = null,
            name_at_bank = null
        where mechanic_profile_id = $1",
    )
    .bind(mechanic_profile_id)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}

list_filter! {
    /// The filter of the admins' list of accounts.
    AdminUpiFilter {
        /// Only those with this status.
        status: Option<VerificationStatus>,
        /// Added in this time.
        added: Between,
    }
}

/// The condition of [`AdminUpiFilter`]: $1 is the status, $2 and $3 are the period.
macro_rules! listed_for_admin {
    () => {
        "account.deleted_at is null and ($1::text is null or account.verification_status = $1)
            and ($2::timestamptz is null or account.created_at >= $2)
            and ($3::timestamptz is null or account.created_at < $3)"
    };
}

/// Returns a part of the list, newest first.
pub async fn list_for_admin(
    db: impl PgExecutor<'_>,
    filter: &AdminUpiFilter,
    window: ListWindow,
) -> Result<Vec<AdminUpiRow>> {
    sqlx::query(concat!(
        "select account.*, person.name as mechanic_name, profile.verified_name
        from upi_accounts account join mechanic_profiles profile on profile.id = account.mechanic_profile_id
            join users person on person.id = profile.user_id
        where ",
        listed_for_admin!(),
        " and ($4::timestamptz is null or (account.created_at, account.id) < ($4, $5))
        order by account.created_at desc, account.id desc
        limit $6 offset $7",
    ))
    .bind(filter.status)
    .bind(filter.added.0)
    .bind(filter.added.1)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    .persistent(false)
    .try_map(read::<AdminUpiRow>)
    .fetch_all(db)
    .await
}

pub async fn find_for_admin(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<AdminUpiRow>> {
    sqlx::query(
        "select account.*, person.name as mechanic_name, profile.verified_name
        from upi_accounts account join mechanic_profiles profile on profile.id = account.mechanic_profile_id
            join users person on person.id = profile.user_id
        where account.id = $1 and account.deleted_at is null",
    )
    .bind(id)
    .try_map(read::<AdminUpiRow>)
    .fetch_optional(db)
    .await
}

pub async fn count_for_admin(db: impl PgExecutor<'_>, filter: &AdminUpiFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from upi_accounts account where ", listed_for_admin!()))
        .bind(filter.status)
        .bind(filter.added.0)
        .bind(filter.added.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

/// Takes accounts whose check is due. No other server takes them before `again_at`.
pub async fn take_due(
    db: impl PgExecutor<'_>,
    now: DateTime<Utc>,
    again_at: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<UpiRow>> {
    sqlx::query(
        "update upi_accounts set check_at = $2, checks = checks + 1
        where id in (select id from upi_accounts where check_at <= $1 and deleted_at is null
            order by check_at limit $3 for update skip locked)
        returning *",
    )
    .bind(now)
    .bind(again_at)
    .bind(limit)
    .try_map(read::<UpiRow>)
    .fetch_all(db)
    .await
}

/// Puts the next check off, unless the answer has come meanwhile.
pub async fn put_off(db: impl PgExecutor<'_>, id: Uuid, until: DateTime<Utc>) -> Result<()> {
    sqlx::query("update upi_accounts set check_at = $2 where id = $1 and check_at is not null")
        .bind(id)
        .bind(until)
        .execute(db)
        .await
        .map(drop)
}
