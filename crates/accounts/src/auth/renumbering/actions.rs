//! Changing a number, and the message to the old one.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_http::ValidationErrors;
use roadcall_platform::error::{ApiError, ApiResult, Code, commit_error};
use roadcall_providers::sms::TextNumber;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    super::{
        callers::forget,
        context::AuthContext,
        locking::lock_customer,
        otp::{self, Source},
        sessions,
    },
    audited, queries,
};

/// The number of changes that one person can make within [`WINDOW`].
const MAX_CHANGES: i64 = 3;
const WINDOW: TimeDelta = TimeDelta::days(30);
/// The time during which the service tries to send the old number its message.
const NOTIFY_FOR: TimeDelta = TimeDelta::days(1);
/// Messages that one run sends.
const NOTIFIED_AT_ONCE: i64 = 50;

/// A person's request to change their number.
#[derive(Clone, Copy)]
pub struct NumberChange<'a> {
    pub user_id: Uuid,
    /// The session that stays open.
    pub session_id: Uuid,
    pub new: &'a str,
    /// The code that was sent to the new number.
    pub new_code: &'a str,
    /// The code that was sent to the present number.
    pub current_code: &'a str,
    pub source: &'a Source,
}

/// Changes the number that a person signs in with, ends their other sessions and sends the old number a message. Returns
/// a token by which their device is known with the new one.
pub async fn change_number(context: &AuthContext, change: NumberChange<'_>) -> ApiResult<String> {
    let now = context.clock.now();
    let (id, old) = change.commit(context, now).await?;
    forget(context, change.user_id).await;
    notify(context, id, &old, now).await;
    let known_until = now + TimeDelta::seconds(context.auth.settings().device_token_ttl_s);
    let device = context.random.id(now);
    Ok(context.auth.0.device_keys.current().issue(change.new, device, known_until))
}

impl NumberChange<'_> {
    /// Returns the change's id and the old number.
    async fn commit(&self, context: &AuthContext, now: DateTime<Utc>) -> ApiResult<(Uuid, TextNumber)> {
        let &Self { user_id, session_id, new, source, .. } = self;
        let old = queries::phone_of(&context.db, user_id).await?;
        let old = old.ok_or_else(|| ApiError::unauthorized("This account was deleted."))?;
        if old == new {
            return Err(ApiError::invalid("phone", "is your number already"));
        }
        // The old number could not be sent a code either.
        let to = context.auth.0.sms.number("current_otp", &old)?;
        let mut tx = context.db.begin().await?;
        // The numbers' locks come before the account's, as in a sign-in.
        otp::lock_both(context, &mut tx, [&old, new], source, now).await?;
        lock_customer(&mut tx, user_id).await?;
        if queries::phone_of(&mut *tx, user_id).await?.as_ref() != Some(&old) {
            return Err(ApiError::new(Code::Conflict, "Your number was changed a moment ago. Try again."));
        }
        check_room(&mut tx, user_id, now).await?;
        if let Some(refused) = self.check_codes(context, &mut tx, &old, now).await? {
            // The wrong tries count.
            tx.commit().await.map_err(commit_error)?;
            return Err(refused);
        }
        // Only the number's owner may learn that it has an account.
        if queries::is_taken(&mut tx, new).await? {
            let why = "This number has an account of its own. Sign in with it, or delete that account first.";
            return Err(ApiError::new(Code::Conflict, why));
        }
        let id = context.random.id(now);
        queries::change(&mut tx, id, user_id, (&old, new), now).await?;
        sessions::queries::revoke_others(&mut tx, user_id, session_id, "phone_changed", now).await?;
        audited::changed(&mut tx, &context.random, user_id, (&old, new), now).await?;
        // This comes last, since everybody's sends wait for its row.
        let limits = context.auth.text_limits();
        otp::admit_text_message(limits, &mut tx, &to, otp::TextRecipient::KnownPhone, now).await?;
        tx.commit().await.map_err(commit_error)?;
        Ok((id, to))
    }

    /// Spends both codes; a wrong code is counted and named, and the other code stays valid.
    async fn check_codes(
        &self,
        context: &AuthContext,
        tx: &mut PgConnection,
        old: &str,
        now: DateTime<Utc>,
    ) -> ApiResult<Option<ApiError>> {
        let sent = [("current_otp", old, self.current_code), ("otp", self.new, self.new_code)];
        let mut faults = ValidationErrors::default();
        for (field, phone, code) in sent {
            if !otp::is_right(context, tx, phone, code, self.source, now).await? {
                faults.add(field, "is wrong or has expired; check it, or request a new code");
            }
        }
        if let Err(faults) = faults.into_result() {
            return Ok(Some(faults));
        }
        for (_, phone, _) in sent {
            otp::spend(tx, phone).await?;
        }
        Ok(None)
    }
}

async fn check_room(tx: &mut PgConnection, user_id: Uuid, now: DateTime<Utc>) -> ApiResult<()> {
    let since = now - WINDOW;
    let (count, first) = queries::changes_since(tx, user_id, since).await?;
    let Some(first) = first.filter(|_| count >= MAX_CHANGES) else { return Ok(()) };
    let wait_s = (first - since).num_seconds().max(0).unsigned_abs() + 1;
    let why = format!("You can change your number {MAX_CHANGES} times within {} days.", WINDOW.num_days());
    Err(ApiError::new(Code::RateLimited, why).retry_after(wait_s))
}

/// Sends the message to the old numbers that have not got it yet; returns how many it sent.
pub async fn notify_old_numbers(context: &AuthContext) -> ApiResult<u64> {
    let since = context.clock.now() - NOTIFY_FOR;
    let mut notified = 0;
    for (id, phone) in queries::not_yet_notified(&context.db, since, NOTIFIED_AT_ONCE).await? {
        // A number that no longer gets texts, or whose country has no budget left, does not hold up the others.
        let to = context.auth.0.sms.number("phone", &phone);
        if let Ok(to) = to
            && let Ok(counted_at) = admit_message(context, &to).await
        {
            notified += u64::from(notify(context, id, &to, counted_at).await);
        }
    }
    Ok(notified)
}

/// Counts one more message to the old number; returns the time at which it counts.
async fn admit_message(context: &AuthContext, to: &TextNumber) -> ApiResult<DateTime<Utc>> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let limits = context.auth.text_limits();
    otp::admit_text_message(limits, &mut tx, to, otp::TextRecipient::KnownPhone, now).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(now)
}

/// Sends the old number its message, which was counted at that time, and returns whether that worked; if not,
/// [`notify_old_numbers`] tries again.
async fn notify(context: &AuthContext, id: Uuid, to: &TextNumber, counted_at: DateTime<Utc>) -> bool {
    let done = send(context, id, to, counted_at).await;
    if let Err(error) = &done {
        tracing::warn!(%error, phone_change.id = %id, "an old number could not be sent its message; will retry");
    }
    done.is_ok()
}

/// Sends the message. A message that costs nothing, since it was not taken, does not count.
async fn send(context: &AuthContext, id: Uuid, to: &TextNumber, counted_at: DateTime<Utc>) -> ApiResult<()> {
    let Err(why) = context.auth.0.sms.send_number_changed(id, to).await else {
        return Ok(queries::mark_told(&context.db, id, context.clock.now()).await?);
    };
    if why.is_free() {
        otp::give_back_text_message(context.auth.text_limits(), &context.db, to, counted_at).await?;
    }
    Err(ApiError::unavailable(why))
}
