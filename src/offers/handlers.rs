use actix_web::{HttpResponse, get, http::header, post, web::Data};
use roadcall_actors::ids::UserId;

use super::{
    actions,
    dto::{Decline, Offer, OfferPhoto},
    lookup::{own, pending_of, photos, shown},
};
use crate::{
    accounts::{
        auth::{AnyMechanic, Mechanic, OwnId, OwnProfile},
        uploads::UploadsContext,
    },
    http::{Body, IdempotencyKey, List, NoFields, Owned},
    jobs::{Job, JobStep, JobsContext, Viewer, job_once, once, present},
    platform::error::{ApiResult, ErrorBody},
};

/// Lists the caller's offers that can still be answered.
#[utoipa::path(tag = "offers", responses((status = 200, body = List<Offer>)))]
#[get("/mechanics/me/offers")]
pub async fn list_my_offers(
    context: Data<JobsContext>,
    OwnProfile(mechanic): OwnProfile<AnyMechanic>,
) -> ApiResult<HttpResponse> {
    let data = pending_of(&context.db, &[mechanic.profile_id], context.rates).await?;
    Ok(HttpResponse::Ok().json(List { data }))
}

/// Returns one of the caller's offers, however it ended.
#[utoipa::path(tag = "offers", params(("id" = Uuid, Path)), responses((status = 200, body = Offer)))]
#[get("/offers/{id}")]
pub async fn get_offer(
    context: Data<JobsContext>,
    offer: Owned<OwnId, AnyMechanic>,
) -> ApiResult<HttpResponse> {
    let row = own(&context, offer.owner, offer.id).await?;
    let shown = shown(row, (&context.visibility, context.rates), context.clock.now());
    Ok(HttpResponse::Ok().json(shown))
}

/// Returns links to photos of the damage that came with the offered job. There are at most three, for the mechanic who is offered
/// the job, and only while the offer can be answered: an offer that is over has none. No photo is sent until its link is opened.
#[utoipa::path(tag = "offers", params(("id" = Uuid, Path)), responses((status = 200, body = List<OfferPhoto>)))]
#[get("/offers/{id}/photos")]
pub async fn list_offer_photos(
    context: Data<JobsContext>,
    uploads: Data<UploadsContext>,
    offer: Owned<OwnId, Mechanic>,
) -> ApiResult<HttpResponse> {
    let offer = own(&context, offer.owner, offer.id).await?;
    let data = photos(&context, &uploads, &offer).await?;
    Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).json(List { data }))
}

/// Records that the offer is shown to the caller, so its push is no longer repeated. A repetition, or a call for an offer that is
/// over, changes nothing.
#[utoipa::path(tag = "offers", params(("id" = Uuid, Path)), responses((status = 204)))]
#[post("/offers/{id}/seen")]
pub async fn see_offer(
    context: Data<JobsContext>,
    offer: Owned<OwnId, Mechanic>,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let row = own(&context, offer.owner, offer.id).await?;
    body.read()?;
    actions::see(&context, &row).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Accepts the job. If the winner repeats this, they get the same job again, as it is now.
#[utoipa::path(
    tag = "offers",
    params(("id" = Uuid, Path), IdempotencyKey),
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "OFFER_TAKEN by another mechanic, OFFER_EXPIRED, or \
            ACTIVE_JOB_EXISTS: the caller is on another job; INVALID_TRANSITION: the caller accepted this offer and has \
            lost the job since"),
    ),
)]
#[post("/offers/{id}/accept")]
pub async fn accept_offer(
    context: Data<JobsContext>,
    offer: Owned<OwnId, Mechanic>,
    key: IdempotencyKey,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let received_at = context.clock.now();
    let row = own(&context, offer.owner, offer.id).await?;
    let (user, asked) = (offer.by().caller.user_id, [row.id.as_bytes(), body.bytes()].concat());
    let step = JobStep::new(row.job_id, user, "/offers/{id}/accept", key.read()?, &asked);
    body.read()?;
    let done = actions::accept(&context, &row, step, UserId(user), received_at);
    let job = job_once(&context, step, done).await?;
    Ok(HttpResponse::Ok().json(present(&job, Viewer::Mechanic, &context)))
}

/// Declines the job; it is not offered to the caller again.
#[utoipa::path(
    tag = "offers",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = Decline,
    responses(
        (status = 200, body = Offer),
        (status = 409, body = ErrorBody, description = "OFFER_EXPIRED, or INVALID_TRANSITION: the caller accepted this offer before"),
    ),
)]
#[post("/offers/{id}/decline")]
pub async fn decline_offer(
    context: Data<JobsContext>,
    offer: Owned<OwnId, Mechanic>,
    key: IdempotencyKey,
    body: Body<Decline>,
) -> ApiResult<HttpResponse> {
    let row = own(&context, offer.owner, offer.id).await?;
    let (user, asked) = (offer.by().caller.user_id, [row.id.as_bytes(), body.bytes()].concat());
    let step = JobStep::new(row.job_id, user, "/offers/{id}/decline", key.read()?, &asked);
    let reason = body.read()?.reason.map(|reason| reason.0);
    let done = actions::decline(&context, &row, step, UserId(user), reason);
    let again = async |_| own(&context, offer.owner, offer.id).await;
    let declined = once(&context, step, done, again).await?;
    Ok(HttpResponse::Ok().json(Offer::of_row(declined, context.rates)))
}
