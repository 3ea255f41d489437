//! What the gateway sends.

use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, post, web::Data};
use sha2::{Digest, Sha256};

use crate::{
    http::{Meter, Proof, RawBody},
    money::payments::{
        PaymentsContext,
        inbox::{
            self, EventClaim, EventOutcome, NewEvent, SentEvent, Stored,
            dto::{Webhook, WebhookAnswer, WebhookTaken},
            read_event,
        },
        redact,
    },
    platform::error::{ApiError, ApiResult, Code, ErrorBody},
};

/// The longest name of an event, in characters, and of its id, in bytes. What is longer is kept in part.
const MAX_NAME: usize = 200;
/// What an event without a name is kept under.
const NAMELESS: &str = "(no name)";

/// Takes an event of the payment gateway: stored once, then answered. A failure to process it is answered 200 too, since the
/// service retries on its own; only an event that could not be stored should be sent again (503).
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
    // The gateway is never refused for what others send.
    meter.count(is_genuine.then(|| Proof::of(&signature)))?;
    let bad = |why| ApiError::new(Code::BadRequest, format!("The body {why}."));
    let SentEvent { name, body } = read_event(&bytes).map_err(bad)?;
    if !is_genuine {
        let message = "X-Gateway-Signature does not match this body.";
        return Err(ApiError::new(Code::SignatureInvalid, message));
    }
    let given = header("x-gateway-event-id").filter(|id| (1..=MAX_NAME).contains(&id.len()));
    let event_id = given.unwrap_or_else(|| hex(&Sha256::digest(&bytes)));
    let (_busy, busy) = context.inbox.enter();
    let now = context.clock.now();
    let id = context.random.id(now);
    // With few under way, the answer waits for the outcome.
    let claim =
        if busy <= context.settings.gateway.inbox_answer_queue { context.inbox.claim(id) } else { None };
    // The signed bytes are no longer needed.
    let body = redact::for_storage(body).to_string();
    let new = NewEvent { id, event_id, event: kept_name(&name), body, at: now };
    let status = match (context.inbox.store(new).await?, claim) {
        (Stored::Duplicate, _) => WebhookAnswer::Duplicate,
        (Stored::New, Some(claim)) => process_now(&context, claim).await,
        (Stored::New, None) => {
            context.inbox.wakeup().wake();
            WebhookAnswer::Ok
        }
    };
    Ok(HttpResponse::Ok().json(WebhookTaken { status }))
}

async fn process_now(context: &Data<PaymentsContext>, claim: EventClaim) -> WebhookAnswer {
    let within = Duration::from_millis(context.settings.gateway.inbox_answer_wait_ms);
    let processing = context.tasks.run({
        let context = context.clone();
        async move { inbox::process(&context, &claim).await }
    });
    match tokio::time::timeout(within, processing).await {
        Ok(Ok(EventOutcome::Processed | EventOutcome::TakenElsewhere)) => WebhookAnswer::Ok,
        Ok(Ok(EventOutcome::Ignored)) => WebhookAnswer::Ignored,
        Ok(Ok(EventOutcome::Failed(_))) => WebhookAnswer::Error,
        // Slow: it goes on in the background. Broken: it is still pending.
        Ok(Err(_)) | Err(_) => {
            context.inbox.wakeup().wake();
            WebhookAnswer::Ok
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The event's name as it is kept. Empty and overlong names and those with control characters belong to no event that is acted
/// upon, and still don't when kept.
fn kept_name(event: &str) -> String {
    let shown = |letter: char| if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter };
    match event {
        "" => NAMELESS.to_owned(),
        event => event.chars().take(MAX_NAME).map(shown).collect(),
    }
}
