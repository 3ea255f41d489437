//! The audit entry of a changed number: it says that the number was changed, without the numbers.

use chrono::{DateTime, Utc};
use roadcall_base::random::Random;
use roadcall_platform::audit::{self, NewAuditEntry};
use serde_json::json;
use sqlx::{PgConnection, Result};
use uuid::Uuid;

/// Records that somebody signs in with another number from now on.
pub async fn changed(
    tx: &mut PgConnection,
    random: &Random,
    user_id: Uuid,
    (old, new): (&str, &str),
    now: DateTime<Utc>,
) -> Result<()> {
    let entry = NewAuditEntry::new(
        user_id,
        "user.phone",
        ("user", user_id),
        (json!({"phone": old}), json!({"phone": new})),
    );
    audit::record(tx, random, now, entry).await
}
