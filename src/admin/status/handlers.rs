use actix_web::{
    get,
    web::{Data, Json},
};

use super::{StatusContext, actions, dto::Status};
use crate::{
    accounts::auth::{Admin, desk},
    platform::error::ApiResult,
};

/// Reports whether all is well, line by line: what is slow, full, old or failing, and what to do next. The report is from the
/// server that answers, and may be some seconds old.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    responses((status = 200, body = Status)),
)]
#[get("/admin/status")]
pub async fn get_status(_: Admin<desk::Settings>, context: Data<StatusContext>) -> ApiResult<Json<Status>> {
    Ok(Json(actions::look(&context).await?))
}
