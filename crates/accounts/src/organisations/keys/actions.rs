//! Making, rotating and revoking keys.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_platform::error::{ApiError, ApiResult, Code, commit_error};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    queries::{self, PartnerKeyRow},
    text::{self, MadeKey},
};
use crate::{
    auth::{PartnerCaller, PartnerVia, Principal, Scopes},
    organisations::{
        actions::no_such_organisation, audited, context::OrganisationsContext, queries as organisations,
        state::KeyStatus,
    },
};

/// The most live keys of an organisation.
const MAX_KEYS: i64 = 50;
/// The requests in a minute of a key for which an admin sets no other limit.
pub const USUAL_REQUESTS: i32 = 600;

/// The rights of a new key, and its length of life.
#[derive(Debug)]
pub struct KeyTerms {
    pub name: String,
    pub scopes: Scopes,
    pub life: TimeDelta,
    pub requests_per_minute: i32,
    pub acts_for: Vec<Uuid>,
}

/// When a new key is made, and from which keys it comes.
#[derive(Debug)]
struct KeyOrigin {
    now: DateTime<Utc>,
    /// The key that is answerable for it.
    maker: Option<Uuid>,
    /// The key that it replaces.
    replaced: Option<Uuid>,
}

/// Makes a key of an organisation; returns it with its text. A key that a program makes has no higher limit and no later end than the
/// program's own.
pub async fn make(
    context: &OrganisationsContext,
    by: Principal,
    organisation_id: Uuid,
    terms: KeyTerms,
) -> ApiResult<(PartnerKeyRow, String)> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    // One key is made at a time, so that together they stay within the limit.
    organisations::lock(&mut tx, organisation_id).await?.ok_or_else(no_such_organisation)?;
    let known = organisations::count_of(&mut tx, &terms.acts_for).await?;
    if usize::try_from(known).ok() != Some(terms.acts_for.len()) {
        return Err(ApiError::invalid("acts_for", "names an organisation that does not exist"));
    }
    let maker = maker(&mut tx, by, now).await?;
    let terms = match &maker {
        Some(maker) => KeyTerms {
            life: terms.life.min(maker.expires_at - now),
            requests_per_minute: terms.requests_per_minute.min(maker.requests_per_minute),
            ..terms
        },
        None => terms,
    };
    let origin = KeyOrigin { now, maker: maker.map(|maker| maker.id), replaced: None };
    let made = insert(context, &mut tx, by, (organisation_id, terms), origin).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(made)
}

/// Returns the key of the program that acts, which may have ended since its request began; `None` for a person. Call this under the
/// organisation's lock: a revocation takes it, too.
async fn maker(tx: &mut PgConnection, by: Principal, now: DateTime<Utc>) -> ApiResult<Option<PartnerKeyRow>> {
    let Principal::Partner(PartnerCaller { via: PartnerVia::Key(id), .. }) = by else { return Ok(None) };
    let key = queries::find(&mut *tx, id).await?;
    let key = key.filter(|key| matches!(key.status(now), KeyStatus::Active | KeyStatus::Replaced));
    key.map(Some).ok_or_else(|| ApiError::unauthorized("This key has ended."))
}

/// Makes the successor of a key, with the same rights and the same length of life. The old key ends after the overlap. If a program
/// does so, the successor ends no later than the key that is answerable for it, or than the old key would have.
pub async fn rotate(
    context: &OrganisationsContext,
    by: Principal,
    key: &PartnerKeyRow,
    overlap: TimeDelta,
) -> ApiResult<(PartnerKeyRow, String)> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    organisations::lock(&mut tx, key.organisation_id).await?.ok_or_else(no_such_organisation)?;
    let old = queries::lock(&mut tx, key.id).await?.ok_or_else(no_such_key)?;
    let status = old.status(now);
    if status != KeyStatus::Active {
        let message = format!("This key is already {status}, so it can't be rotated.");
        return Err(ApiError::new(Code::InvalidTransition, message));
    }
    let maker = answerable(&mut tx, by, &old, now).await?;
    let life = old.expires_at - old.created_at;
    let longest = maker.as_ref().map_or(life, |maker| maker.expires_at.max(old.expires_at) - now);
    let terms = KeyTerms {
        name: old.name,
        scopes: Scopes::of(&old.scopes),
        life: life.min(longest),
        requests_per_minute: old.requests_per_minute,
        acts_for: old.acts_for,
    };
    let origin = KeyOrigin { now, maker: maker.map(|maker| maker.id), replaced: Some(old.id) };
    let made = insert(context, &mut tx, by, (old.organisation_id, terms), origin).await?;
    queries::replace(&mut tx, old.id, made.0.id, old.expires_at.min(now + overlap)).await?;
    let committed = tx.commit().await;
    context.forget();
    committed.map_err(commit_error)?;
    Ok(made)
}

