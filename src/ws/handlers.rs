use actix_http::ws::Codec;
use actix_web::{
    FromRequest, HttpMessage, HttpRequest, HttpResponse, HttpResponseBuilder,
    body::BoxBody,
    get,
    http::header,
    post,
    web::{Data, Json, Payload},
};
use actix_web_actors::{HttpContext, ws::WsResponseBuilder};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

use super::{
    actions,
    context::WsContext,
    dto::{Admission, GuestStreamEvent, JobStreamEvent, StreamQuery, Ticket, Ticketed},
    frame_guard::{FrameGuard, Pace},
    guest_stream::GuestStream,
    hub::SocketLimit,
    openings::Turn,
    origin,
    session::SocketSession,
    stream::JobStream,
    subscriptions::Since,
};
use crate::{
    accounts::auth::{self, Caller, TokenHolder},
    http::{Owned, Param, Query, RequestInfo},
    jobs::ViewedJob,
    platform::error::{ApiError, ApiResult, Code, ErrorBody},
    sharing::shares::Admitted,
};

/// Random bytes in a ticket.
const TICKET_BYTES: usize = 32;

/// Makes a ticket that opens one socket within a minute, so that no token appears in a URL.
#[utoipa::path(tag = "realtime", responses((status = 200, body = Ticket)))]
#[post("/ws/ticket")]
pub async fn issue_ticket(context: Data<WsContext>, caller: Caller) -> ApiResult<Json<Ticket>> {
    let (ticket, expires_at) =
        actions::issue_ticket(&context, caller.user_id, caller.session_id, caller.budget).await?;
    Ok(Json(Ticket { ticket, expires_at: expires_at.into() }))
}

/// Opens the socket (RFC 6455). Send a bearer token, or `?ticket=` where headers can't be set, as in a browser.
#[utoipa::path(
    tag = "realtime",
    operation_id = "open_socket",
    security(("bearer" = []), ("ticket" = [])),
    params(("ticket" = Option<String>, Query, description = "From POST /ws/ticket; once")),
    responses(
        (status = 101, description = "The socket is open"),
        (status = 403, body = ErrorBody, description = "FORBIDDEN: a page of this origin may not; ACCOUNT_SUSPENDED"),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: the person has as many sockets and streams as one may, or has spent their requests of this minute"),
        (status = 503, body = ErrorBody, description = "UNAVAILABLE: the service has all the sockets it takes, \
            or too many are being opened; a ticket is still good then"),
    ),
)]
#[get("/ws")]
pub async fn open_socket(
    context: Data<WsContext>,
    request: HttpRequest,
    query: Query<Admission>,
    payload: Payload,
) -> ApiResult<HttpResponse> {
    let ticket = query.read().ok().and_then(|admission| admission.ticket);
    let (caller, turn, changes) = admit(&context, &request, ticket).await?;
    origin::check(&request, &context.settings, &context.ws_settings)?;
    if !request.extensions().contains::<LeavesHttp>() {
        return Err(no_handshake());
    }
    let permit = context.hub.admit(caller.user_id, changes).map_err(limit_reached)?;
    let limit = context.ws_settings.max_frame_bytes;
    let pace = Pace { limits: context.chat.limits.clone(), budget: caller.budget };
    let (guarded, refusal) = FrameGuard::new(payload, limit, pace);
    let request_id = request.extensions().get::<RequestInfo>().map(|info| info.id.clone());
    let session = SocketSession::new(context, request_id.unwrap_or_default(), caller, permit, turn, refusal);
    let socket = WsResponseBuilder::new(session, &request, guarded).codec(Codec::new().max_size(limit));
    let opened = socket.start().map_err(|_not_a_handshake| no_handshake())?;
    Ok(SocketBody::beside(opened))
}

fn no_handshake() -> ApiError {
    ApiError::invalid("upgrade", "must be a WebSocket handshake of version 13")
}

/// Marks a request whose connection leaves HTTP with it. On any other connection a client could ask for a socket, too, by a
/// handshake with a body or among other protocols: its frames would be read as requests.
#[derive(Debug)]
pub struct LeavesHttp;

