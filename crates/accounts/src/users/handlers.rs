use actix_web::{
    get, patch,
    web::{Data, Json},
};
use roadcall_http::Body;
use roadcall_platform::error::ApiResult;

use super::{
    actions,
    dto::{Me, UpdateMe},
    queries,
    refusals::gone,
};
use crate::auth::{AuthContext, Caller};

/// Returns the caller's own account.
#[utoipa::path(tag = "users", responses((status = 200, body = Me)))]
#[get("/users/me")]
pub async fn get_me(caller: Caller, context: Data<AuthContext>) -> ApiResult<Json<Me>> {
    let row = queries::find(&context.db, caller.user_id).await?.ok_or_else(gone)?;
    Ok(Json(row.into()))
}

/// Changes the given fields of the caller's own account.
#[utoipa::path(tag = "users", request_body = UpdateMe, responses((status = 200, body = Me)))]
#[patch("/users/me")]
pub async fn update_me(
    caller: Caller,
    context: Data<AuthContext>,
    body: Body<UpdateMe>,
) -> ApiResult<Json<Me>> {
    let row = actions::update(&context, caller.user_id, body.read()?).await?;
    Ok(Json(row.into()))
}
