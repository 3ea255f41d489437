//! SQL of subscriptions.

use std::{collections::HashSet, fmt};

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::dto::SubscriptionStatus;
use crate::{
    partners::feeds::kind::PartnerEventKind,
    platform::db::{StoredRow, read},
};

/// A row of `partner_subscriptions`.
#[derive(Clone, FromRow)]
pub struct SubscriptionRow {
    pub id: Uuid,
    pub organisation_id: Uuid,
    pub made_by: Uuid,
    pub url: String,
    pub events: Vec<PartnerEventKind>,
    /// Sealed, like the next.
    pub secret: Vec<u8>,
    pub former_secret: Option<Vec<u8>>,
    pub former_until: Option<DateTime<Utc>>,
    pub eta_below_min: Option<i32>,
    pub within_m: Option<i32>,
    pub positions_every_s: Option<i32>,
    pub status: SubscriptionStatus,
    pub pause_reason: Option<String>,
    pub verified_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl StoredRow for SubscriptionRow {
    const TABLE: &'static str = "partner_subscriptions";
}

/// Written by hand: secrets must not be logged, even sealed.
impl fmt::Debug for SubscriptionRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SubscriptionRow").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Lets one transaction at a time add a subscription to an organisation, and returns how many there are.
pub async fn count_locked(tx: &mut PgConnection, organisation_id: Uuid) -> Result<i64> {
    sqlx::query("select from organisations where id = $1 for no key update")
        .bind(organisation_id)
        .execute(&mut *tx)
        .await?;
    sqlx::query_scalar(
        "select count(*) from partner_subscriptions where organisation_id = $1 and status <> 'deleted'",
    )
    .bind(organisation_id)
    .fetch_one(tx)
    .await
}

pub async fn insert(tx: &mut PgConnection, row: &SubscriptionRow) -> Result<()> {
    sqlx::query(
        "insert into partner_subscriptions (id, organisation_id, made_by, url, events, secret, eta_below_min, within_m,
            positions_every_s, status, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(row.id)
    .bind(row.organisation_id)
    .bind(row.made_by)
    .bind(&row.url)
    .bind(&row.events)
    .bind(&row.secret)
    .bind(row.eta_below_min)
    .bind(row.within_m)
    .bind(row.positions_every_s)
    .bind(row.status)
    .bind(row.created_at)
    .bind(row.updated_at)
    .execute(tx)
    .await
    .map(drop)
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<SubscriptionRow>> {
    sqlx::query("select * from partner_subscriptions where id = $1 and status <> 'deleted'")
        .bind(id)
        .try_map(read::<SubscriptionRow>)
        .fetch_optional(db)
        .await
}

pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<SubscriptionRow>> {
    sqlx::query("select * from partner_subscriptions where id = $1 and status <> 'deleted' for no key update")
        .bind(id)
        .try_map(read::<SubscriptionRow>)
        .fetch_optional(tx)
        .await
}

/// Returns the subscriptions of an organisation, newest first: all of them, or those that an agency has made.
pub async fn list(
    db: impl PgExecutor<'_>,
    organisation_id: Uuid,
    made_by: Uuid,
) -> Result<Vec<SubscriptionRow>> {
    sqlx::query(
        "select * from partner_subscriptions
        where organisation_id = $1 and status <> 'deleted' and $2 in (made_by, organisation_id)
        order by created_at desc, id desc",
    )
    .bind(organisation_id)
    .bind(made_by)
    .try_map(read::<SubscriptionRow>)
    .fetch_all(db)
    .await
}

/// Stores everything of a subscription that can change.
pub async fn update(tx: &mut PgConnection, row: &SubscriptionRow) -> Result<()> {
    sqlx::query(
        "update partner_subscriptions set url = $2, events = $3, secret = $4, former_secret = $5, former_until = $6,
            eta_below_min = $7, within_m = $8, positions_every_s = $9, status = $10, pause_reason = $11, verified_at = $12,
            updated_at = $13
        where id = $1",
    )
    .bind(row.id)
    .bind(&row.url)
    .bind(&row.events)
    .bind(&row.secret)
    .bind(&row.former_secret)
    .bind(row.former_until)
    .bind(row.eta_below_min)
    .bind(row.within_m)
    .bind(row.positions_every_s)
    .bind(row.status)
    .bind(&row.pause_reason)
    .bind(row.verified_at)
    .bind(row.updated_at)
    .execute(tx)
    .await
    .map(drop)
}

/// Activates a subscription whose receiver has answered the challenge at this address; `None` if it has another one now.
pub async fn mark_verified(
    db: impl PgExecutor<'_>,
    id: Uuid,
    url: &str,
    now: DateTime<Utc>,
) -> Result<Option<SubscriptionRow>> {
    sqlx::query(
        "update partner_subscriptions set verified_at = $3, updated_at = $3,
            status = case when status = 'unverified' then 'active' else status end
        where id = $1 and url = $2 and status <> 'deleted'
        returning *",
    )
    .bind(id)
    .bind(url)
    .bind(now)
    .try_map(read::<SubscriptionRow>)
    .fetch_optional(db)
    .await
}

/// Pauses an active subscription.
pub async fn pause(tx: &mut PgConnection, id: Uuid, why: &str, now: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "update partner_subscriptions set status = 'paused', pause_reason = $2, updated_at = $3
        where id = $1 and status = 'active'",
    )
    .bind(id)
    .bind(why)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}

/// A subscription that gets the events of a case.
#[derive(Debug, Clone, FromRow)]
pub struct Listener {
    pub id: Uuid,
    pub organisation_id: Uuid,
    pub made_by: Uuid,
    pub events: Vec<PartnerEventKind>,
}

impl Listener {
    /// Returns whether the subscription is for cases like this: of its organisation, and made by its maker if that is an agency.
    pub fn hears_of(&self, (organisation_id, made_by): (Uuid, Uuid)) -> bool {
        self.organisation_id == organisation_id && [organisation_id, made_by].contains(&self.made_by)
    }

    /// Returns whether the subscription gets an event of this kind, which may be for one subscription only.
    pub fn gets(&self, kind: PartnerEventKind, only_for: Option<Uuid>) -> bool {
        match only_for {
            Some(id) => id == self.id,
            None => self.events.is_empty() || self.events.contains(&kind),
        }
    }
}

/// Returns the active subscriptions for cases of these organisations that these have made, if the subscriptions' makers still act
/// for their organisations. [`Listener::hears_of`] says which of them is for which case.
pub async fn listeners(
    tx: &mut PgConnection,
    whose: impl Iterator<Item = (Uuid, Uuid)>,
    now: DateTime<Utc>,
) -> Result<Vec<Listener>> {
    let (organisations, makers): (HashSet<Uuid>, HashSet<Uuid>) = whose.unzip();
    let makers: Vec<Uuid> = makers.union(&organisations).copied().collect();
    sqlx::query_as(
        "select id, organisation_id, made_by, events from partner_subscriptions
        where organisation_id = any((select $1)::uuid[]) and status = 'active' and made_by = any((select $2)::uuid[])
            and partner_may_hear(organisation_id, made_by, $3)",
    )
    .bind(organisations.into_iter().collect::<Vec<_>>())
    .bind(makers)
    .bind(now)
    .fetch_all(tx)
    .await
}

/// The sealed secrets of a subscription.
#[derive(FromRow)]
pub struct SealedSecrets {
    pub id: Uuid,
    pub secret: Vec<u8>,
    pub former_secret: Option<Vec<u8>>,
}

/// Written by hand: secrets must not be logged, even sealed.
impl fmt::Debug for SealedSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealedSecrets").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Returns the secrets of the subscriptions after this id, in the order of ids.
pub async fn sealed(db: impl PgExecutor<'_>, after: Uuid, limit: i64) -> Result<Vec<SealedSecrets>> {
    sqlx::query_as(
        "select id, secret, former_secret from partner_subscriptions
        where id > $1 and status <> 'deleted' order by id limit $2",
    )
    .bind(after)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Stores secrets that were sealed anew, unless they have changed since.
pub async fn reseal(db: impl PgExecutor<'_>, was: &SealedSecrets, now: &SealedSecrets) -> Result<bool> {
    let resealed = sqlx::query(
        "update partner_subscriptions set secret = $3, former_secret = $5
        where id = $1 and secret = $2 and former_secret is not distinct from $4",
    );
    let resealed = resealed.bind(was.id).bind(&was.secret).bind(&now.secret);
    let resealed = resealed.bind(&was.former_secret).bind(&now.former_secret).execute(db).await?;
    Ok(resealed.rows_affected() > 0)
}
