//! The trail, for reading.

use actix_web::{HttpResponse, get, web::Data};

use super::{
    dto::{AuditEntry, AuditParams},
    queries,
};
use crate::{
    accounts::auth::{Admin, desk},
    http::{AdminList, ListFormat, ListRequest, ListWindow, Page, Query, RowKey, Text, Timestamp, list},
    platform::{core::Core, error::ApiResult},
};

/// What admins did, the newest first. Every condition that is given must hold.
#[utoipa::path(
    tag = "admin",
    params(
        ("actor_id" = Option<Uuid>, Query, description = "The admin", example = "019b7876-a4c0-7a10-8d21-5c0e4f9a1b03"),
        ("action" = Option<Text<1, 100>>, Query, description = "Noun and verb", example = "mechanic.suspend"),
        ("object_type" = Option<Text<1, 100>>, Query, example = "mechanic_profile"),
        ("object_id" = Option<Uuid>, Query, example = "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01"),
        ("from" = Option<Timestamp>, Query, description = "From this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Before this time", example = "2026-04-01T00:00:00Z"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<AuditEntry> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/audit-log")]
pub async fn list_audit_log(
    Admin(admin, _): Admin<desk::Every>,
    context: Data<Core>,
    query: Query<AuditParams>,
) -> ApiResult<HttpResponse> {
    let params = query.read()?;
    let request = ListRequest::new(params.page, params.limit, params.format, query.pairs())?;
    let filter = params.filter()?;
    list::<AuditLog>(&context, admin.user_id, request, filter).await
}

/// What admins did.
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

    async fn rows(
        core: &Core,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list(&core.db, filter, window).await?;
        Ok(rows.into_iter().map(|row| (RowKey { at: row.at, id: row.id }, AuditEntry::from(row))).collect())
    }
}
