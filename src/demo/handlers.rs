use actix_web::{
    HttpRequest, HttpResponse, get, post,
    web::{Data, Json},
};

use super::{
    actions,
    context::{Demo, DemoContext},
    dto::{DemoSignIn, DemoState, PlayParams},
    guard::check_nearby,
};
use crate::{
    accounts::auth::{SignedIn, Success, TokenPlace, user_agent},
    http::{Body, Latitude, Longitude, Query},
    platform::error::{ApiError, ApiResult},
};

/// Returns whether the demo city plays on this server. Development only.
#[utoipa::path(tag = "demo", security(()), responses(
    (status = 200, body = DemoState),
    (status = 403, description = "FORBIDDEN: from a page of another origin, or by a name that is not this machine's"),
    (status = 404, description = "NOT_FOUND: in production, or in a program without the simulator"),
))]
#[get("/demo")]
pub async fn get_demo(context: Data<DemoContext>, request: HttpRequest) -> ApiResult<Json<DemoState>> {
    Ok(Json(demo(&context, &request)?.state()))
}

/// Lets the demo city play on this server: mechanics go online, and customers have breakdowns, until it is stopped or the
/// server ends. If it plays already, nothing changes, unless the caller is more than 30 km away: then it moves to where they
/// are. It plays by the server's settings, so its mechanics' shares clear as slowly as everyone's. Development only.
#[utoipa::path(tag = "demo", security(()), params(
    ("lat" = Option<Latitude>, Query, description = "Where whoever asks is; with `lng`. Left out, the city plays where it is."),
    ("lng" = Option<Longitude>, Query, description = "Where whoever asks is; with `lat`."),
), responses(
    (status = 200, body = DemoState),
    (status = 403, description = "FORBIDDEN: from a page of another origin, or by a name that is not this machine's"),
    (status = 404, description = "NOT_FOUND: in production, or in a program without the simulator"),
))]
#[post("/demo/play")]
pub async fn play_demo(
    context: Data<DemoContext>,
    request: HttpRequest,
    params: Query<PlayParams>,
) -> ApiResult<Json<DemoState>> {
    let demo = demo(&context, &request)?;
    actions::play(&context, demo, params.read()?.point()?).await?;
    Ok(Json(demo.state()))
}

/// Ends the demo city: everyone cancels their open jobs and goes offline. If it does not play, nothing changes. Development only.
#[utoipa::path(tag = "demo", security(()), responses(
    (status = 200, body = DemoState),
    (status = 403, description = "FORBIDDEN: from a page of another origin, or by a name that is not this machine's"),
    (status = 404, description = "NOT_FOUND: in production, or in a program without the simulator"),
))]
#[post("/demo/stop")]
pub async fn stop_demo(context: Data<DemoContext>, request: HttpRequest) -> ApiResult<Json<DemoState>> {
    let demo = demo(&context, &request)?;
    demo.stop();
    Ok(Json(demo.state()))
}

/// Signs in as one of three people without a code or a password; creates them at first use. Development only.
#[utoipa::path(tag = "demo", security(()), params(TokenPlace), request_body = DemoSignIn, responses(
    (status = 200, body = Success<SignedIn>, headers(
        ("Set-Cookie" = Option<String>, description = "With `X-Session: cookie`: `roadcall_session`, the refresh token"),
    )),
    (status = 403, description = "FORBIDDEN: from a page of another origin, or by a name that is not this machine's; \
        ACCOUNT_SUSPENDED; COOKIE_REFUSED: X-Session from a foreign origin"),
    (status = 404, description = "NOT_FOUND: in production, or in a program without the simulator"),
))]
#[post("/demo/sign-in")]
pub async fn demo_sign_in(
    context: Data<DemoContext>,
    request: HttpRequest,
    body: Body<DemoSignIn>,
) -> ApiResult<HttpResponse> {
    let demo = demo(&context, &request)?;
    let place = TokenPlace::of(&request)?;
    let role = body.read()?.role;
    let signed_in = actions::sign_in(&context, demo, role, user_agent(&request)).await?;
    Ok(place.answer(&request, signed_in))
}

/// Returns the demo to a caller who may use it.
fn demo<'a>(context: &'a DemoContext, request: &HttpRequest) -> ApiResult<&'a Demo> {
    let demo = context.demo.as_ref().ok_or_else(|| ApiError::not_found("route"))?;
    check_nearby(request, &context.settings)?;
    Ok(demo)
}
