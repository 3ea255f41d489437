//! Links to jobs of cases, which a partner passes on itself.

use actix_web::{HttpResponse, post, web::Data};

use crate::{
    accounts::{
        auth::scope::KeyScope,
        organisations::{Partner, scope},
    },
    http::{Body, NoFields, NoIdempotencyKey, Owned},
    partners::{cases::owned::JobOfCase, context::PartnersContext},
    platform::error::{ApiResult, ErrorBody},
    sharing::shares::{self, NewShareLink},
};

/// Makes a link by which the person who is helped follows the job, sees the start code and talks to the mechanic, for partners that
/// pass it on themselves. If the caller also has the scope `approvals`, the person decides by the link about what they pay, and
/// rates. The token is shown only here.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Cases))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 201, body = NewShareLink),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the job is over; CONFLICT: it has as many live \
            links as one may (`shares.max_live`)"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED, also for an Idempotency-Key: the link is shown only once"),
    ),
)]
#[post("/partner/jobs/{id}/shares")]
pub async fn share_case_job(
    context: Data<PartnersContext>,
    job: Owned<JobOfCase, Partner<scope::Cases>>,
    key: NoIdempotencyKey,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    key.check()?;
    body.read()?;
    let may_decide = job.by().0.scopes.has(KeyScope::Approvals);
    Ok(HttpResponse::Created().json(shares::for_organisation(&context, &job.row, may_decide).await?))
}
