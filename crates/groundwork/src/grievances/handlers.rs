//! The side of the person who writes a grievance.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};
use roadcall_accounts::auth::{Caller, Customer};
use roadcall_http::{Body, IdempotencyKey, ListQuery, NoFilter, Page};
use roadcall_platform::{
    error::{ApiResult, ErrorBody},
    idempotency::{self, Claim, Request},
};

use super::{
    actions,
    context::GrievancesContext,
    dto::{Grievance, NewGrievance},
    queries,
};

/// Sends a question or a complaint about the caller's data. An admin answers by `due_at` (`privacy.grievance_days`), and the
/// caller is notified. A person has at most five open, and writes at most ten a day.
#[utoipa::path(
    tag = "users",
    params(IdempotencyKey),
    request_body = NewGrievance,
    responses(
        (status = 201, body = Grievance),
        (status = 409, body = ErrorBody, description = "CONFLICT: as many are open as a person may have; IDEMPOTENCY_IN_FLIGHT"),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: too many requests, or as many written within a day as a \
            person may"),
    ),
)]
#[post("/users/me/grievances")]
pub async fn write_grievance(
    context: Data<GrievancesContext>,
    Customer(caller): Customer,
    key: IdempotencyKey,
    body: Body<NewGrievance>,
) -> ApiResult<HttpResponse> {
    let request = Request::new(caller.user_id, "/users/me/grievances", key.read()?, body.bytes());
    let make = async |claim: &Claim| {
        let NewGrievance { kind, text } = body.read()?;
        actions::write(&context, caller.user_id, kind, text.0, claim).await
    };
    let again = async |id, _| actions::as_written(&context, id).await;
    let row = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(Grievance::of(row, context.contact.as_ref())))
}

/// Lists the caller's questions and complaints about their data, with the answers, the newest first.
#[utoipa::path(
    tag = "users",
    params(ListQuery<NoFilter>),
    responses((status = 200, body = Page<Grievance>)),
)]
#[get("/users/me/grievances")]
pub async fn list_my_grievances(
    context: Data<GrievancesContext>,
    caller: Caller,
    query: ListQuery<NoFilter>,
) -> ApiResult<Json<Page<Grievance>>> {
    let (_, page) = query.read()?;
    let rows = queries::of_person(&context.db, caller.user_id, page.limit, page.offset()).await?;
    let total = page.total(rows.len(), queries::count_of_person(&context.db, caller.user_id)).await?;
    let shown = rows.into_iter().map(|row| Grievance::of(row, context.contact.as_ref()));
    Ok(Json(page.of(shown.collect(), total)))
}