/// The frames of a socket. They are beside the answer to the handshake rather than its body, because the layers around
/// handlers would run with every frame of a body.
#[derive(Debug)]
pub struct SocketBody(pub BoxBody);

impl SocketBody {
    /// Moves the body of the answer into the answer's extensions.
    fn beside(answer: HttpResponse) -> HttpResponse {
        let (mut head, body) = answer.into_parts();
        head.extensions_mut().insert(Self(body));
        head.set_body(BoxBody::new(()))
    }
}

/// Streams one job as server-sent events: the frames of the socket, with their `seq` as `id`. Without `since_seq` the
/// stream starts with a snapshot. With it, every event after that one follows; the `Last-Event-ID` that a browser
/// sends on its own takes precedence. The stream counts as one of the user's sockets.
#[utoipa::path(
    tag = "realtime",
    operation_id = "stream_job",
    security(("bearer" = []), ("ticket" = [])),
    params(
        ("id" = Uuid, Path),
        ("ticket" = Option<String>, Query, description = "From POST /ws/ticket; once"),
        ("since_seq" = Option<i64>, Query, minimum = 0, description = "The last event that the client has"),
        ("Last-Event-ID" = Option<i64>, Header, minimum = 0, description = "The same, after a cut", example = 7),
    ),
    responses(
        (status = 200, body = JobStreamEvent, content_type = "text/event-stream",
            description = "Events until the client leaves; a comment now and then shows that the stream lives. GET /asyncapi.json describes them"),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: the person has as many sockets and streams as one may, or has spent their requests of this minute"),
        (status = 503, body = ErrorBody, description = "UNAVAILABLE: the service has all the sockets it takes, \
            or too many are being opened; a ticket is still good then"),
    ),
)]
#[get("/jobs/{id}/stream")]
pub async fn stream_job(
    context: Data<WsContext>,
    request: HttpRequest,
    ticketed: Query<Ticketed>,
    query: Query<StreamQuery>,
) -> ApiResult<HttpResponse> {
    let ticket = ticketed.read().ok().and_then(|ticketed| ticketed.ticket);
    let (caller, turn, changes) = admit(&context, &request, ticket).await?;
    let job = Owned::<ViewedJob, _>::of(&request, caller).await?;
    let since = since(&request, query.read()?)?;
    let mut answer = event_stream();
    if is_head(&request) {
        return Ok(answer.finish());
    }
    let permit = context.hub.admit(caller.user_id, changes).map_err(limit_reached)?;
    let stream = JobStream::new(context, caller, permit, turn, job.row.id, since);
    Ok(answer.streaming(HttpContext::create(stream)))
}

/// Streams changes and calls as server-sent events, for the holder of a link who may talk. An open stream rings when
/// the mechanic calls the beneficiary.
#[utoipa::path(
    tag = "shares",
    security(()),
    params(("token" = String, Path, example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A")),
    responses(
        (status = 200, body = GuestStreamEvent, content_type = "text/event-stream",
            description = "Events until the client leaves or the link ends; a comment now and then shows that the stream lives"),
        (status = 403, body = ErrorBody, description = "FORBIDDEN: this link only shows the job"),
        (status = 404, body = ErrorBody, description = "NOT_FOUND: there is no such link"),
        (status = 410, body = ErrorBody, description = "LINK_EXPIRED: the job is over, or the link was revoked or has expired"),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: the link is open in as many places as one may"),
        (status = 503, body = ErrorBody, description = "UNAVAILABLE: the service has all the sockets it takes"),
    ),
)]
#[get("/shares/{token}/stream")]
pub async fn stream_as_guest(context: Data<WsContext>, request: HttpRequest) -> ApiResult<HttpResponse> {
    let changes = context.hub.changes();
    let Admitted { guest, job } = Admitted::extract(&request).await?;
    let mut answer = event_stream();
    if is_head(&request) {
        return Ok(answer.finish());
    }
    let permit = context.hub.admit(guest.link_id, changes).map_err(|full| match full {
        SocketLimit::User => {
            let why = "This link is open in too many places. Close one and try again.";
            ApiError::new(Code::RateLimited, why).retry_after(30)
        }
        SocketLimit::Service => limit_reached(full),
    })?;
    let stream = GuestStream::new(context, guest, permit, job.seq);
    Ok(answer.streaming(HttpContext::create(stream)))
}

