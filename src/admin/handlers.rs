//! The trail, for reading.

use actix_web::{
    get,
    web::{Data, Json},
};

use super::{
    dto::{AuditEntry, AuditParams},
    queries,
};
use crate::{
    auth::Admin,
    error::ApiResult,
    state::AppState,
    web::{Page, PageParams, Query, Timestamp},
};

/// What admins did, the newest first. Every condition that is given must hold.
#[utoipa::path(
    tag = "admin",
    params(
        ("actor_id" = Option<Uuid>, Query, description = "The admin", example = "019b7876-a4c0-7a10-8d21-5c0e4f9a1b03"),
        ("action" = Option<String>, Query, description = "Noun and verb", example = "mechanic.suspend"),
        ("object_type" = Option<String>, Query, example = "mechanic_profile"),
        ("object_id" = Option<Uuid>, Query, example = "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01"),
        ("from" = Option<Timestamp>, Query, description = "From this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Before this time", example = "2026-04-01T00:00:00Z"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, body = Page<AuditEntry>)),
)]
#[get("/admin/audit-log")]
pub async fn list_audit_log(
    _: Admin,
    state: Data<AppState>,
    params: Query<AuditParams>,
) -> ApiResult<Json<Page<AuditEntry>>> {
    let params = params.read()?;
    let page = PageParams::new(params.page, params.limit)?;
    let filter = params.filter()?;
    let total = queries::count(&state.db, &filter).await?;
    let rows = queries::list(&state.db, &filter, page).await?;
    Ok(Json(page.of(rows.into_iter().map(AuditEntry::from).collect(), total)))
}
