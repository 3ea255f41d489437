//! Agreeing to a notice, and withdrawing.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_platform::error::{ApiError, ApiResult, commit_error};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    dto::{Consent, ConsentRecord},
    queries::{self, ConsentRow},
};
use crate::{
    auth::{self, AuthContext, UserStatus},
    notices::{
        context::NoticesContext,
        queries::newer_than,
        refusals::{no_notice, other_version},
        state::{ConsentKind, NoticeLanguage},
    },
    users,
};

/// How often somebody may agree within a day; another attempt is 429. A withdrawal is never refused, and needs an
/// agreement before it.
const MAX_A_DAY: i64 = 20;
const DAY: TimeDelta = TimeDelta::days(1);
/// The maximum number of entries that the history of a person shows.
const SHOWN: i64 = 50;

/// Records that the person agrees to the newest notice, which they have read in this language. A repeat changes
/// nothing.
pub async fn agree(
    context: &NoticesContext,
    user_id: Uuid,
    version: i64,
    language: NoticeLanguage,
) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    // The notice is read from the database, since another server may just have published one.
    let newest = newer_than(&mut *tx, 0).await?.ok_or_else(no_notice)?;
    if newest.version != version {
        let refusal = other_version(newest.version);
        context.current.adopt(newest);
        return Err(refusal);
    }
    if newest.text(language).is_none() {
        return Err(ApiError::invalid("language", "is none that this version is written in"));
    }
    context.current.adopt(newest);
    lock(&mut tx, user_id).await?;
    let last = last_of(&mut tx, user_id).await?;
    let given = last.filter(|row| row.kind == ConsentKind::Given);
    if given.is_some_and(|row| (row.version, row.language) == (version, language)) {
        return Ok(());
    }
    check_often(&mut tx, user_id, now).await?;
    let number = last.map_or(0, |row| row.number) + 1;
    let row = ConsentRow { user_id, number, kind: ConsentKind::Given, version, language, at: now };
    write(&mut tx, &row).await?;
    tx.commit().await.map_err(commit_error)?;
    auth::forget(context, user_id).await;
    Ok(())
}

/// Records that the person no longer agrees to any notice. Nothing happens if they do not agree to one.
pub async fn withdraw(context: &AuthContext, user_id: Uuid) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    lock(&mut tx, user_id).await?;
    let last = last_of(&mut tx, user_id).await?;
    if let Some(given) = last.filter(|row| row.kind == ConsentKind::Given) {
        let row = ConsentRow { number: given.number + 1, kind: ConsentKind::Withdrawn, at: now, ..given };
        write(&mut tx, &row).await?;
        tx.commit().await.map_err(commit_error)?;
    }
    // This applies to a repeat, too: the commit of the first try may have happened unseen.
    auth::forget(context, user_id).await;
    Ok(())
}

/// Returns the notice to which the person has agreed, and whether they are asked.
pub async fn shown(context: &NoticesContext, user_id: Uuid) -> ApiResult<Consent> {
    let rows = queries::newest_of(&context.db, user_id, SHOWN).await?;
    let agreed = rows.first().copied().filter(|row| row.kind == ConsentKind::Given);
    let newest = context.current.newest().map(|newest| newest.version);
    let is_needed = context.current.asks(agreed.map(|row| row.version));
    Ok(Consent::of(agreed, rows, newest, is_needed))
}

/// Returns a person's agreements and withdrawals, the newest first.
pub async fn newest_of(db: &mut PgConnection, user_id: Uuid, limit: i64) -> ApiResult<Vec<ConsentRecord>> {
    let rows = queries::newest_of(db, user_id, limit).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Locks the account, so that a person's simultaneous actions happen one after the other, and none after the account
/// has ended.
async fn lock(tx: &mut PgConnection, user_id: Uuid) -> ApiResult<()> {
    let row = users::lock(tx, user_id).await?.filter(|row| row.status != UserStatus::Deleted);
    row.map(drop).ok_or_else(users::gone)
}

/// Returns the person's last agreement or withdrawal. The account must be locked.
async fn last_of(tx: &mut PgConnection, user_id: Uuid) -> ApiResult<Option<ConsentRow>> {
    Ok(queries::newest_of(tx, user_id, 1).await?.into_iter().next())
}

/// Writes the entry into the history, and the version that now counts into the account.
async fn write(tx: &mut PgConnection, row: &ConsentRow) -> ApiResult<()> {
    queries::insert(tx, row).await?;
    let counts = Some(row.version).filter(|_| row.kind == ConsentKind::Given);
    Ok(users::set_agreed_notice(tx, row.user_id, counts).await?)
}

async fn check_often(tx: &mut PgConnection, user_id: Uuid, now: DateTime<Utc>) -> ApiResult<()> {
    let given = queries::given_since(tx, user_id, now - DAY, MAX_A_DAY).await?;
    match given.first() {
        Some(oldest) if i64::try_from(given.len()).is_ok_and(|times| times >= MAX_A_DAY) => {
            let wait = u64::try_from((*oldest + DAY - now).num_seconds()).unwrap_or_default();
            Err(ApiError::rate_limited(wait.max(1)))
        }
        _ => Ok(()),
    }
}
