//! The handler that lists the trail.

use actix_web::{HttpResponse, get, web::Data};

use super::{dto::AuditEntry, queries};
use crate::{
    accounts::auth::{Admin, desk},
    http::{AdminList, ExportQuery, KeyedRows, ListWindow, Page, RowKey, list},
    platform::{core::Core, error::ApiResult},
};

/// Lists admins' actions, newest first. Every given condition must hold.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Every))),
    params(ExportQuery<queries::AuditFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<AuditEntry> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/audit-log")]
pub async fn list_audit_log(
    Admin(admin, _): Admin<desk::Every>,
    context: Data<Core>,
    query: ExportQuery<queries::AuditFilter>,
) -> ApiResult<HttpResponse> {
    list::<AuditLog>(&context, admin.user_id, &query).await
}

/// The list of admins' actions.
struct AuditLog;

impl AdminList for AuditLog {
    const NAME: &'static str = "audit-log";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "email"];
    type Filter = queries::AuditFilter;
    type Item = AuditEntry;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, filter).await?)
    }

    async fn rows(core: &Core, filter: &Self::Filter, window: ListWindow) -> KeyedRows<Self::Item> {
        let rows = queries::list(&core.db, filter, window).await?;
        Ok(rows.into_iter().map(|row| (RowKey { at: row.at, id: row.id }, AuditEntry::from(row))).collect())
    }
}
