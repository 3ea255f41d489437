//! Writing to the job's mechanic and calling them with a link.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};

use super::{admission::Admitted, context::SharesContext};
use crate::{
    http::{Body, NoFields, NoIdempotencyKey, Owned, Query},
    messaging::{
        calls::{self, CallToken, NewSignal, OwnCall, SharedCall, SignalPayload, Signalled},
        chat::{self, MessagesQuery, NewGuestMessage, SharedMessage, SharedMessages},
    },
    platform::{
        error::{ApiResult, ErrorBody},
        idempotency::Claim,
    },
};

/// Lists the chat with the job's mechanic since they got the job, for the holder of a link: the newest messages, the newest
/// before `before_seq`, or those after `since_seq`.
#[utoipa::path(
    tag = "shares",
    security(()),
    params(
        ("token" = String, Path, example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A"),
        ("since_seq" = Option<i64>, Query, minimum = 0, description = "The oldest messages after this one"),
        ("before_seq" = Option<i64>, Query, minimum = 1, description = "The newest messages before this one; not beside `since_seq`"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 if not given"),
    ),
    responses(
        (status = 200, body = SharedMessages),
        (status = 403, body = ErrorBody, description = "FORBIDDEN: this link only shows the job"),
        (status = 404, body = ErrorBody, description = "NOT_FOUND: there is no such link"),
        (status = 410, body = ErrorBody, description = "LINK_EXPIRED: the job is over, or the link was revoked or has expired"),
    ),
)]
#[get("/shares/{token}/messages")]
pub async fn list_guest_messages(
    context: Data<SharesContext>,
    by: Admitted,
    query: Query<MessagesQuery>,
) -> ApiResult<Json<SharedMessages>> {
    let Admitted { guest, job } = by;
    Ok(Json(chat::list_as_guest(&context.chat, guest, &job, query.read()?).await?))
}

/// Writes to the job's mechanic with a link, on behalf of the customer, who can read it. Sending a message again with the same
/// `client_message_id` returns the same message with 200. At most `chat.messages_per_minute` for each link.
#[utoipa::path(
    tag = "shares",
    security(()),
    params(("token" = String, Path, example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A")),
    request_body = NewGuestMessage,
    responses(
        (status = 201, body = SharedMessage),
        (status = 200, body = SharedMessage, description = "It was sent before"),
        (status = 403, body = ErrorBody, description = "FORBIDDEN: this link only shows the job"),
        (status = 404, body = ErrorBody, description = "NOT_FOUND: there is no such link"),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: nobody has taken the job; CONFLICT: the chat is \
            full, or another message has this client_message_id"),
        (status = 410, body = ErrorBody, description = "LINK_EXPIRED: the job is over, or the link was revoked or has expired"),
    ),
)]
#[post("/shares/{token}/messages")]
pub async fn send_guest_message(
    context: Data<SharesContext>,
    by: Admitted,
    body: Body<NewGuestMessage>,
) -> ApiResult<HttpResponse> {
    let (message, is_new) = chat::send_as_guest(&context.chat, by.guest, body.read()?).await?;
    let mut answer = if is_new { HttpResponse::Created() } else { HttpResponse::Ok() };
    Ok(answer.json(message))
}

