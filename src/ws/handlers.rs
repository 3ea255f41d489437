use actix_http::ws::Codec;
use actix_web::{
    HttpRequest, HttpResponse, get,
    http::header,
    post,
    web::{Data, Json, Payload},
};
use actix_web_actors::ws::WsResponseBuilder;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::TimeDelta;
use sha2::{Digest, Sha256};

use super::{
    dto::{Admission, Ticket},
    frame_guard::FrameGuard,
    hub::Full,
    origin, queries,
    session::Session,
};
use crate::{
    auth::{self, Caller},
    error::{ApiError, ApiResult, Code, ErrorBody},
    state::AppState,
    web::Query,
};

/// Makes a ticket that opens one socket within a minute, so that no token stands in a URL.
#[utoipa::path(tag = "realtime", responses((status = 200, body = Ticket)))]
#[post("/ws/ticket")]
pub async fn issue_ticket(state: Data<AppState>, caller: Caller) -> ApiResult<Json<Ticket>> {
    let ticket = URL_SAFE_NO_PAD.encode(state.random.bytes::<32>());
    let expires_at = state.clock.now() + TimeDelta::seconds(state.settings.ws.ticket_ttl_s);
    queries::insert_ticket(&state.db, &hash(&ticket), caller.user_id, caller.session_id, expires_at).await?;
    Ok(Json(Ticket { ticket, expires_at: expires_at.into() }))
}

/// The socket (RFC 6455). With a bearer token, or `?ticket=` where headers can't be set, as in a browser.
#[utoipa::path(
    tag = "realtime",
    operation_id = "open_socket",
    security(("bearer" = []), ("ticket" = [])),
    params(("ticket" = Option<String>, Query, description = "From POST /ws/ticket; once")),
    responses(
        (status = 101, description = "The socket is open"),
        (status = 403, body = ErrorBody, description = "FORBIDDEN: a page of this origin may not; ACCOUNT_SUSPENDED"),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: the user has as many sockets as one may"),
        (status = 503, body = ErrorBody, description = "UNAVAILABLE: the service has all the sockets it takes"),
    ),
)]
#[get("/ws")]
pub async fn open_socket(
    state: Data<AppState>,
    request: HttpRequest,
    query: Query<Admission>,
    payload: Payload,
) -> ApiResult<HttpResponse> {
    let caller = admit(&state, &request, &query).await?;
    origin::check(&request, &state.settings)?;
    let seat = state.hub.admit(caller.user_id).map_err(no_seat)?;
    let limit = state.settings.ws.max_frame_bytes;
    let (guarded, refusal) = FrameGuard::new(payload, limit);
    let session = Session::new(state, caller, seat, refusal);
    let socket = WsResponseBuilder::new(session, &request, guarded).codec(Codec::new().max_size(limit));
    socket.start().map_err(|_not_a_handshake| {
        ApiError::invalid("upgrade", "must be a WebSocket handshake of version 13")
    })
}

/// The token of the header where there is one, else the ticket.
async fn admit(state: &AppState, request: &HttpRequest, query: &Query<Admission>) -> ApiResult<Caller> {
    if request.headers().contains_key(header::AUTHORIZATION) {
        return auth::authenticate(state, &auth::bearer(request)?).await;
    }
    let ticket = query.read().ok().and_then(|admission| admission.ticket);
    let missing = || ApiError::unauthorized("send Authorization: Bearer <access token>, or ?ticket=");
    let ticket = ticket.ok_or_else(missing)?.0;
    let used = queries::use_ticket(&state.db, &hash(&ticket), state.clock.now()).await?;
    let holder = used.ok_or_else(|| ApiError::unauthorized("this ticket is unknown, used or expired"))?;
    auth::principal_of_session(state, holder.user_id, holder.session_id).await
}

fn hash(ticket: &str) -> Vec<u8> {
    Sha256::digest(ticket.as_bytes()).to_vec()
}

fn no_seat(full: Full) -> ApiError {
    match full {
        Full::User => ApiError::new(Code::RateLimited, "you have too many sockets open").retry_after(30),
        Full::Service => ApiError::new(Code::Unavailable, "all sockets are taken, try again").retry_after(30),
    }
}
