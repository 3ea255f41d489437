//! The trail, for reading.

use actix_web::{HttpResponse, get, web::Data};

use super::{
    dto::{AuditEntry, AuditParams},
    queries,
};
use crate::{
    accounts::auth::Admin,
    http::{
        ListFormat, Page, PageParams, Query, RowKey, Text, Timestamp,
        csv_export::{self, Export},
    },
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
    Admin(admin): Admin,
    context: Data<Core>,
    query: Query<AuditParams>,
) -> ApiResult<HttpResponse> {
    let params = query.read()?;
    let page = PageParams::new(params.page, params.limit)?;
    let filter = params.filter()?;
    let total = queries::count(&context.db, &filter).await?;
    if csv_export::is_csv(params.format) {
        let export = Export { list: "audit-log", asked: query.pairs(), total };
        let db = context.db.clone();
        let read = move |slice| {
            let (db, filter) = (db.clone(), filter.clone());
            async move {
                let rows = queries::list(&db, &filter, slice).await?;
                Ok(rows
                    .into_iter()
                    .map(|row| (RowKey { at: row.at, id: row.id }, AuditEntry::from(row)))
                    .collect())
            }
        };
        return export.csv(&context, admin.user_id, read).await;
    }
    let rows = queries::list(&context.db, &filter, page.into()).await?;
    Ok(HttpResponse::Ok().json(page.of(rows.into_iter().map(AuditEntry::from).collect(), total)))
}