/// Calls the job's mechanic with a link. The call rings on all their devices for `calls.ring_s` seconds.
#[utoipa::path(
    tag = "shares",
    security(()),
    params(("token" = String, Path, example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A")),
    responses(
        (status = 201, body = SharedCall),
        (status = 403, body = ErrorBody, description = "FORBIDDEN: this link only shows the job"),
        (status = 404, body = ErrorBody, description = "NOT_FOUND: there is no such link"),
        (status = 409, body = ErrorBody, description = "CONFLICT: another call about the job is in progress; INVALID_TRANSITION: \
            nobody is on the job"),
        (status = 410, body = ErrorBody, description = "LINK_EXPIRED: the job is over, or the link was revoked or has expired"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED, also for an Idempotency-Key: keys belong to accounts, and \
            a guest has none"),
    ),
)]
#[post("/shares/{token}/calls")]
pub async fn call_mechanic_as_guest(
    context: Data<SharesContext>,
    by: Admitted,
    key: NoIdempotencyKey,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    key.check()?;
    body.read()?;
    let call = calls::invite(&context.calls, by.guest.into(), by.job.id, &Claim::Unmarked).await?;
    Ok(HttpResponse::Created().json(SharedCall::from(call)))
}

/// Answers the mechanic's call with a link; other devices stop ringing. Repeating it with the same link returns the same call.
#[utoipa::path(
    tag = "shares",
    security(()),
    params(("token" = String, Path, example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A"), ("id" = Uuid, Path)),
    responses(
        (status = 200, body = SharedCall),
        (status = 403, body = ErrorBody, description = "FORBIDDEN: this link only shows the job"),
        (status = 404, body = ErrorBody, description = "NOT_FOUND: there is no such link, or no such call of its holder's"),
        (status = 409, body = ErrorBody, description = "CONFLICT: someone else has answered; INVALID_TRANSITION: it is over, or \
            the holder's own"),
        (status = 410, body = ErrorBody, description = "LINK_EXPIRED: the job is over, or the link was revoked or has expired"),
    ),
)]
#[post("/shares/{token}/calls/{id}/accept")]
pub async fn accept_call_as_guest(
    context: Data<SharesContext>,
    call: Owned<OwnCall, Admitted>,
    body: Body<NoFields>,
) -> ApiResult<Json<SharedCall>> {
    body.read()?;
    Ok(Json(calls::accept(&context.calls, &call).await?.into()))
}

/// Declines the mechanic's call with a link; all devices stop ringing. Repeating it returns the same call.
#[utoipa::path(
    tag = "shares",
    security(()),
    params(("token" = String, Path, example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A"), ("id" = Uuid, Path)),
    responses(
        (status = 200, body = SharedCall),
        (status = 403, body = ErrorBody, description = "FORBIDDEN: this link only shows the job"),
        (status = 404, body = ErrorBody, description = "NOT_FOUND: there is no such link, or no such call of its holder's"),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: it was answered, is over, or is the holder's own"),
        (status = 410, body = ErrorBody, description = "LINK_EXPIRED: the job is over, or the link was revoked or has expired"),
    ),
)]
#[post("/shares/{token}/calls/{id}/reject")]
pub async fn reject_call_as_guest(
    context: Data<SharesContext>,
    call: Owned<OwnCall, Admitted>,
    body: Body<NoFields>,
) -> ApiResult<Json<SharedCall>> {
    body.read()?;
    Ok(Json(calls::reject(&context.calls, &call).await?.into()))
}

/// Hangs up with a link, whether the call is ringing or was answered. A call that is over is returned unchanged.
#[utoipa::path(
    tag = "shares",
    security(()),
    params(("token" = String, Path, example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A"), ("id" = Uuid, Path)),
    responses(
        (status = 200, body = SharedCall),
        (status = 403, body = ErrorBody, description = "FORBIDDEN: this link only shows the job"),
        (status = 404, body = ErrorBody, description = "NOT_FOUND: there is no such link, or no such call of its holder's"),
        (status = 409, body = ErrorBody, description = "CONFLICT: someone else has answered"),
        (status = 410, body = ErrorBody, description = "LINK_EXPIRED: the job is over, or the link was revoked or has expired"),
    ),
)]
#[post("/shares/{token}/calls/{id}/end")]
pub async fn end_call_as_guest(
    context: Data<SharesContext>,
    call: Owned<OwnCall, Admitted>,
    body: Body<NoFields>,
) -> ApiResult<Json<SharedCall>> {
    body.read()?;
    Ok(Json(calls::hang_up(&context.calls, &call).await?.into()))
}

/// Passes a signal of a call on to the mechanic's device, as `call.signal` does on a socket; replies arrive on the link's stream. At
/// most `calls.signals_per_second`. Signals are not stored.
#[utoipa::path(
    tag = "shares",
    security(()),
    params(("token" = String, Path, example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A"), ("id" = Uuid, Path)),
    request_body = NewSignal,
    responses(
        (status = 200, body = Signalled),
        (status = 403, body = ErrorBody, description = "FORBIDDEN: this link only shows the job"),
        (status = 404, body = ErrorBody, description = "NOT_FOUND: there is no such link, or no such call of its holder's"),
        (status = 409, body = ErrorBody, description = "CONFLICT: someone else has answered; INVALID_TRANSITION: it is over, or \
            has not been answered yet"),
        (status = 410, body = ErrorBody, description = "LINK_EXPIRED: the job is over, or the link was revoked or has expired"),
    ),
)]
#[post("/shares/{token}/calls/{id}/signal")]
pub async fn signal_as_guest(
    context: Data<SharesContext>,
    call: Owned<OwnCall, Admitted>,
    body: Body<NewSignal>,
) -> ApiResult<Json<Signalled>> {
    let payload = SignalPayload::new(body.read()?.payload)?;
    Ok(Json(calls::signal_as_guest(&context.calls, &call, payload).await?))
}

/// Issues a token with which the device of a link's holder enters the job's room, and lists the servers to reach it. This works
/// only while they have a call, and the token ends with that call or the link at the latest.
#[utoipa::path(
    tag = "shares",
    security(()),
    params(("token" = String, Path, example = "h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A")),
    responses(
        (status = 200, body = CallToken),
        (status = 403, body = ErrorBody, description = "FORBIDDEN: this link only shows the job"),
        (status = 404, body = ErrorBody, description = "NOT_FOUND: there is no such link"),
        (status = 409, body = ErrorBody, description = "CONFLICT: the link's holder has no call, or the job's mechanic has just \
            changed; INVALID_TRANSITION: nobody is on the job"),
        (status = 410, body = ErrorBody, description = "LINK_EXPIRED: the job is over, or the link was revoked or has expired"),
        (status = 502, body = ErrorBody, description = "PROVIDER_ERROR: the provider made no room"),
    ),
)]
#[post("/shares/{token}/calls/token")]
pub async fn issue_guest_call_token(
    context: Data<SharesContext>,
    by: Admitted,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    body.read()?;
    let token = calls::issue_token_as_guest(&context.calls, by.guest, &by.job).await?;
    Ok(HttpResponse::Ok().insert_header(("cache-control", "no-store")).json(token))
}
