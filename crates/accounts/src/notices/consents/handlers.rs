//! Consent, over HTTP. Withdrawing it spans areas and is in `lifecycle`.

use actix_web::{
    get, put,
    web::{Data, Json},
};
use roadcall_http::{Body, Owned};
use roadcall_platform::error::{ApiResult, ErrorBody, after_commit};

use super::{
    actions,
    dto::{Consent, GivenConsent},
};
use crate::{
    auth::{Admin, Customer, desk},
    notices::context::NoticesContext,
    users::CustomerAccount,
};

/// Returns the caller's consent, and whether they have to agree to the newest privacy notice.
#[utoipa::path(tag = "users", responses((status = 200, body = Consent)))]
#[get("/users/me/consent")]
pub async fn get_my_consent(
    Customer(caller): Customer,
    context: Data<NoticesContext>,
) -> ApiResult<Json<Consent>> {
    Ok(Json(actions::shown(&context, caller.user_id).await?))
}

/// Records that the caller agrees to the newest privacy notice, which they have read in this language. A repeat
/// changes nothing. The request is allowed 20 times a day; `DELETE` withdraws the consent at any time.
#[utoipa::path(
    tag = "users",
    request_body = GivenConsent,
    responses(
        (status = 200, body = Consent),
        (status = 404, body = ErrorBody, description = "NO_PRIVACY_NOTICE: none is published"),
        (status = 409, body = ErrorBody, description = "NOTICE_CHANGED: another version is the newest; the caller has to read that one"),
    ),
)]
#[put("/users/me/consent")]
pub async fn give_my_consent(
    Customer(caller): Customer,
    context: Data<NoticesContext>,
    body: Body<GivenConsent>,
) -> ApiResult<Json<Consent>> {
    let given = body.read()?;
    actions::agree(&context, caller.user_id, given.version.0, given.language).await?;
    Ok(Json(actions::shown(&context, caller.user_id).await.map_err(after_commit)?))
}

/// Returns the consent of a customer or a mechanic, for an admin who answers their question about it.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::People))),
    responses((status = 200, body = Consent)),
)]
#[get("/admin/users/{id}/consent")]
pub async fn get_consent_of_user(
    context: Data<NoticesContext>,
    customer: Owned<CustomerAccount, Admin<desk::People>>,
) -> ApiResult<Json<Consent>> {
    Ok(Json(actions::shown(&context, customer.id).await?))
}
