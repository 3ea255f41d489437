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
    // There is only one notice, in versions.
    let before = before.map_or(Value::Null, shown);
    let entry = NewAuditEntry::new(
        row.published_by,
        "privacy_notice.publish",
        ("privacy_notice", Uuid::nil()),
        (before, shown(row)),
    );
    Ok(audit::record(tx, &core.random, row.published_at, entry).await?)
}
