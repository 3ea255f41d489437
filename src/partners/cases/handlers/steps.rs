//! Partners' decisions about the promised time of arrival and about extra work.

use actix_web::{
    post,
    web::{Data, Json},
};

use super::jobs::{after, step_of};
use crate::{
    accounts::organisations::{Partner, scope},
    http::{Body, IdempotencyKey, NoFields, Owned},
    jobs::{
        JobStep, LineItem,
        line_items::{DecideLineItem, ItemDecision},
    },
    partners::{
        cases::{
            actions,
            dto::{PartnerJob, RefusePromise},
            owned::{ItemOfCase, JobOfCase},
        },
        feeds::FeedsContext,
    },
    platform::error::{ApiResult, ErrorBody},
};

/// Accepts the proposed time of arrival. By most contracts each counts as accepted at once. A repeat changes nothing.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Approvals))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = PartnerJob),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: no time is proposed now"),
    ),
)]
#[post("/partner/jobs/{id}/promise/accept")]
pub async fn accept_promise(
    context: Data<FeedsContext>,
    job: Owned<JobOfCase, Partner<scope::Approvals>>,
    body: Body<NoFields>,
) -> ApiResult<Json<PartnerJob>> {
    let (job, Partner(caller, _)) = job.into_parts();
    body.read()?;
    actions::accept(&context, &caller, &job).await?;
    after(&context, &job).await
}

/// Refuses the proposed time of arrival: the mechanic loses the job, and another one is sought.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Approvals))),
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = RefusePromise,
    responses(
        (status = 200, body = PartnerJob),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: no time is proposed now, or the mechanic has arrived"),
    ),
)]
#[post("/partner/jobs/{id}/promise/refuse")]
pub async fn refuse_promise(
    context: Data<FeedsContext>,
    job: Owned<JobOfCase, Partner<scope::Approvals>>,
    key: IdempotencyKey,
    body: Body<RefusePromise>,
) -> ApiResult<Json<PartnerJob>> {
    let (job, Partner(caller, _)) = job.into_parts();
    let step = step_of(&job, &caller, "/partner/jobs/{id}/promise/refuse", key, &body)?;
    actions::refuse(&context, &caller, step, &job, body.read()?.reason.0).await?;
    after(&context, &job).await
}

/// Approves extra work as it was shown, on the organisation's account. Work that exceeds the cover can't be approved here: the
/// person who is helped would pay for a part of it, and decides about it by their link.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Approvals))),
    params(("id" = Uuid, Path), ("item_id" = Uuid, Path), IdempotencyKey),
    request_body = DecideLineItem,
    responses(
        (status = 200, body = LineItem),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the item is rejected, or the job is not \
            worked on; CONFLICT: the item was amended since it was shown, exceeds the cover, or is a discount beyond what is approved"),
    ),
)]
#[post("/partner/jobs/{id}/line-items/{item_id}/approve")]
pub async fn approve_case_item(
    context: Data<FeedsContext>,
    item: Owned<ItemOfCase, Partner<scope::Approvals>>,
    key: IdempotencyKey,
    body: Body<DecideLineItem>,
) -> ApiResult<Json<LineItem>> {
    let route = "/partner/jobs/{id}/line-items/{item_id}/approve";
    decide(&context, item, ItemDecision::Approve, (route, key), body).await
}

/// Rejects extra work as it was shown.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Approvals))),
    params(("id" = Uuid, Path), ("item_id" = Uuid, Path), IdempotencyKey),
    request_body = DecideLineItem,
    responses(
        (status = 200, body = LineItem),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the item is approved, or the job is not \
            worked on; CONFLICT: the item was amended since it was shown"),
    ),
)]
#[post("/partner/jobs/{id}/line-items/{item_id}/reject")]
pub async fn reject_case_item(
    context: Data<FeedsContext>,
    item: Owned<ItemOfCase, Partner<scope::Approvals>>,
    key: IdempotencyKey,
    body: Body<DecideLineItem>,
) -> ApiResult<Json<LineItem>> {
    let route = "/partner/jobs/{id}/line-items/{item_id}/reject";
    decide(&context, item, ItemDecision::Reject, (route, key), body).await
}

/// Decides about extra work, once for each key. `route` is the template of the path.
async fn decide(
    context: &FeedsContext,
    item: Owned<ItemOfCase, Partner<scope::Approvals>>,
    decision: ItemDecision,
    (route, key): (&'static str, IdempotencyKey),
    body: Body<DecideLineItem>,
) -> ApiResult<Json<LineItem>> {
    let (item, Partner(caller, _)) = item.into_parts();
    let asked = [item.id.0.as_bytes(), body.bytes()].concat();
    let key = caller.kept_key(key.read()?);
    let step = JobStep::new(item.job.row.id, caller.account_id, route, key, &asked);
    let decided = (decision, body.read()?.quote());
    Ok(Json(actions::decide_item(context, &caller, step, &item, decided).await?))
}
