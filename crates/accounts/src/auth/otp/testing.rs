//! A test message to an admin's phone, which shows whether text messages can be sent at all.

use chrono::{DateTime, Utc};
use roadcall_platform::{
    audit::{self, NewAuditEntry},
    error::{ApiResult, commit_error},
};
use roadcall_providers::sms::{SmsError, TextNumber};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::text_messages::{TextRecipient, admit_text_message, give_back_text_message};
use crate::auth::{
    AuthContext,
    dto::{SmsOutcome, SmsTest},
    lock_account,
};

/// The action's name in the audit log.
const ACTION: &str = "sms.test";
/// The text in place of a code. It opens nothing.
const CODE: &str = "000000";

/// Sends the text of a one-time password, which a provider that demands registered texts knows, with a code of zeros.
pub async fn send_test(context: &AuthContext, admin: Uuid, phone: &str) -> ApiResult<SmsTest> {
    let to = context.auth.0.sms.number("phone", phone)?;
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    // Tests run one after the other, so that each counts those before it.
    lock_account(&mut tx, admin).await?;
    admit(context, &mut tx, admin, &to, now).await?;
    tx.commit().await.map_err(commit_error)?;
    if !context.auth.0.sms.is_sent() {
        return Ok(SmsTest { outcome: SmsOutcome::NotSent, reason: None });
    }
    let id = context.random.id(now);
    let Err(why) = context.auth.0.sms.send_otp(id, &to, CODE).await else {
        return Ok(SmsTest { outcome: SmsOutcome::Taken, reason: None });
    };
    if why.is_free() {
        give_back_text_message(context.auth.text_limits(), &context.db, &to, now).await?;
    }
    let outcome = match &why {
        SmsError::NotTaken(_) => SmsOutcome::Refused,
        SmsError::Unknown(_) => SmsOutcome::Unknown,
    };
    Ok(SmsTest { outcome, reason: Some(why.reason().to_owned()) })
}

/// Counts and records a test; 429 if there were too many.
async fn admit(
    context: &AuthContext,
    tx: &mut PgConnection,
    admin: Uuid,
    to: &TextNumber,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let why = "You have reached the limit of test messages for 24 hours (sms.tests_per_day).";
    let limits = context.auth.text_limits();
    audit::check_daily(tx, (admin, ACTION), (limits.tests_per_day, why), now).await?;
    admit_text_message(limits, tx, to, TextRecipient::KnownPhone, now).await?;
    // The number itself is never recorded.
    let after = json!({"country": to.country()});
    let entry = NewAuditEntry::new(admin, ACTION, ("user", admin), (Value::Null, after));
    Ok(audit::record(tx, &context.random, now, entry).await?)
}
