//! Asking somebody where they are, and their answer.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_accounts::auth::{self, AuthContext, TextRecipient};
use roadcall_platform::{
    db::Db,
    error::{ApiError, ApiResult, Code, commit_error},
    keys::KeyRing,
};
use roadcall_providers::sms::{SmsError, TextKind, TextNumber};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    audited,
    code::{self, code_of},
    dto::{NewlyAskedPlace, NotTexted},
    queries::{self, NewRequest, PlaceRequestRow},
};
use crate::PlaceRequestLimits;

/// How long a link accepts a place.
pub const OPEN_FOR: TimeDelta = TimeDelta::minutes(30);
/// Requests are deleted after this time, and limited within it.
const DAY: TimeDelta = TimeDelta::days(1);
const DAY_S: u64 = 24 * 3600;

fn keys(context: &AuthContext) -> KeyRing<[u8; 32]> {
    context.auth.keys("links that ask for a place")
}

/// Makes a request and sends its link by SMS. Without a text message the link can still be read out.
pub async fn ask(
    context: &AuthContext,
    limits: PlaceRequestLimits,
    admin: Uuid,
    phone: &str,
) -> ApiResult<NewlyAskedPlace> {
    let to = context.auth.sms().number("phone", phone)?;
    let now = context.clock.now();
    let code = code_of(context.random.bytes());
    let code_hmac = code::kept(*keys(context).current(), &code);
    let code_hmac = code_hmac.ok_or_else(|| ApiError::internal("a code is none"))?;
    let new = NewRequest {
        id: context.random.id(now),
        admin_id: admin,
        code_hmac,
        number_key: context.auth.budget_of(Uuid::nil(), Some(phone)),
        created_at: now,
        expires_at: now + OPEN_FOR,
    };
    let mut tx = context.db.begin().await?;
    // The requests of an admin run one after the other, so that each counts those before it.
    auth::lock_account(&mut tx, admin).await?;
    queries::lock_number(&mut tx, new.number_key).await?;
    check_room(context, limits, &mut tx, &new, phone).await?;
    queries::insert(&mut tx, &new).await?;
    audited::asked(&mut tx, &context.random, admin, (new.id, to.country()), now).await?;
    tx.commit().await.map_err(commit_error)?;
    let url = format!("{}/where/{code}", context.settings.server.public_url.trim_end_matches('/'));
    let not_texted = text(context, new.id, &to, &url).await?;
    Ok(NewlyAskedPlace {
        id: new.id,
        url,
        expires_at: new.expires_at.into(),
        sent_at: not_texted.is_none().then(|| now.into()),
        not_texted,
    })
}

/// Checks that neither this admin asked nor this number was asked too often; else 429.
async fn check_room(
    context: &AuthContext,
    limits: PlaceRequestLimits,
    tx: &mut PgConnection,
    new: &NewRequest,
    phone: &str,
) -> ApiResult<()> {
    let asked =
        queries::asked_since(tx, new.admin_id, &context.auth.number_keys(phone), new.created_at - DAY)
            .await?;
    let why = if asked.by_admin >= limits.per_admin {
        "You have reached the limit of location requests for 24 hours (sms.wheres_per_admin_per_day)."
    } else if asked.of_number >= limits.per_number {
        "This number has reached the limit of location requests for 24 hours (sms.wheres_per_number_per_day)."
    } else {
        return Ok(());
    };
    Err(ApiError::new(Code::RateLimited, why).retry_after(DAY_S))
}

/// Sends the link, within the budgets of text messages; returns why it was not sent.
async fn text(context: &AuthContext, id: Uuid, to: &TextNumber, url: &str) -> ApiResult<Option<NotTexted>> {
    let sms = context.auth.sms();
    if !sms.is_sent() {
        return Ok(Some(NotTexted::NoProvider));
    }
    if !sms.may_send(TextKind::Where.as_str()) {
        return Ok(Some(NotTexted::NoTemplate));
    }
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let limits = context.auth.text_limits();
    match auth::admit_text_message(limits, &mut tx, to, TextRecipient::KnownPhone, now).await {
        Ok(()) => tx.commit().await.map_err(commit_error)?,
        Err(error) if error.code == Code::Unavailable => {
            tx.rollback().await?;
            return Ok(Some(NotTexted::NoBudget));
        }
        Err(error) => return Err(error),
    }
    Ok(match sms.send_place_request(id, to, url).await {
        Ok(()) => {
            queries::mark_sent(&context.db, id, now).await?;
            None
        }
        Err(SmsError::NotTaken(_)) => {
            auth::give_back_text_message(limits, &context.db, to, now).await?;
            Some(NotTexted::Refused)
        }
        Err(SmsError::Unknown(_)) => Some(NotTexted::Unknown),
    })
}

/// Finds the request with this code: 404 for an unknown code, 410 if it no longer accepts a place.
pub async fn open(context: &AuthContext, text: &str) -> ApiResult<PlaceRequestRow> {
    let missing = || ApiError::not_found("request for a place");
    let keys = keys(context);
    let code_hmacs: Option<Vec<Vec<u8>>> = keys.all().map(|key| code::kept(*key, text)).collect();
    let row = queries::of_code(&context.db, &code_hmacs.ok_or_else(missing)?).await?.ok_or_else(missing)?;
    if row.is_open(context.clock.now()) { Ok(row) } else { Err(ended()) }
}

/// Stores where somebody is; it replaces their previous answer.
pub async fn share(
    context: &AuthContext,
    text: &str,
    place: (f64, f64, Option<f64>),
) -> ApiResult<PlaceRequestRow> {
    let row = open(context, text).await?;
    let placed = queries::place(&context.db, row.id, place, context.clock.now()).await;
    placed.map_err(commit_error)?.ok_or_else(ended)
}

fn ended() -> ApiError {
    ApiError::new(Code::LinkExpired, "This link has expired. Ask for another one on the phone.")
}

/// Takes the place, which can then no longer be corrected. Repeating this changes nothing.
pub async fn take(context: &AuthContext, admin: Uuid, id: Uuid) -> ApiResult<PlaceRequestRow> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let Some(row) = queries::mark_used(&mut *tx, id, now).await? else {
        queries::find(&mut *tx, id).await?.ok_or_else(|| ApiError::not_found("request for a place"))?;
        return Err(ApiError::new(Code::InvalidTransition, "They have not shared their location yet."));
    };
    audited::used(&mut tx, &context.random, admin, id, now).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

/// Deletes requests older than a day, with their places; at most `limit`.
pub async fn sweep(db: &Db, now: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    queries::sweep(db, now - DAY, limit).await
}
