//! Admins' decisions on changes. Each change has its own id, so that nobody approves one that the mechanic has replaced in the
//! meantime.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};
use roadcall_accounts::auth::{Admin, desk};
use roadcall_http::{
    AdminList, Body, ExportQuery, KeyedRows, ListWindow, NoFields, Owned, OwnedBy, Page, PathIds, RowKey,
    list,
};
use roadcall_platform::{
    core::Core,
    error::{ApiResult, ErrorBody},
};

use super::{
    actions::{self, ChangeDecision},
    dto::MechanicChange,
    queries::{self, ChangeRow, MechanicChangeFilter},
};
use crate::fleet::mechanics::{MechanicProfile, MechanicsContext, WithReason};

/// Lists the changes that mechanics ask for, newest first.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::People))),
    params(ExportQuery<MechanicChangeFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<MechanicChange> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/mechanic-changes")]
pub async fn list_mechanic_changes(
    context: Data<MechanicsContext>,
    Admin(admin, _): Admin<desk::People>,
    query: ExportQuery<MechanicChangeFilter>,
) -> ApiResult<HttpResponse> {
    list::<MechanicChanges>(&context, admin.user_id, &query).await
}

/// The list of all pending changes.
struct MechanicChanges;

impl AdminList for MechanicChanges {
    const NAME: &'static str = "mechanic-changes";
    const PERSONAL_DATA: &'static [&'static str] = &["name"];
    type Filter = MechanicChangeFilter;
    type Item = MechanicChange;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, filter).await?)
    }

    async fn rows(core: &Core, filter: &Self::Filter, window: ListWindow) -> KeyedRows<Self::Item> {
        let rows = queries::list(&core.db, filter, window).await?;
        Ok(rows.into_iter().map(|row| (RowKey { at: row.requested_at.0, id: row.id }, row)).collect())
    }
}

/// Approves a change: the mechanic serves what they asked for.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::People))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = MechanicProfile),
        (status = 409, body = ErrorBody, description = "CONFLICT: a category was switched off meanwhile, or none serves the types"),
    ),
)]
#[post("/admin/mechanic-changes/{id}/approve")]
pub async fn approve_mechanic_change(
    context: Data<MechanicsContext>,
    change: Owned<ChangeRow, Admin<desk::People>>,
    body: Body<NoFields>,
) -> ApiResult<Json<MechanicProfile>> {
    let (change, Admin(admin, _)) = change.into_parts();
    body.read()?;
    let profile = actions::decide(&context, admin.user_id, &change, ChangeDecision::Approve).await?;
    Ok(Json(MechanicProfile::from(profile)))
}

/// Rejects a change: the mechanic serves the same as before, and can read the reason.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::People))),
    params(("id" = Uuid, Path)),
    request_body = WithReason,
    responses((status = 200, body = MechanicProfile)),
)]
#[post("/admin/mechanic-changes/{id}/reject")]
pub async fn reject_mechanic_change(
    context: Data<MechanicsContext>,
    change: Owned<ChangeRow, Admin<desk::People>>,
    body: Body<WithReason>,
) -> ApiResult<Json<MechanicProfile>> {
    let (change, Admin(admin, _)) = change.into_parts();
    let decision = ChangeDecision::Reject { reason: body.read()?.reason.0 };
    let profile = actions::decide(&context, admin.user_id, &change, decision).await?;
    Ok(Json(MechanicProfile::from(profile)))
}

/// Admins decide on every change.
impl OwnedBy<Admin<desk::People>> for ChangeRow {
    const NAME: &'static str = "change";

    async fn find(core: &Core, _: &Admin<desk::People>, path: &PathIds) -> ApiResult<Option<Self>> {
        Ok(queries::find(&core.db, path.id("id")?).await?)
    }
}
