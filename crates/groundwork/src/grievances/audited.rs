//! Answers in the audit log: who answered whom, and when it was due. The text is left out, since it is deleted with the account.

use chrono::{DateTime, Utc};
use roadcall_actors::random::Random;
use roadcall_http::Timestamp;
use roadcall_platform::audit::{self, NewAuditEntry};
use serde_json::json;
use sqlx::{PgConnection, Result};
use uuid::Uuid;

use super::{queries::GrievanceRow, state::GrievanceStatus};

pub async fn answered(
    tx: &mut PgConnection,
    random: &Random,
    admin: Uuid,
    row: &GrievanceRow,
    now: DateTime<Utc>,
) -> Result<()> {
    let before = json!({"status": GrievanceStatus::Open});
    let after = json!({
        "status": row.status(), "kind": row.kind, "user_id": row.user_id, "due_at": Timestamp(row.due_at),
    });
    let entry = NewAuditEntry::new(admin, "grievance.answer", ("grievance", row.id), (before, after));
    audit::record(tx, random, now, entry).await
}
