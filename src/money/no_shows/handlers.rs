//! What the two sides of a job read of a no-show, and what the customer says to it.

use actix_web::{
    get, post,
    web::{Data, Json},
};

use super::{
    actions,
    dto::{ContestNoShow, NoShow},
};
use crate::{
    accounts::auth::{Caller, Customer},
    http::{Body, Owned},
    jobs::{JobRow, ViewedJob},
    money::payments::PaymentsContext,
    platform::error::{ApiResult, ErrorBody},
};

/// The no-show about a cancelled job whose mechanic arrived without a position that proves it, to its customer, its mechanic and
/// admins.
#[utoipa::path(tag = "disputes", params(("id" = Uuid, Path)), responses((status = 200, body = NoShow)))]
#[get("/jobs/{id}/no-show")]
pub async fn get_no_show(
    context: Data<PaymentsContext>,
    job: Owned<ViewedJob, Caller>,
) -> ApiResult<Json<NoShow>> {
    Ok(Json(actions::find(&context, job.row.id).await?.into()))
}

/// Says what happened, as the customer who is said not to have shown up. Once, before an admin has decided.
#[utoipa::path(
    tag = "disputes",
    params(("id" = Uuid, Path)),
    request_body = ContestNoShow,
    responses(
        (status = 200, body = NoShow),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: it is decided, or was contested before"),
    ),
)]
#[post("/jobs/{id}/contest-no-show")]
pub async fn contest_no_show(
    context: Data<PaymentsContext>,
    job: Owned<JobRow, Customer>,
    body: Body<ContestNoShow>,
) -> ApiResult<Json<NoShow>> {
    let statement = body.read()?.statement.0;
    Ok(Json(actions::contest(&context, job.id, &statement).await?.into()))
}
