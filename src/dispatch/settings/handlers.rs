//! Reading and changing how jobs are dispatched.

use actix_web::{
    get, put,
    web::{Data, Json},
};

use super::{
    actions,
    dto::{ChangeDispatch, DispatchConfiguration},
};
use crate::{
    accounts::auth::{Admin, desk},
    catalogue::dispatch_settings,
    dispatch::context::DispatchContext,
    http::{Body, ListQuery, NoFilter, Page},
    platform::error::ApiResult,
};

/// Returns how jobs are dispatched now, unless a service category overrides it.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Tuning))),
    responses((status = 200, body = DispatchConfiguration)),
)]
#[get("/admin/config/dispatch")]
pub async fn get_dispatch_configuration(
    _: Admin<desk::Tuning>,
    context: Data<DispatchContext>,
) -> ApiResult<Json<DispatchConfiguration>> {
    let newest = dispatch_settings::newest(&context.db).await?;
    let of_file = || DispatchConfiguration::of_file(&context.dispatch.file());
    Ok(Json(newest.map_or_else(of_file, DispatchConfiguration::from)))
}

/// Lists every version that was made at run time, newest first.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Tuning))),
    params(ListQuery<NoFilter>),
    responses((status = 200, body = Page<DispatchConfiguration>)),
)]
#[get("/admin/config/dispatch/versions")]
pub async fn list_dispatch_configurations(
    _: Admin<desk::Tuning>,
    context: Data<DispatchContext>,
    query: ListQuery<NoFilter>,
) -> ApiResult<Json<Page<DispatchConfiguration>>> {
    let (_, page) = query.read()?;
    let total = dispatch_settings::count(&context.db).await?;
    let rows = dispatch_settings::list(&context.db, page).await?;
    Ok(Json(page.of(rows.into_iter().map(DispatchConfiguration::from).collect(), total)))
}

/// Changes how jobs are dispatched. The change applies to every search that begins afterwards, without a restart and after one;
/// weights apply from the next match on. A search under way ends as it began.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    request_body = ChangeDispatch,
    responses(
        (status = 200, body = DispatchConfiguration),
        (status = 409, description = "CONFLICT: another version holds by now"),
    ),
)]
#[put("/admin/config/dispatch")]
pub async fn change_dispatch_configuration(
    Admin(caller, _): Admin<desk::Settings>,
    context: Data<DispatchContext>,
    body: Body<ChangeDispatch>,
) -> ApiResult<Json<DispatchConfiguration>> {
    let ChangeDispatch { version, settings } = body.read()?;
    let row = actions::change(&context, caller.user_id, version, settings.into()).await?;
    Ok(Json(row.into()))
}