/// Starts a response of events that proxies do not buffer.
fn event_stream() -> HttpResponseBuilder {
    let mut answer = HttpResponse::Ok();
    answer.content_type("text/event-stream").insert_header(("x-accel-buffering", "no"));
    answer
}

/// Returns whether this is a HEAD request. Nobody reads the body of its response, so a stream would never notice that
/// the client has left.
fn is_head(request: &HttpRequest) -> bool {
    request.extensions().get::<RequestInfo>().is_some_and(|info| info.is_head)
}

/// Returns where the client wants to resume. The header is newer than the value in the URL.
fn since(request: &HttpRequest, query: StreamQuery) -> ApiResult<Since> {
    let header = request.headers().get("last-event-id").filter(|value| !value.is_empty());
    let (name, seq) = match header {
        Some(value) => {
            ("Last-Event-ID", value.to_str().ok().and_then(|text| text.trim().parse().ok()).or(Some(-1)))
        }
        None => ("since_seq", query.since_seq.map(|seq| seq.0.0)),
    };
    match seq {
        None => Ok(Since::Now),
        Some(seq) if seq >= 0 => Ok(Since::Event(seq)),
        Some(_) => Err(ApiError::invalid(name, "must be a whole number, at least 0")),
    }
}

/// The token or ticket with which a client asks to be admitted.
enum Credential {
    Token(TokenHolder),
    Ticket(String),
}

impl Credential {
    /// Reads the header's token if there is one, else the ticket. Refuses values that are recognisably made up.
    fn read(context: &WsContext, request: &HttpRequest, ticket: Option<Param<String>>) -> ApiResult<Self> {
        if request.headers().contains_key(header::AUTHORIZATION) {
            return Ok(Self::Token(auth::holder_of(&context.mechanics, &auth::bearer(request)?)?));
        }
        let missing =
            || ApiError::unauthorized("Send the header Authorization: Bearer <access token>, or ?ticket=…");
        let ticket = ticket.ok_or_else(missing)?.0;
        let has_the_shape = URL_SAFE_NO_PAD.decode(&ticket).is_ok_and(|bytes| bytes.len() == TICKET_BYTES);
        if has_the_shape { Ok(Self::Ticket(ticket)) } else { Err(no_such_ticket()) }
    }

    /// Returns the person whom the token or ticket admits, and uses a ticket up.
    async fn caller(self, context: &WsContext) -> ApiResult<Caller> {
        let ticket = match self {
            Self::Token(holder) => return auth::caller_of(&context.mechanics, holder).await,
            Self::Ticket(ticket) => ticket,
        };
        let used = actions::use_ticket(context, &ticket).await?;
        let holder = used.ok_or_else(no_such_ticket)?;
        let caller =
            auth::principal_of_session(&context.mechanics, holder.user_id, holder.session_id).await?;
        context.chat.limits.check_socket(caller.budget)?;
        Ok(caller)
    }
}

/// Returns the caller once it is their turn, with [`Hub::changes`](super::Hub::changes) as it was before the look-up.
/// A made-up token or ticket is refused without waiting, and waiting in vain does not use a ticket up.
async fn admit(
    context: &WsContext,
    request: &HttpRequest,
    ticket: Option<Param<String>>,
) -> ApiResult<(Caller, Turn, u64)> {
    let credential = Credential::read(context, request, ticket)?;
    let turn = context.openings.turn(&context.random, context.drain.clone()).await?;
    let changes = context.hub.changes();
    Ok((credential.caller(context).await?, turn, changes))
}

fn no_such_ticket() -> ApiError {
    ApiError::unauthorized("This ticket is unknown, used or expired. Get a new one.")
}

fn limit_reached(full: SocketLimit) -> ApiError {
    match full {
        SocketLimit::User => {
            ApiError::new(Code::RateLimited, "You have too many open sockets. Close one and try again.")
                .retry_after(30)
        }
        SocketLimit::Service => {
            ApiError::new(Code::Unavailable, "The service has no free sockets. Try again shortly.")
                .retry_after(30)
        }
    }
}
