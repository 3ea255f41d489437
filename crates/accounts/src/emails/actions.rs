//! Sends a code to an address, and accepts the address once the code comes back.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_platform::{
    db::Db,
    error::{ApiError, ApiResult, Code, commit_error},
    keys::KeyRing,
};
use roadcall_providers::{
    mail::MailAddress,
    mails::{self, MailKind, NewMail},
};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    dto::EmailCodeSent,
    queries::{self, EmailCodeRow},
};
use crate::{
    auth::{self, AuthContext, CountedMessage, DailyLimits, MessageKind, OtpKey},
    users::{self, UserRow},
};

/// The lifetime of a code. Mail may be slow.
pub const GOOD_FOR: TimeDelta = TimeDelta::minutes(30);
/// The wait before another code is sent.
const RESEND_AFTER: TimeDelta = TimeDelta::seconds(60);
/// Wrong tries of one code.
const WRONG_TRIES: i32 = 5;
/// The daily limits of codes for a person and to an address, which others may name as well.
const CODES_OF_A_DAY: DailyLimits = DailyLimits::shared(5, 5);

/// Returns the keys from which codes are derived.
fn keys(context: &AuthContext) -> KeyRing<OtpKey> {
    context.auth.keys("codes of addresses").map(|key| OtpKey::new(*key))
}

/// Returns the subject of a code: the code of one person and address is useless for another.
fn whose(user_id: Uuid, row: &EmailCodeRow) -> String {
    format!("{user_id} {}", row.email)
}

/// Returns the code of a row.
pub(super) fn code(context: &AuthContext, user_id: Uuid, row: &EmailCodeRow) -> String {
    keys(context).current().code(&whose(user_id, row), &row.nonce)
}

/// Compares a code in constant time. The mail may have been written with another secret of the service that is still
/// accepted.
fn is_right(context: &AuthContext, user_id: Uuid, row: &EmailCodeRow, given: &str) -> bool {
    let whose = whose(user_id, row);
    keys(context).any(|key| key.matches(&whose, given, &key.seal(&whose, &key.code(&whose, &row.nonce))))
}

/// Refuses with 404 if no mail is sent, since nothing can be confirmed.
fn check_sent(context: &AuthContext) -> ApiResult<()> {
    let refused = || ApiError::new(Code::NotFound, "No mail is sent here, so no address can be confirmed.");
    if context.auth.mails().are_sent() { Ok(()) } else { Err(refused()) }
}

/// Sends a code to an address. The code replaces the previous one.
pub async fn send_code(context: &AuthContext, user_id: Uuid, email: String) -> ApiResult<EmailCodeSent> {
    check_sent(context)?;
    if MailAddress::of(&email).is_none() {
        return Err(ApiError::invalid("email", "is no address that mail can go to"));
    }
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_customer(&mut tx, user_id).await?;
    let id = context.random.id(now);
    check_room(context, &mut tx, (id, user_id), &email, now).await?;
    let nonce: [u8; 16] = context.random.bytes();
    let row = EmailCodeRow {
        email,
        nonce: nonce.to_vec(),
        wrong_tries: 0,
        sent_at: now,
        expires_at: now + GOOD_FOR,
    };
    queries::store_code(&mut tx, user_id, &row).await?;
    let mail = NewMail {
        id,
        kind: MailKind::EmailCode,
        about_id: user_id,
        user_id: Some(user_id),
        address: &row.email,
    };
    mails::post(&mut tx, &mail, now).await?;
    tx.commit().await.map_err(commit_error)?;
    context.auth.mails().wake();
    let is_shown = context.auth.settings().dev_otp && context.auth.mails().are_logged();
    Ok(EmailCodeSent {
        otp: is_shown.then(|| code(context, user_id, &row)),
        email: row.email,
        expires_at: row.expires_at.into(),
        resend_at: (now + RESEND_AFTER).into(),
    })
}

/// Counts a code for the person and for the address; 429 if codes were sent too often.
async fn check_room(
    context: &AuthContext,
    tx: &mut PgConnection,
    (id, user_id): (Uuid, Uuid),
    email: &str,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let limited =
        |why: &'static str, seconds| Err(ApiError::new(Code::RateLimited, why).retry_after(seconds));
    if let Some(before) = queries::code_of(&mut *tx, user_id).await? {
        let wait = before.sent_at + RESEND_AFTER - now;
        if wait > TimeDelta::zero() {
            let seconds = u64::try_from(wait.num_seconds() + 1).unwrap_or(1);
            return limited("We have just sent a code. Wait a minute before you ask for another.", seconds);
        }
    }
    let phone = users::find(&mut *tx, user_id).await?.and_then(|person| person.phone);
    let message = CountedMessage {
        id,
        kind: MessageKind::EmailCode,
        recipient_keys: context.auth.address_keys(email),
        person_keys: context.auth.person_keys(user_id, phone.as_deref()),
    };
    match auth::count_message(tx, &message, CODES_OF_A_DAY, now).await? {
        Some(seconds) => limited("Too many codes were sent today. Try again tomorrow.", seconds),
        None => Ok(()),
    }
}

/// Makes the address to which the code was sent the person's.
pub async fn confirm(context: &AuthContext, user_id: Uuid, given: &str) -> ApiResult<UserRow> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_customer(&mut tx, user_id).await?;
    let wrong = || ApiError::invalid("code", "is wrong or has expired; check it, or ask for a new code");
    let row = queries::code_of(&mut *tx, user_id).await?;
    let Some(row) = row.filter(|row| row.expires_at > now && row.wrong_tries < WRONG_TRIES) else {
        return Err(wrong());
    };
    if !is_right(context, user_id, &row, given) {
        queries::count_wrong_try(&mut tx, user_id).await?;
        tx.commit().await.map_err(commit_error)?;
        return Err(wrong());
    }
    users::confirm_email(&mut tx, user_id, &row.email, now).await?;
    queries::delete_code(&mut tx, user_id).await?;
    let person = users::find(&mut *tx, user_id).await?.ok_or_else(users::gone)?;
    tx.commit().await.map_err(commit_error)?;
    Ok(person)
}

/// Removes the person's address, confirmed or not, and the code that was to confirm one.
pub async fn remove(context: &AuthContext, user_id: Uuid) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_customer(&mut tx, user_id).await?;
    queries::delete_code(&mut tx, user_id).await?;
    users::clear_email(&mut tx, user_id, now).await?;
    tx.commit().await.map_err(commit_error)
}

/// Deletes codes that are no longer valid, at most `limit`.
pub async fn sweep(db: &Db, now: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    queries::sweep(db, now, limit).await
}
