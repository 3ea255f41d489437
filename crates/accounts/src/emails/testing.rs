//! A test mail, which shows a super-admin whether mail can be sent at all.

use chrono::{DateTime, Utc};
use roadcall_platform::{
    audit::{self, NewAuditEntry},
    error::{ApiError, ApiResult, commit_error},
};
use roadcall_providers::mail::{MailAddress, MailError, MailMessage};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::dto::{MailOutcome, MailTest};
use crate::{
    auth::{self, AuthContext},
    users,
};

/// The action's name in the audit log.
const ACTION: &str = "mail.test";

/// Sends a mail at once; only this request waits for it, and it ends within `mail.timeout_ms`.
pub async fn send_test(context: &AuthContext, admin: Uuid, email: Option<String>) -> ApiResult<MailTest> {
    let own = match email {
        Some(email) => Some(email),
        None => users::find(&context.db, admin).await?.and_then(|row| row.email),
    };
    let email = own.ok_or_else(|| ApiError::invalid("email", "is needed: your account has none"))?;
    let refused = || ApiError::invalid("email", "is no address that mail can go to");
    let to = MailAddress::of(&email).ok_or_else(refused)?;
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    // Tests run one after the other, so that each counts those before it.
    auth::lock_account(&mut tx, admin).await?;
    admit(context, &mut tx, admin, now).await?;
    tx.commit().await.map_err(commit_error)?;
    if !context.auth.mails().have_server() {
        return Ok(MailTest { outcome: MailOutcome::NotSent, reason: None });
    }
    let message = MailMessage {
        id: context.random.id(now),
        to,
        kind: "test",
        written_at: now,
        language: "en",
        subject: "A test mail".to_owned(),
        text: "Mail from your roadside service arrives here. A super admin has asked for this test."
            .to_owned(),
        html: None,
        attachment: None,
    };
    let sent = context.auth.mails().mail.send(&message).await;
    let outcome = match &sent {
        Ok(()) => MailOutcome::Taken,
        Err(MailError::Refused(_)) => MailOutcome::Refused,
        Err(MailError::Later(_)) => MailOutcome::NotNow,
        Err(MailError::Unknown(_)) => MailOutcome::Unknown,
    };
    Ok(MailTest { outcome, reason: sent.err().map(|why| why.reason().to_owned()) })
}

/// Records a test; 429 if there were too many.
async fn admit(
    context: &AuthContext,
    tx: &mut PgConnection,
    admin: Uuid,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let why = "You have reached the limit of test mails for 24 hours (mail.tests_per_day).";
    let most = context.auth.mails().tests_per_day();
    audit::check_daily(tx, (admin, ACTION), (most, why), now).await?;
    // The address itself is never recorded.
    let entry = NewAuditEntry::new(admin, ACTION, ("user", admin), (Value::Null, json!({})));
    Ok(audit::record(tx, &context.random, now, entry).await?)
}
