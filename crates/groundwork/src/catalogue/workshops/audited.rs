//! Workshops in the audit log.

use roadcall_platform::{
    audit::{self, NewAuditEntry},
    core::Core,
    error::ApiResult,
};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::dto::Workshop;

/// Records what admins see of a workshop before and after; `None` if there was no workshop.
pub async fn record(
    core: &Core,
    tx: &mut PgConnection,
    admin: Uuid,
    action: &'static str,
    before: Option<&Workshop>,
    after: Option<&Workshop>,
) -> ApiResult<()> {
    let Some(subject) = after.or(before) else { return Ok(()) };
    let entry = NewAuditEntry::new(admin, action, ("workshop", subject.id), (json!(before), json!(after)));
    Ok(audit::record(tx, &core.random, core.clock.now(), entry).await?)
}
