//! Handlers that read and change the filter of this server's log.

use actix_web::{
    delete, get, put,
    web::{Data, Json},
};

use super::{
    actions,
    dto::{LogFilter, SetLogFilter},
};
use crate::{
    accounts::auth::SuperAdmin,
    http::Body,
    platform::{core::Core, error::ApiResult},
};

/// Returns the filter of the log of the server that answers.
#[utoipa::path(tag = "super-admin",
    responses(
        (status = 200, body = LogFilter),
        (status = 409, description = "CONFLICT: this program does not set up its own log"),
    ))]
#[get("/super-admin/log-filter")]
pub async fn get_log_filter(_: SuperAdmin, context: Data<Core>) -> ApiResult<Json<LogFilter>> {
    Ok(Json(LogFilter::of(context.server_id(), actions::held()?)))
}

/// Sets another filter for the log of the server that answers, for a limited time; in a cluster, each server has its own. Data
/// that is never logged is not logged with it either.
#[utoipa::path(tag = "super-admin", request_body = SetLogFilter,
    responses(
        (status = 200, body = LogFilter),
        (status = 409, description = "CONFLICT: this program does not set up its own log"),
    ))]
#[put("/super-admin/log-filter")]
pub async fn set_log_filter(
    SuperAdmin(admin): SuperAdmin,
    context: Data<Core>,
    body: Body<SetLogFilter>,
) -> ApiResult<Json<LogFilter>> {
    let SetLogFilter { filter, duration_s } = body.read()?;
    let held = actions::set(&context, admin.user_id, filter.0, duration_s.0).await?;
    Ok(Json(LogFilter::of(context.server_id(), held)))
}

/// Restores the usual filter at once.
#[utoipa::path(tag = "super-admin",
    responses(
        (status = 200, body = LogFilter),
        (status = 409, description = "CONFLICT: this program does not set up its own log"),
    ))]
#[delete("/super-admin/log-filter")]
pub async fn reset_log_filter(
    SuperAdmin(admin): SuperAdmin,
    context: Data<Core>,
) -> ApiResult<Json<LogFilter>> {
    let held = actions::reset(&context, admin.user_id).await?;
    Ok(Json(LogFilter::of(context.server_id(), held)))
}
