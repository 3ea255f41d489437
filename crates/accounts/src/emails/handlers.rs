use actix_web::{
    HttpResponse, delete, post,
    web::{Data, Json},
};
use roadcall_http::Body;
use roadcall_platform::error::ApiResult;

use super::{
    actions,
    dto::{ConfirmEmail, EmailCodeSent, MailTest, NewEmail, NewMailTest},
    testing,
};
use crate::{
    auth::{AuthContext, Customer, SuperAdmin},
    users::Me,
};

/// Sends a code to an address by mail. `POST /users/me/email/confirm` with the code makes the address the caller's:
/// receipts go there. Until then the caller's address does not change.
#[utoipa::path(tag = "users", request_body = NewEmail,
    responses(
        (status = 200, body = EmailCodeSent),
        (status = 404, description = "NOT_FOUND: no mail is sent here"),
        (status = 429, description = "RATE_LIMITED: a code was sent within the last minute, or five within a day for this person or to this address"),
    ))]
#[post("/users/me/email")]
pub async fn send_email_code(
    Customer(caller): Customer,
    context: Data<AuthContext>,
    body: Body<NewEmail>,
) -> ApiResult<Json<EmailCodeSent>> {
    let NewEmail { email } = body.read()?;
    Ok(Json(actions::send_code(&context, caller.user_id, email.0).await?))
}

/// Makes the address to which the code was sent the caller's. After five wrong codes a new code is needed: 422 for
/// `code`.
#[utoipa::path(tag = "users", request_body = ConfirmEmail, responses((status = 200, body = Me)))]
#[post("/users/me/email/confirm")]
pub async fn confirm_email(
    Customer(caller): Customer,
    context: Data<AuthContext>,
    body: Body<ConfirmEmail>,
) -> ApiResult<Json<Me>> {
    let ConfirmEmail { code } = body.read()?;
    Ok(Json(actions::confirm(&context, caller.user_id, &code.0).await?.into()))
}

/// Removes the caller's address, and the code that was to confirm one. The caller gets no more mail.
#[utoipa::path(tag = "users", responses((status = 204)))]
#[delete("/users/me/email")]
pub async fn remove_email(Customer(caller): Customer, context: Data<AuthContext>) -> ApiResult<HttpResponse> {
    actions::remove(&context, caller.user_id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Sends a test mail, to an address or to the caller's own, and returns the mail server's answer.
#[utoipa::path(tag = "super-admin", request_body = NewMailTest,
    responses(
        (status = 200, body = MailTest),
        (status = 429, description = "RATE_LIMITED: this admin had `mail.tests_per_day` in 24 hours"),
    ))]
#[post("/super-admin/mail/test")]
pub async fn test_mail(
    SuperAdmin(admin): SuperAdmin,
    context: Data<AuthContext>,
    body: Body<NewMailTest>,
) -> ApiResult<Json<MailTest>> {
    let NewMailTest { email } = body.read()?;
    Ok(Json(testing::send_test(&context, admin.user_id, email.map(|email| email.0)).await?))
}
