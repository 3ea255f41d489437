use actix_web::{
    HttpRequest, HttpResponse, ResponseError as _, get,
    http::{StatusCode, header},
    post,
    web::{Data, Json},
};
use roadcall_accounts::auth::{Admin, AnyId, AuthContext, desk};
use roadcall_http::{Body, NoFields, NoIdempotencyKey, Owned, PathText, pages};
use roadcall_platform::error::{ApiError, ApiResult, Code, ErrorBody};

use super::{
    actions,
    dto::{AskedPlace, NewPlaceRequest, NewlyAskedPlace, SharePlace, WhereAsked},
    queries::{self, PlaceRequestRow},
};
use crate::PlacesContext;

/// Asks somebody on the phone where they are: sends them a link by SMS, and shows it to be read out. They need no account. The
/// link accepts their place for 30 minutes. The number is not stored, and the request is deleted after a day.
#[utoipa::path(tag = "admin", extensions(("x-desks" = json!(desk::Dispatch))), request_body = NewPlaceRequest,
    responses(
        (status = 201, body = NewlyAskedPlace),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED, also for an Idempotency-Key: the link is shown only once"),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: this admin has asked, or this number was asked, as often as one \
            may in 24 hours (`sms.wheres_per_admin_per_day`, `sms.wheres_per_number_per_day`)"),
    ))]
#[post("/admin/place-requests")]
pub async fn ask_for_place(
    Admin(admin, _): Admin<desk::Dispatch>,
    context: Data<AuthContext>,
    places: Data<PlacesContext>,
    key: NoIdempotencyKey,
    body: Body<NewPlaceRequest>,
) -> ApiResult<HttpResponse> {
    key.check()?;
    let NewPlaceRequest { phone } = body.read()?;
    let limits = places.request_limits;
    Ok(HttpResponse::Created().json(actions::ask(&context, limits, admin.user_id, &phone.0).await?))
}

/// Returns whether they have shared their place, and where it is. A page asks every few seconds while it waits.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = AskedPlace)),
)]
#[get("/admin/place-requests/{id}")]
pub async fn get_asked_place(
    target: Owned<AnyId, Admin<desk::Dispatch>>,
    context: Data<AuthContext>,
) -> ApiResult<Json<AskedPlace>> {
    let (AnyId(id), _) = target.into_parts();
    let row =
        queries::find(&context.db, id).await?.ok_or_else(|| ApiError::not_found("request for a place"))?;
    Ok(Json(AskedPlace::of(&row, context.clock.now())))
}

/// Takes the place, for example for a job: its link ends, and the place can no longer be corrected. A repeat changes nothing.
#[utoipa::path(tag = "admin", extensions(("x-desks" = json!(desk::Dispatch))), params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = AskedPlace),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: they have not shared their location yet"),
    ))]
#[post("/admin/place-requests/{id}/use")]
pub async fn use_asked_place(
    target: Owned<AnyId, Admin<desk::Dispatch>>,
    context: Data<AuthContext>,
    body: Body<NoFields>,
) -> ApiResult<Json<AskedPlace>> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    body.read()?;
    let row = actions::take(&context, admin.user_id, id).await?;
    Ok(Json(AskedPlace::of(&row, context.clock.now())))
}

/// Shows the holder of a link who asks. A browser (`Accept: text/html`) gets a page that shares the place, with the same status,
/// if the service has the web apps. The link that people get is the shorter `/where/{token}`, since it is read aloud.
#[utoipa::path(tag = "places", security(()),
    params(("token" = String, Path, description = "The end of the link", example = "4k7m2p9xtd")),
    responses(
        (status = 200, description = "Who asks", content((WhereAsked = "application/json"), (String = "text/html"))),
        (status = 404, description = "NOT_FOUND: there is no such link",
            content((ErrorBody = "application/json"), (String = "text/html"))),
        (status = 410, description = "LINK_EXPIRED: the place was taken, or the link is too old",
            content((ErrorBody = "application/json"), (String = "text/html"))),
    ))]
#[get("/place-requests/{token}")]
pub async fn open_place_request(
    context: Data<AuthContext>,
    path: PathText,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let found = actions::open(&context, path.text("token")).await;
    // The page itself explains why nobody asks.
    let page_status = match &found {
        Ok(_) => Some(StatusCode::OK),
        Err(error) => [Code::NotFound, Code::LinkExpired].contains(&error.code).then(|| error.status_code()),
    };
    if let Some(status) = page_status.filter(|_| pages::prefers_page(&request))
        && let Some(page) = pages::where_page(&request, status).await?
    {
        return Ok(page);
    }
    let shown = shown(&context, &found?);
    Ok(HttpResponse::Ok().insert_header((header::VARY, "accept")).json(shown))
}

/// Shares a place by the link. Sharing again corrects it, until an admin takes it.
#[utoipa::path(tag = "places", security(()), request_body = SharePlace,
    params(("token" = String, Path, description = "The end of the link", example = "4k7m2p9xtd")),
    responses(
        (status = 200, body = WhereAsked),
        (status = 404, body = ErrorBody, description = "NOT_FOUND: there is no such link"),
        (status = 410, body = ErrorBody, description = "LINK_EXPIRED: the place was taken, or the link is too old"),
    ))]
#[post("/place-requests/{token}")]
pub async fn share_place(
    context: Data<AuthContext>,
    path: PathText,
    body: Body<SharePlace>,
) -> ApiResult<Json<WhereAsked>> {
    let token = path.text("token");
    // 404 and 410 come before faults of the body.
    actions::open(&context, token).await?;
    let SharePlace { lat, lng, accuracy_m } = body.read()?;
    let place = (lat.0, lng.0, accuracy_m.map(|accuracy| accuracy.0));
    Ok(Json(shown(&context, &actions::share(&context, token, place).await?)))
}

fn shown(context: &AuthContext, row: &PlaceRequestRow) -> WhereAsked {
    let name = &context.settings.operator.name;
    WhereAsked {
        asked_by: (!name.is_empty()).then(|| name.clone()),
        is_placed: row.placed_at.is_some(),
        expires_at: row.expires_at.into(),
    }
}
