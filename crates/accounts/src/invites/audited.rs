//! The audit entries of invitations. They never hold a token or its hash.

use chrono::{DateTime, Utc};
use roadcall_base::random::Random;
use roadcall_http::Timestamp;
use roadcall_platform::audit::{self, NewAuditEntry};
use serde_json::{Value, json};
use sqlx::{PgConnection, Result};
use uuid::Uuid;

use super::{queries::InviteRow, state::InviteStatus};

/// Records an invitation. `replaced` is the invitation of the same email that it replaced.
pub async fn invited(
    tx: &mut PgConnection,
    random: &Random,
    row: &InviteRow,
    replaced: Option<Uuid>,
) -> Result<()> {
    let after = json!({
        "status": InviteStatus::Pending, "email": row.email, "role": row.role,
        "desks": row.at().list(), "expires_at": Timestamp(row.expires_at), "replaced": replaced,
    });
    write(tx, random, row.created_at, ("invite.create", row.invited_by, row.id), Value::Null, after).await
}

pub async fn revoked(
    tx: &mut PgConnection,
    random: &Random,
    actor: Option<Uuid>,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    let (before, after) = (InviteStatus::Pending, InviteStatus::Revoked);
    let (before, after) = (json!({"status": before}), json!({"status": after}));
    write(tx, random, now, ("invite.revoke", actor, id), before, after).await
}

/// Records the acceptance as an act of the person who accepted.
pub async fn accepted(
    tx: &mut PgConnection,
    random: &Random,
    user_id: Uuid,
    row: &InviteRow,
    now: DateTime<Utc>,
) -> Result<()> {
    let before = json!({"status": InviteStatus::Pending});
    let after = json!({
        "status": InviteStatus::Accepted, "email": row.email, "role": row.role,
        "desks": row.at().list(), "accepted_by": user_id,
    });
    write(tx, random, now, ("invite.accept", Some(user_id), row.id), before, after).await
}

async fn write(
    tx: &mut PgConnection,
    random: &Random,
    at: DateTime<Utc>,
    (action, actor, id): (&str, Option<Uuid>, Uuid),
    before: Value,
    after: Value,
) -> Result<()> {
    let entry = NewAuditEntry {
        actor_id: actor,
        action,
        subject_kind: "admin_invite",
        subject_id: id,
        before,
        after,
    };
    audit::record(tx, random, at, entry).await
}
