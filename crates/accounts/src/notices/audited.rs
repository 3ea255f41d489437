//! Privacy notices in the audit log. Their texts stay in their own rows, which nothing changes.

use roadcall_platform::{
    audit::{self, NewAuditEntry},
    core::Core,
    error::ApiResult,
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::queries::NoticeRow;

/// Records the versions that were in force before and are in force now.
pub async fn published(
    core: &Core,
    tx: &mut PgConnection,
    before: Option<&NoticeRow>,
    row: &NoticeRow,
) -> ApiResult<()> {
    let shown = |row: &NoticeRow| json!({"version": row.version, "languages": row.languages(), "ask_again": row.ask_again});
    let entry = NewAuditEntry {
        actor_id: Some(row.published_by),
        action: "privacy_notice.publish",
        subject_kind: "privacy_notice",
        // There is only one notice, in versions.
        subject_id: Uuid::nil(),
        before: before.map_or(Value::Null, shown),
        after: shown(row),
    };
    Ok(audit::record(tx, &core.random, row.published_at, entry).await?)
}
