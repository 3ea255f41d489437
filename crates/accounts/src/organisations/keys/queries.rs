//! SQL of keys.

use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_http::PageParams;
use roadcall_platform::db::{Db, StoredRow, read};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::{auth::KeyScope, organisations::state::OrganisationStatus};

/// A row of `partner_keys`, without the key's hash.
#[derive(Debug, Clone, FromRow)]
pub struct PartnerKeyRow {
    pub id: Uuid,
    /// The part of the key that finds it.
    pub handle: String,
    pub organisation_id: Uuid,
    /// Other organisations for which the key may act.
    pub acts_for: Vec<Uuid>,
    pub name: String,
    pub scopes: Vec<KeyScope>,
    pub requests_per_minute: i32,
    /// The person who made it; `None` for a key that a program made.
    pub created_by: Option<Uuid>,
    /// The key that made it, and is answerable for it.
    pub created_by_key: Option<Uuid>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
    /// The key that replaces this one.
    pub replaced_by: Option<Uuid>,
}

impl StoredRow for PartnerKeyRow {
    const TABLE: &str = "partner_keys";
}

/// A key that a request shows, with the organisations for which it may act.
#[derive(Debug, FromRow)]
pub struct UsedKeyRow {
    pub id: Uuid,
    pub organisation_id: Uuid,
    pub account_id: Uuid,
    pub status: OrganisationStatus,
    pub secret_sha256: Vec<u8>,
    pub scopes: Vec<KeyScope>,
    pub requests_per_minute: i32,
    pub expires_at: DateTime<Utc>,
    pub revoked_at: Option<DateTime<Utc>>,
    pub last_used_at: Option<DateTime<Utc>>,
    /// The other organisations, each with its account and its status at the same index.
    pub other_ids: Vec<Uuid>,
    pub other_accounts: Vec<Uuid>,
    pub other_statuses: Vec<OrganisationStatus>,
    /// When a use was last noted since the key was looked up, in milliseconds.
    #[sqlx(skip)]
    pub noted_ms: AtomicI64,
}

impl StoredRow for UsedKeyRow {
    const TABLE: &str = "partner_keys";
}

impl UsedKeyRow {
    /// Returns whether a use has to be noted now, once for all requests of this time.
    pub fn is_use_to_note(&self, now: DateTime<Utc>, every: TimeDelta) -> bool {
        let due = (now - every).timestamp_millis();
        let is_due = |noted: i64| (noted <= due).then_some(now.timestamp_millis());
        self.last_used_at.is_none_or(|at| at.timestamp_millis() <= due)
            && self.noted_ms.fetch_update(Ordering::Relaxed, Ordering::Relaxed, is_due).is_ok()
    }
}

/// Returns the key with this handle.
pub async fn used_key(db: &Db, handle: &str) -> Result<Option<UsedKeyRow>> {
    sqlx::query(
        "select k.id, k.organisation_id, o.account_id, o.status, k.secret_sha256, k.scopes, k.requests_per_minute,
            k.expires_at, k.revoked_at, k.last_used_at, coalesce(a.ids, '{}') as other_ids,
            coalesce(a.accounts, '{}') as other_accounts, coalesce(a.statuses, '{}') as other_statuses
        from partner_keys k
        join organisations o on o.id = k.organisation_id
        left join lateral (
            select array_agg(id order by id) as ids, array_agg(account_id order by id) as accounts,
                array_agg(status order by id) as statuses
            from organisations
            where id = any(k.acts_for)
        ) a on true
        where k.handle = $1",
    )
    .bind(handle)
    .try_map(read::<UsedKeyRow>)
    .fetch_optional(db)
    .await
}

/// Notes a use of a key, unless another server has just done so.
pub async fn note_use(db: &Db, id: Uuid, now: DateTime<Utc>, every: TimeDelta) -> Result<()> {
    sqlx::query(
        "update partner_keys set last_used_at = $2 where id = $1 and coalesce(last_used_at, '-infinity') <= $3",
    )
    .bind(id)
    .bind(now)
    .bind(now - every)
    .execute(db)
    .await
    .map(drop)
}

