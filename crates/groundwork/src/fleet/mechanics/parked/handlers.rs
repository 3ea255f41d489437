use actix_web::{
    HttpResponse, delete, get, put,
    web::{Data, Json},
};
use roadcall_accounts::auth::{Mechanic, OwnProfile};
use roadcall_actors::geo::Point;
use roadcall_http::Body;
use roadcall_platform::error::{ApiResult, ErrorBody};

use super::{
    actions,
    dto::{MyParking, PlaceToWait},
};
use crate::fleet::mechanics::MechanicsContext;

/// Registers that the caller waits for jobs at a place and is reached by push, with the phone in a pocket: they are available
/// there, although their phone sends nothing.
///
/// Offers then last longer (`dispatch.parked_offer_ttl_s`), and mechanics with a fresh position come first. A fresh position
/// always counts before the place. The waiting ends when the caller ends it or goes offline, after `presence.parked_max_s`, once
/// a position is farther from the place than `presence.parked_radius_m`, and after `presence.parked_unanswered_max` unanswered
/// offers in a row; unless they ended it themselves, they are notified why. After such offers the caller can't register again for
/// `presence.parked_cooldown_s`, and for twice as long each time that it happens again without an answer in between. A job does
/// not end the waiting, but while it lasts only positions count.
#[utoipa::path(
    tag = "mechanics",
    request_body = PlaceToWait,
    responses(
        (status = 200, body = MyParking),
        (status = 403, body = ErrorBody, description = "NOT_VERIFIED: the profile is not verified"),
        (status = 409, body = ErrorBody, description = "CONSENT_NEEDED: the caller has not agreed to the privacy notice (`PUT \
            /users/me/consent`); PUSH_NOT_SET_UP: no push of an offer reaches the caller: register a device, and leave offers on in the \
            preferences"),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: also if the caller did not answer their last offers; the message \
            says when they can wait at a place again"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED; of lat also if the caller's phone is elsewhere"),
    ),
)]
#[put("/mechanics/me/parked")]
pub async fn park_me(
    context: Data<MechanicsContext>,
    OwnProfile(mechanic): OwnProfile<Mechanic>,
    body: Body<PlaceToWait>,
) -> ApiResult<Json<MyParking>> {
    let PlaceToWait { lat, lng, label } = body.read()?;
    let (place, label) = (Point::new(lat.0, lng.0), label.map(|label| label.0));
    let parked = actions::park(&context, mechanic.into(), place, label).await?;
    Ok(Json(MyParking { parked }))
}

/// Returns where the caller waits, with the phone in a pocket.
#[utoipa::path(tag = "mechanics", responses((status = 200, body = MyParking)))]
#[get("/mechanics/me/parked")]
pub async fn get_my_parking(
    context: Data<MechanicsContext>,
    OwnProfile(mechanic): OwnProfile<Mechanic>,
) -> ApiResult<Json<MyParking>> {
    let parked = actions::parked(&context.db, mechanic.profile_id, context.clock.now()).await?;
    Ok(Json(MyParking { parked }))
}

/// Ends the caller's waiting. They stay available; without a fresh position they get no offers.
#[utoipa::path(tag = "mechanics", responses((status = 204)))]
#[delete("/mechanics/me/parked")]
pub async fn end_my_parking(
    context: Data<MechanicsContext>,
    OwnProfile(mechanic): OwnProfile<Mechanic>,
) -> ApiResult<HttpResponse> {
    actions::leave(&context, mechanic.profile_id).await?;
    Ok(HttpResponse::NoContent().finish())
}
