//! The route for the gateway's webhooks.

use actix_web::{HttpRequest, HttpResponse, post, web::Data};
use sha2::{Digest, Sha256};

use crate::{
    http::{Meter, Proof, RawBody},
    money::payments::{
        actions::webhooks::{self, MAX_NAME},
        context::PaymentsContext,
        inbox::{
            SentEvent,
            dto::{Webhook, WebhookTaken},
            read_event,
        },
    },
    platform::error::{ApiError, ApiResult, Code, ErrorBody},
};

/// Takes an event of the payment gateway: it is stored once, then answered. A failure to process it is answered 200
/// too, since the service retries on its own; only an event that could not be stored should be sent again (503).
#[utoipa::path(
    tag = "payments",
    params(
        ("X-Gateway-Signature" = String, Header, description = "Hex HMAC-SHA256 of the body under \
            `gateway.webhook_secret`, or while it is being replaced under the one before",
            example = "9e1f0c6b6f1c5f2f3f0d8a8f7e4b1a9c0d2e3f405162738495a6b7c8d9e0f1a2"),
        ("X-Gateway-Event-Id" = Option<String>, Header, description = "The event's id; without one the body's \
            SHA-256 stands for it", example = "evt_OX1d4b7yQ2mTzX"),
    ),
    request_body = Webhook,
    responses(
        (status = 200, body = WebhookTaken, description = "Stored. `duplicate`: it was stored before; `ignored`: of a \
            kind that is not acted upon; `error`: processing failed, and is retried or shown to admins"),
        (status = 400, body = ErrorBody, description = "BAD_REQUEST: the body is missing, too large, or not \
            `{event: string, payload: object}`; the message says why"),
        (status = 401, body = ErrorBody, description = "SIGNATURE_INVALID: nothing was stored"),
    ),
    security(()),
)]
#[post("/payments/webhook")]
pub async fn take_webhook(
    context: Data<PaymentsContext>,
    request: HttpRequest,
    meter: Meter,
    body: RawBody,
) -> ApiResult<HttpResponse> {
    let bytes = body.read()?;
    let header = |name: &str| {
        let value = request.headers().get(name).and_then(|value| value.to_str().ok());
        value.map(str::to_owned)
    };
    let signature = header("x-gateway-signature").unwrap_or_default();
    let is_genuine = context.webhook_keys.is_genuine(&bytes, &signature);
    // The gateway is never refused because of requests by others.
    meter.count(is_genuine.then(|| Proof::of(&signature)))?;
    let forged = || ApiError::new(Code::SignatureInvalid, "X-Gateway-Signature does not match this body.");
    // Only the gateway may send large bodies.
    if !is_genuine && bytes.len() > context.settings.server.body_limit_bytes {
        return Err(forged());
    }
    let bad = |why| ApiError::new(Code::BadRequest, format!("The body {why}."));
    let SentEvent { name, body } = read_event(&bytes).map_err(bad)?;
    if !is_genuine {
        return Err(forged());
    }
    let given = header("x-gateway-event-id").filter(|id| (1..=MAX_NAME).contains(&id.len()));
    let event_id = given.unwrap_or_else(|| hex::encode(Sha256::digest(&bytes)));
    let status = webhooks::take(&context, event_id, SentEvent { name, body }).await?;
    Ok(HttpResponse::Ok().json(WebhookTaken { status }))
}
