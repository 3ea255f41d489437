//! The webhooks to partners, for the AsyncAPI document. They are made of the catalogue of events (`partners/feeds`).

use serde_json::{Map, Value, json};

use crate::{
    partners::feeds::{
        PartnerEventContent, PartnerEventKind, PositionContent, WebhookChallenge, WebhookTestContent,
    },
    ws::Shape,
};

/// The name of the channel, and of its server.
pub(super) const WEBHOOKS: &str = "webhooks";

/// Returns the names of the messages.
pub(super) fn names() -> impl Iterator<Item = String> {
    PartnerEventKind::ALL.iter().map(|kind| kind.as_str().to_owned())
}

/// Returns the shape of the contents of an event.
pub(super) fn shape_of(kind: PartnerEventKind) -> Shape {
    match kind {
        PartnerEventKind::JobPosition => Shape::of::<PositionContent>(),
        PartnerEventKind::WebhookVerify => Shape::of::<WebhookChallenge>(),
        PartnerEventKind::WebhookTest => Shape::of::<WebhookTestContent>(),
        _ => Shape::of::<PartnerEventContent>(),
    }
}

pub(super) fn server() -> Value {
    json!({
        "host": "hooks.partner.example", "protocol": "https",
        "description": "The partner's own: where a subscription wants its events.",
    })
}

/// Returns the channel; `messages` are references to its messages.
pub(super) fn channel(messages: Value) -> Value {
    json!({
        "address": "{url}",
        "title": "Webhooks to partners",
        "description": "POST requests as Standard Webhooks describes them, from POST /partner/subscriptions on. An event comes at least \
            once: tell repeats by `webhook-id`. First tries of a case's events come in the order of `seq`; one that fails comes again \
            after 5 s, 5 min, 30 min, 2 h, 5 h and 10 h, while later ones go on. Each has a snapshot.",
        "servers": [{"$ref": format!("#/servers/{WEBHOOKS}")}],
        "parameters": {"url": {"description": "The address of the subscription."}},
        "messages": messages,
    })
}

/// Returns the messages by name.
pub(super) fn messages() -> Map<String, Value> {
    PartnerEventKind::ALL.iter().map(|kind| (kind.as_str().to_owned(), message(*kind))).collect()
}

fn message(kind: PartnerEventKind) -> Value {
    let name = kind.as_str();
    json!({
        "name": name, "title": name, "summary": kind.occasion(), "contentType": "application/json",
        "headers": {
            "type": "object",
            "required": ["webhook-id", "webhook-timestamp", "webhook-signature"],
            "properties": {
                "webhook-id": {"type": "string", "format": "uuid", "description": "The same in each try and replay of an event."},
                "webhook-timestamp": {"type": "string", "description": "When this try was made, in seconds since 1970."},
                "webhook-signature": {"type": "string", "description": "`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; \
                    two, with a space between them, while a former secret is good."},
            },
        },
        "payload": {
            "type": "object",
            "required": ["type", "timestamp", "data"],
            "properties": {
                "type": {"type": "string", "const": name},
                "timestamp": {"$ref": "#/components/schemas/Timestamp"},
                "data": {"$ref": format!("#/components/schemas/{}", shape_of(kind).name)},
            },
        },
    })
}
