use deserr::Deserr;
use serde::Serialize;
use utoipa::{
    ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};
use uuid::Uuid;

use super::EventRow;
use crate::{
    http::{CsvRow, ListParam, Text, Timestamp, ValidationErrors, text_enum},
    providers::gateway::redact,
};

text_enum! {
    /// The status of an event in the inbox; a dead one failed too often and waits for an admin.
    WebhookStatus { Pending = "pending", Processed = "processed", Ignored = "ignored", Dead = "dead", }
}

text_enum! {
    /// The outcome of a webhook.
    WebhookAnswer { Ok = "ok", Duplicate = "duplicate", Ignored = "ignored", Error = "error", }
}

/// The answer to a webhook (contract 4.3).
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookTaken {
    pub status: WebhookAnswer,
}

/// An event that the gateway sends (contract 4.3).
#[derive(Debug, ToSchema)]
#[allow(dead_code)]
pub struct Webhook {
    /// The event's name. An event with an unknown name is stored, and ignored.
    pub event: String,
    /// The subject of the event, as the gateway writes it.
    pub payload: serde_json::Map<String, serde_json::Value>,
}

/// An event of the inbox.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookEvent {
    pub id: Uuid,
    /// The gateway that sent it.
    pub gateway: String,
    /// The gateway's id, or the body's SHA-256 if the gateway sent none.
    pub event_id: String,
    /// The gateway's name for what happened.
    pub event: String,
    pub status: WebhookStatus,
    pub attempts: i32,
    /// The reason why processing it failed last; null if it did not.
    pub last_error: Option<String>,
    /// When processing is tried next; null if it is settled.
    pub next_try_at: Option<Timestamp>,
    /// The payload without personal data: name, phone, email, address of payment.
    pub payload: serde_json::Map<String, serde_json::Value>,
    pub received_at: Timestamp,
    pub settled_at: Option<Timestamp>,
}

impl CsvRow for WebhookEvent {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "gateway",
        "event_id",
        "event",
        "status",
        "attempts",
        "last_error",
        "next_try_at",
        "payload",
        "received_at",
        "settled_at",
    ];
}

/// The name of an event, which is the gateway's.
#[derive(Debug, Clone)]
pub struct WebhookEventName(pub String);

impl ListParam for WebhookEventName {
    fn from_text(text: &str) -> Result<Self, String> {
        // The database stores no such character.
        if text.contains('\0') {
            return Err("is not the name of an event".to_owned());
        }
        Ok(Self(text.to_owned()))
    }

    fn param_schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).into()
    }
}

/// The reason why an admin closes an event that can't be dealt with.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct DismissWebhookEvent {
    /// The reason, which is kept in the audit log.
    pub reason: Text<3, 500>,
}

impl From<EventRow> for WebhookEvent {
    fn from(row: EventRow) -> Self {
        let body: Option<serde_json::Value> = serde_json::from_str(&row.body).ok();
        let payload = body
            .map(redact::for_display)
            .and_then(|body| body.get("payload").and_then(|payload| payload.as_object().cloned()));
        Self {
            id: row.id,
            gateway: row.gateway,
            event_id: row.event_id,
            event: row.event,
            status: row.status,
            attempts: row.attempts,
            last_error: row.last_error,
            next_try_at: (row.status == WebhookStatus::Pending).then(|| row.next_try_at.into()),
            payload: payload.unwrap_or_default(),
            received_at: row.received_at.into(),
            settled_at: row.settled_at.map(Into::into),
        }
    }
}
