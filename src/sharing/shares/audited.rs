//! Links in the audit log, which contains neither a number nor a token.

use roadcall_actors::random::Random;
use serde_json::{Value, json};
use sqlx::{PgConnection, Result};
use uuid::Uuid;

use super::{dto::LinkRecipient, queries::LinkRow};
use crate::platform::audit::{self, NewAuditEntry};

/// Records that an admin had a link to a job sent.
pub(super) async fn sent(
    tx: &mut PgConnection,
    random: &Random,
    admin: Uuid,
    link: &LinkRow,
    to: LinkRecipient,
) -> Result<()> {
    let after = json!({"share_id": link.id, "sent_to": to});
    let entry = NewAuditEntry::new(admin, "job.share", ("job", link.job_id), (Value::Null, after));
    audit::record(tx, random, link.created_at, entry).await
}
