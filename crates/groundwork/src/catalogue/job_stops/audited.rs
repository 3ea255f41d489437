//! Stops of new jobs in the audit log.

use roadcall_platform::{
    audit::{self, NewAuditEntry},
    core::Core,
    error::ApiResult,
};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::queries::StopRow;

/// Records the previous version and the present one.
pub async fn record(
    core: &Core,
    tx: &mut PgConnection,
    action: &'static str,
    before: Option<&StopRow>,
    after: &StopRow,
) -> ApiResult<()> {
    let shown = |row: Option<&StopRow>| {
        let (message, ends_at) = row.map(|row| (row.message.as_ref(), row.ends_at)).unwrap_or_default();
        json!({"message": message, "ends_at": ends_at})
    };
    // There is only one such subject.
    let entry = NewAuditEntry::new(
        after.set_by,
        action,
        ("job_stop", Uuid::nil()),
        (shown(before), shown(Some(after))),
    );
    Ok(audit::record(tx, &core.random, after.set_at, entry).await?)
}