/// Returns the key that is answerable for the successor of this one: the one that makes it, or for a key that rotates itself the one
/// that made that; `None` if people are. A program is refused that would see a key with a higher limit than its own.
async fn answerable(
    tx: &mut PgConnection,
    by: Principal,
    old: &PartnerKeyRow,
    now: DateTime<Utc>,
) -> ApiResult<Option<PartnerKeyRow>> {
    match maker(tx, by, now).await? {
        None => Ok(None),
        Some(own) if own.id == old.id => match old.created_by_key {
            Some(id) => Ok(queries::find(&mut *tx, id).await?),
            None => Ok(None),
        },
        Some(other) if other.requests_per_minute < old.requests_per_minute => Err(ApiError::forbidden(
            "Only the key itself, a manager or an admin can rotate a key with a higher limit.",
        )),
        Some(other) => Ok(Some(other)),
    }
}

async fn insert(
    context: &OrganisationsContext,
    tx: &mut PgConnection,
    by: Principal,
    (organisation_id, terms): (Uuid, KeyTerms),
    KeyOrigin { now, maker, replaced }: KeyOrigin,
) -> ApiResult<(PartnerKeyRow, String)> {
    let made = MadeKey::new(context.environment, &context.random.bytes());
    let row = PartnerKeyRow {
        id: context.random.id(now),
        handle: made.handle,
        organisation_id,
        acts_for: terms.acts_for,
        name: terms.name,
        scopes: terms.scopes.list(),
        requests_per_minute: terms.requests_per_minute,
        created_by: by.audit_actor(),
        created_by_key: maker,
        created_at: now,
        expires_at: now + terms.life,
        last_used_at: None,
        revoked_at: None,
        replaced_by: None,
    };
    // A key can always be replaced, also if there is no room for another one.
    let most = if replaced.is_some() { MAX_KEYS + 1 } else { MAX_KEYS };
    if !queries::insert(tx, &row, &text::hash(&made.text), most).await? {
        let why = format!("An organisation can have at most {MAX_KEYS} keys. Revoke one first.");
        return Err(ApiError::new(Code::Conflict, why));
    }
    audited::key_made(context, tx, by, &row, replaced).await?;
    Ok((row, made.text))
}

/// Revokes a key at once, on all servers, and with it the keys that it made. Keys that were revoked before stay as they are.
pub async fn revoke(context: &OrganisationsContext, by: Principal, key: &PartnerKeyRow) -> ApiResult<()> {
    let mut tx = context.db.begin().await?;
    organisations::lock(&mut tx, key.organisation_id).await?.ok_or_else(no_such_organisation)?;
    for revoked in queries::revoke(&mut tx, key.id, context.clock.now()).await? {
        audited::key_revoked(context, &mut tx, by, &revoked).await?;
    }
    let committed = tx.commit().await;
    context.forget();
    committed.map_err(commit_error)
}

/// Refuses a key with more rights than its maker has.
pub fn check_rights(caller: &PartnerCaller, key: Scopes) -> ApiResult<()> {
    if caller.scopes.include(key) {
        return Ok(());
    }
    let missing = key.list().into_iter().filter(|scope| !caller.scopes.has(*scope));
    let missing: Vec<&str> = missing.map(|scope| scope.as_str()).collect();
    Err(ApiError::forbidden(format!("You can't hand out a scope that you lack: {}.", missing.join(", "))))
}

/// Refuses to show the successor of a key to a program that may do less.
pub fn check_rotation(caller: &PartnerCaller, key: &PartnerKeyRow) -> ApiResult<()> {
    check_rights(caller, Scopes::of(&key.scopes))?;
    match caller.via {
        PartnerVia::Key(id) if id != key.id && !key.acts_for.is_empty() => {
            Err(ApiError::forbidden("Only the key itself, a manager or an admin can rotate an agency's key."))
        }
        PartnerVia::Key(_) | PartnerVia::Member { .. } => Ok(()),
    }
}

fn no_such_key() -> ApiError {
    ApiError::not_found("partner key")
}
