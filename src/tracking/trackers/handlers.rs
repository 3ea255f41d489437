use actix_web::{
    HttpRequest, HttpResponse, delete, get, post,
    web::{Bytes, Data, Json},
};

use super::{
    actions,
    admission::{admit, password},
    context::TrackersContext,
    dto::{NewTracker, TrackerReceipt, TrackerToken, Trackers},
    protocols::{OsmAndPosition, OwnTracksMessage, TraccarBody, TraccarMessage, Unusable, token_in},
};
use crate::{
    accounts::auth::{AnyMechanic, OwnId, OwnProfile},
    http::{Body, Latitude, Longitude, Meter, NoIdempotencyKey, Owned, UnreadBody},
    platform::error::{ApiResult, Code, ErrorBody},
};

/// Lists the apps that send the caller's positions while the screen is off, and the origin of the position that counts now.
#[utoipa::path(tag = "tracking", responses((status = 200, body = Trackers)))]
#[get("/mechanics/me/trackers")]
pub async fn list_my_trackers(
    context: Data<TrackersContext>,
    OwnProfile(mechanic): OwnProfile<AnyMechanic>,
) -> ApiResult<Json<Trackers>> {
    Ok(Json(actions::list(&context, mechanic.profile_id).await?))
}

/// Connects an app that sends the caller's positions while the screen is off: OwnTracks, or Traccar Client. Its token is shown
/// only in this answer, and can do nothing but send positions.
#[utoipa::path(
    tag = "tracking",
    request_body = NewTracker,
    responses(
        (status = 201, body = TrackerToken),
        (status = 409, body = ErrorBody, description = "CONFLICT: the caller has five trackers already"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED, also for an Idempotency-Key: the token is shown only once"),
    ),
)]
#[post("/mechanics/me/trackers")]
pub async fn connect_my_tracker(
    context: Data<TrackersContext>,
    OwnProfile(mechanic): OwnProfile<AnyMechanic>,
    key: NoIdempotencyKey,
    body: Body<NewTracker>,
) -> ApiResult<HttpResponse> {
    key.check()?;
    let made = actions::connect(&context, mechanic.profile_id, body.read()?).await?;
    Ok(HttpResponse::Created().json(made))
}

/// Removes a tracker: its token is refused from now on.
#[utoipa::path(tag = "tracking", params(("id" = Uuid, Path)), responses((status = 204)))]
#[delete("/mechanics/me/trackers/{id}")]
pub async fn remove_my_tracker(
    context: Data<TrackersContext>,
    own: Owned<OwnId, AnyMechanic>,
) -> ApiResult<HttpResponse> {
    actions::remove(&context, own.owner, own.id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Takes a position from OwnTracks in HTTP mode, which signs in with the tracker's token as its password. A message that can't be
/// used is taken, too, since the app would repeat it; the mechanic sees why.
#[utoipa::path(
    tag = "tracking",
    request_body = OwnTracksMessage,
    responses(
        (status = 200, body = Vec<OwnTracksMessage>, description = "There is nothing to tell the app: the list is empty"),
        (status = 401, body = ErrorBody, description = "UNAUTHORIZED: there is no such tracker, or no longer"),
    ),
    security(()),
)]
#[post("/trackers/owntracks")]
pub async fn take_from_owntracks(
    context: Data<TrackersContext>,
    request: HttpRequest,
    meter: Meter,
    body: UnreadBody,
) -> ApiResult<HttpResponse> {
    let tracker = admit(&context, &meter, password(&request).as_deref()).await?;
    let message = whole(body.read().await)?.and_then(|bytes| OwnTracksMessage::ping_of(&bytes));
    actions::take(&context, tracker, message).await?;
    Ok(HttpResponse::Ok().json([(); 0]))
}

/// Takes a position by OsmAnd's protocol, as a query string. A message that can't be used is taken, too, and the mechanic sees
/// why.
#[utoipa::path(
    tag = "tracking",
    params(
        ("id" = String, Query, description = "The tracker's token; also as `deviceid`", example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A"),
        ("lat" = Option<Latitude>, Query, description = "Required, like `lon`, unless there is a `location`"),
        ("lon" = Option<Longitude>, Query),
        ("location" = Option<String>, Query, description = "Both in one, instead of `lat` and `lon`", example = "12.97297,77.61701"),
        ("timestamp" = Option<String>, Query, description = "Seconds or milliseconds since 1970, or a date and a time; now if it is \
            missing", example = "1773477190"),
        ("accuracy" = Option<f64>, Query, description = "Metres", example = 6.5),
        ("speed" = Option<f64>, Query, description = "Knots", example = 14.0),
        ("bearing" = Option<f64>, Query, description = "Degrees clockwise from north", example = 245),
    ),
    responses(
        (status = 200, body = TrackerReceipt),
        (status = 401, body = ErrorBody, description = "UNAUTHORIZED: there is no such tracker, or no longer"),
    ),
    security(()),
)]
#[get("/trackers/osmand")]
pub async fn take_from_osmand(
    context: Data<TrackersContext>,
    request: HttpRequest,
    meter: Meter,
) -> ApiResult<Json<TrackerReceipt>> {
    let pairs = request.query_string().as_bytes();
    let tracker = admit(&context, &meter, token_in(pairs).as_deref()).await?;
    let message = OsmAndPosition::ping_of(pairs, context.clock.now());
    Ok(Json(actions::take(&context, tracker, message).await?))
}

/// Takes a position from Traccar Client: as a form since its version 10, as JSON in version 9, and before that as a query string,
/// like the GET. A message that can't be used is taken, too, and the mechanic sees why.
#[utoipa::path(
    tag = "tracking",
    request_body(content((TraccarMessage = "application/json"), (OsmAndPosition = "application/x-www-form-urlencoded"))),
    responses(
        (status = 200, body = TrackerReceipt),
        (status = 401, body = ErrorBody, description = "UNAUTHORIZED: there is no such tracker, or no longer"),
    ),
    security(()),
)]
#[post("/trackers/osmand")]
pub async fn take_from_traccar(
    context: Data<TrackersContext>,
    request: HttpRequest,
    meter: Meter,
    body: UnreadBody,
) -> ApiResult<Json<TrackerReceipt>> {
    let query = request.query_string().as_bytes();
    let (tracker, message) = match token_in(query) {
        Some(token) => {
            let tracker = admit(&context, &meter, Some(&token)).await?;
            let form = whole(body.read().await)?;
            (
                tracker,
                form.and_then(|form| {
                    OsmAndPosition::ping_of(&[query, b"&", &*form].concat(), context.clock.now())
                }),
            )
        }
        None => {
            // The token is in the body; a body that can't be read has no token.
            let message = whole(body.read().await)?.map(|bytes| TraccarBody::of(&bytes));
            let token = message.as_ref().ok().and_then(TraccarBody::token);
            let tracker = admit(&context, &meter, token.as_deref()).await?;
            (tracker, message.and_then(|message| message.ping(context.clock.now())))
        }
    };
    Ok(Json(actions::take(&context, tracker, message).await?))
}

/// Distinguishes a body that will never be whole, because it is too large, from one that did not arrive this time.
fn whole(read: ApiResult<Bytes>) -> ApiResult<Result<Bytes, Unusable>> {
    match read {
        Err(error) if error.code == Code::PayloadTooLarge => Ok(Err(Unusable::unreadable(error.message))),
        read => read.map(Ok),
    }
}
