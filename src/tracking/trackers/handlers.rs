use actix_web::{
    HttpRequest, HttpResponse, delete, get, post,
    web::{Data, Json},
};

use super::{
    actions,
    admission::{admit, password},
    context::TrackersContext,
    dto::{NewTracker, TrackerToken, Trackers},
    protocols::{OsmAndQuery, OwnTracksMessage, TraccarMessage},
};
use crate::{
    accounts::auth::{AnyMechanic, OwnId, OwnProfile},
    http::{Body, Latitude, Longitude, Meter, Owned, Query},
    platform::error::{ApiError, ApiResult, ErrorBody},
    tracking::LocationReceipt,
};

/// The apps that send the caller's positions with the screen off, and what sent the position that counts now.
#[utoipa::path(tag = "tracking", responses((status = 200, body = Trackers)))]
#[get("/mechanics/me/trackers")]
pub async fn list_my_trackers(
    context: Data<TrackersContext>,
    OwnProfile(mechanic): OwnProfile<AnyMechanic>,
) -> ApiResult<Json<Trackers>> {
    Ok(Json(actions::list(&context, mechanic.profile_id).await?))
}

/// Connects an app that sends the caller's positions with the screen off: OwnTracks, or Traccar Client. Its token is shown only in
/// this answer, and can do nothing but send positions.
#[utoipa::path(
    tag = "tracking",
    request_body = NewTracker,
    responses(
        (status = 201, body = TrackerToken),
        (status = 409, body = ErrorBody, description = "CONFLICT: the caller has five trackers already"),
    ),
)]
#[post("/mechanics/me/trackers")]
pub async fn connect_my_tracker(
    context: Data<TrackersContext>,
    OwnProfile(mechanic): OwnProfile<AnyMechanic>,
    body: Body<NewTracker>,
) -> ApiResult<HttpResponse> {
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

/// Takes a position from OwnTracks in HTTP mode, which signs in with the tracker's token as its password. Messages of other
/// kinds are taken and not used.
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
    body: Body<OwnTracksMessage>,
) -> ApiResult<HttpResponse> {
    let message = body.read()?;
    let tracker = admit(&context, &meter, password(&request).as_deref()).await?;
    if let Some(ping) = message.ping()? {
        // What the receipt rejects would be rejected again.
        actions::take(&context, tracker, ping).await?;
    }
    Ok(HttpResponse::Ok().json([(); 0]))
}

/// Takes a position by OsmAnd's protocol, as a query string.
#[utoipa::path(
    tag = "tracking",
    params(
        ("id" = String, Query, description = "The tracker's token", example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A"),
        ("lat" = Latitude, Query),
        ("lon" = Longitude, Query),
        ("timestamp" = Option<String>, Query, description = "Seconds or milliseconds since 1970, or a date-time; now if it is \
            missing", example = "1773477190"),
        ("accuracy" = Option<f64>, Query, description = "Metres", example = 6.5),
        ("speed" = Option<f64>, Query, description = "Knots", example = 14.0),
        ("bearing" = Option<f64>, Query, description = "Degrees clockwise from north", example = 245),
    ),
    responses(
        (status = 200, body = LocationReceipt),
        (status = 401, body = ErrorBody, description = "UNAUTHORIZED: there is no such tracker, or no longer"),
    ),
    security(()),
)]
#[get("/trackers/osmand")]
pub async fn take_from_osmand(
    context: Data<TrackersContext>,
    meter: Meter,
    query: Query<OsmAndQuery>,
) -> ApiResult<Json<LocationReceipt>> {
    take_query(&context, &meter, query.read()?).await
}

/// Takes a position from Traccar Client, as JSON; from its versions before 9 as a query string, like the GET.
#[utoipa::path(
    tag = "tracking",
    request_body = TraccarMessage,
    responses(
        (status = 200, body = LocationReceipt),
        (status = 401, body = ErrorBody, description = "UNAUTHORIZED: there is no such tracker, or no longer"),
    ),
    security(()),
)]
#[post("/trackers/osmand")]
pub async fn take_from_traccar(
    context: Data<TrackersContext>,
    meter: Meter,
    query: Query<OsmAndQuery>,
    body: Body<TraccarMessage>,
) -> ApiResult<Json<LocationReceipt>> {
    let query = query.read()?;
    if query.token().is_some() {
        return take_query(&context, &meter, query).await;
    }
    let message = body.read()?;
    let tracker = admit(&context, &meter, message.device_id.as_deref()).await?;
    let location = message.location.ok_or_else(|| ApiError::invalid("location", "is required"))?;
    Ok(Json(actions::take(&context, tracker, location.ping()).await?))
}

async fn take_query(
    context: &TrackersContext,
    meter: &Meter,
    query: OsmAndQuery,
) -> ApiResult<Json<LocationReceipt>> {
    let tracker = admit(context, meter, query.token()).await?;
    let ping = query.ping(context.clock.now())?;
    Ok(Json(actions::take(context, tracker, ping).await?))
}
