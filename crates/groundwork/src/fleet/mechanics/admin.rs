//! The admins' side of mechanics: viewing profiles, and deciding about them.

use actix_web::{HttpResponse, get, post, web::Data};
use roadcall_accounts::auth::{Admin, AnyId, desk};
use roadcall_http::{
    AdminList, Body, ExportQuery, KeyedRows, ListWindow, NoFields, Owned, Page, RowKey, list,
};
use roadcall_platform::{
    core::Core,
    error::{ApiResult, ErrorBody},
};

use super::{
    actions::move_profile,
    dto::{MechanicForAdmin, MechanicProfile, WithReason},
    lookup,
    queries::{self, MechanicFilter},
    refusals::no_such_mechanic,
    state::ProfileCommand,
};
use crate::fleet::mechanics::MechanicsContext;

/// Lists mechanics, newest first.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Cases))),
    params(ExportQuery<MechanicFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<MechanicForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/mechanics")]
pub async fn list_mechanics(
    context: Data<MechanicsContext>,
    Admin(admin, _): Admin<desk::Cases>,
    query: ExportQuery<MechanicFilter>,
) -> ApiResult<HttpResponse> {
    list::<Mechanics>(&context, admin.user_id, &query).await
}

/// The list of all mechanics.
struct Mechanics;

impl AdminList for Mechanics {
    const NAME: &'static str = "mechanics";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone"];
    type Filter = MechanicFilter;
    type Item = MechanicForAdmin;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, filter).await?)
    }

    async fn rows(core: &Core, filter: &Self::Filter, window: ListWindow) -> KeyedRows<Self::Item> {
        let rows = queries::list_for_admin(&core.db, filter, window).await?;
        let key = |row: &queries::AdminProfileRow| RowKey { at: row.profile.created_at, id: row.profile.id };
        Ok(rows.into_iter().map(|row| (key(&row), MechanicForAdmin::from(row))).collect())
    }
}

/// Returns a mechanic, with their documents.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Cases))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = MechanicForAdmin)),
)]
#[get("/admin/mechanics/{id}")]
pub async fn get_mechanic_for_admin(
    context: Data<MechanicsContext>,
    target: Owned<AnyId, Admin<desk::Cases>>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), _) = target.into_parts();
    let row = queries::find_for_admin(&context.db, id).await?.ok_or_else(no_such_mechanic)?;
    let documents = lookup::documents_of(&context.db, &row.profile).await?;
    Ok(HttpResponse::Ok().json(MechanicForAdmin::from(row).with(documents)))
}

/// Rejects a submitted profile. The mechanic can read the reason and may register again.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::People))),
    params(("id" = Uuid, Path)),
    request_body = WithReason,
    responses(
        (status = 200, body = MechanicProfile),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the profile is not pending_verification, or its person has left"),
    ),
)]
#[post("/admin/mechanics/{id}/reject")]
pub async fn reject_mechanic(
    context: Data<MechanicsContext>,
    target: Owned<AnyId, Admin<desk::People>>,
    body: Body<WithReason>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    lookup::find(&context, id).await?;
    let command = ProfileCommand::Reject { reason: body.read()?.reason.0 };
    let profile = move_profile(&context, admin.user_id, id, command).await?;
    Ok(HttpResponse::Ok().json(MechanicProfile::from(profile)))
}

/// Ends a suspension. The mechanic is unavailable until they switch availability on again.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::People))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = MechanicProfile),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the profile is not suspended, or its person has left"),
    ),
)]
#[post("/admin/mechanics/{id}/reinstate")]
pub async fn reinstate_mechanic(
    context: Data<MechanicsContext>,
    target: Owned<AnyId, Admin<desk::People>>,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    lookup::find(&context, id).await?;
    body.read()?;
    let profile = move_profile(&context, admin.user_id, id, ProfileCommand::Reinstate).await?;
    Ok(HttpResponse::Ok().json(MechanicProfile::from(profile)))
}