/// Inserts a key with its hash; returns false if the organisation has so many live keys already.
pub async fn insert(
    tx: &mut PgConnection,
    row: &PartnerKeyRow,
    sha256: &[u8; 32],
    most: i64,
) -> Result<bool> {
    let inserted = sqlx::query(
        "insert into partner_keys (id, handle, organisation_id, acts_for, name, secret_sha256, scopes,
            requests_per_minute, created_by, created_by_key, created_at, expires_at)
        select $1, $2, $3, $4, $5, $6, $7, $8, $9, $13, $10, $11
        where (
            select count(*) from partner_keys where organisation_id = $3 and revoked_at is null and expires_at > $10
        ) < $12",
    )
    .bind(row.id)
    .bind(&row.handle)
    .bind(row.organisation_id)
    .bind(&row.acts_for)
    .bind(&row.name)
    .bind(&sha256[..])
    .bind(&row.scopes)
    .bind(row.requests_per_minute)
    .bind(row.created_by)
    .bind(row.created_at)
    .bind(row.expires_at)
    .bind(most)
    .bind(row.created_by_key)
    .execute(tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// The columns of [`PartnerKeyRow`].
macro_rules! columns {
    () => {
        "id, handle, organisation_id, acts_for, name, scopes, requests_per_minute, created_by, created_by_key, created_at,
            expires_at, last_used_at, revoked_at, replaced_by"
    };
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<PartnerKeyRow>> {
    sqlx::query(concat!("select ", columns!(), " from partner_keys where id = $1"))
        .bind(id)
        .try_map(read::<PartnerKeyRow>)
        .fetch_optional(db)
        .await
}

pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<PartnerKeyRow>> {
    sqlx::query(concat!("select ", columns!(), " from partner_keys where id = $1 for update"))
        .bind(id)
        .try_map(read::<PartnerKeyRow>)
        .fetch_optional(tx)
        .await
}

/// Notes the key that replaces this one, and when this one ends. The other is answerable for what this one made.
pub async fn replace(
    tx: &mut PgConnection,
    id: Uuid,
    replaced_by: Uuid,
    expires_at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query("update partner_keys set replaced_by = $2, expires_at = $3 where id = $1")
        .bind(id)
        .bind(replaced_by)
        .bind(expires_at)
        .execute(&mut *tx)
        .await?;
    sqlx::query("update partner_keys set created_by_key = $2 where created_by_key = $1 and id <> $2")
        .bind(id)
        .bind(replaced_by)
        .execute(tx)
        .await
        .map(drop)
}

/// Revokes a key, the keys that it made, and those that these made; returns the ones that were not revoked before.
pub async fn revoke(tx: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<Vec<PartnerKeyRow>> {
    sqlx::query(concat!(
        "with recursive made (key_id) as (
            select $1::uuid
            union
            select k.id from partner_keys k join made on k.created_by_key = made.key_id
        )
        update partner_keys set revoked_at = $2 where id in (select key_id from made) and revoked_at is null
        returning ",
        columns!(),
    ))
    .bind(id)
    .bind(now)
    .try_map(read::<PartnerKeyRow>)
    .fetch_all(tx)
    .await
}

/// Lists an organisation's keys, the newest first.
pub async fn list(db: &Db, organisation_id: Uuid, page: PageParams) -> Result<Vec<PartnerKeyRow>> {
    sqlx::query(concat!(
        "select ",
        columns!(),
        " from partner_keys where organisation_id = $1 order by created_at desc, id desc limit $2 offset $3",
    ))
    .bind(organisation_id)
    .bind(page.limit)
    .bind(page.offset())
    .try_map(read::<PartnerKeyRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: &Db, organisation_id: Uuid) -> Result<i64> {
    sqlx::query_scalar("select count(*) from partner_keys where organisation_id = $1")
        .bind(organisation_id)
        .fetch_one(db)
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_is_noted_once_a_minute() {
        let start = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
        let at = |seconds: i64| start + TimeDelta::seconds(seconds);
        let key = |last_used_at| UsedKeyRow {
            id: Uuid::nil(),
            organisation_id: Uuid::nil(),
            account_id: Uuid::nil(),
            status: OrganisationStatus::Active,
            secret_sha256: Vec::new(),
            scopes: Vec::new(),
            requests_per_minute: 1,
            expires_at: at(9_999),
            revoked_at: None,
            last_used_at,
            other_ids: Vec::new(),
            other_accounts: Vec::new(),
            other_statuses: Vec::new(),
            noted_ms: AtomicI64::default(),
        };
        let noted = |key: &UsedKeyRow| {
            [0, 30, 59, 60, 90, 119, 120].map(|s| key.is_use_to_note(at(s), TimeDelta::minutes(1)))
        };
        assert_eq!(noted(&key(None)), [true, false, false, true, false, false, true]);
        assert_eq!(noted(&key(Some(at(-20)))), [false, false, true, false, false, true, false]);
    }
}
