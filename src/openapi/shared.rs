//! The parts to which many operations refer: security schemes, headers, and refusals.

use serde_json::{Value, json};

use crate::http::IdempotencyKey;

/// Adds the shared components to the document.
pub(super) fn add_components(document: &mut Value) {
    let components = &mut document["components"];
    components["securitySchemes"] = json!({
        "bearer": {
            "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
            "description": "From POST /auth/verify-otp (customers and mechanics) or POST /auth/admin-login (admins); or a partner's key, which is no JWT.",
        },
        "ticket": {
            "type": "apiKey", "in": "query", "name": "ticket",
            "description": "From POST /ws/ticket, for one use: so that no token is in a URL.",
        },
    });
    components["headers"] = json!({
        "RequestId": {
            "description": "The request's id in the logs: the caller's own if it sent a plain one of 8 to 64 characters.",
            "schema": {"type": "string"},
            "example": "019ceb77-7340-7d40-a154-8f3b7ccd4e01",
        },
        "RetryAfter": {
            "description": "Seconds after which to try again.",
            "schema": {"type": "integer", "minimum": 0},
            "example": 2,
        },
        "RateLimitLimit": {
            "description": "The requests that the caller has in a minute. Every counted request is answered with this header, not only those refused with 429.",
            "schema": {"type": "integer", "minimum": 1},
            "example": 600,
        },
        "RateLimitRemaining": {
            "description": "How many of them are left, with every counted request. A socket, a stream, an upload or a look-up at a bank takes several.",
            "schema": {"type": "integer", "minimum": 0},
            "example": 599,
        },
        "RateLimitReset": {
            "description": "Seconds until all of them are back, with every counted request.",
            "schema": {"type": "integer", "minimum": 0},
            "example": 1,
        },
        "TotalRows": {
            "description": "Only on a CSV: the rows of the list when the export began.",
            "schema": {"type": "integer", "minimum": 0},
            "example": 1280,
        },
        "RowLimit": {
            "description": "Only on a CSV: the most rows that one has (`admin.export_max_rows`).",
            "schema": {"type": "integer", "minimum": 1},
            "example": 100_000,
        },
        "Truncated": {
            "description": "Only on a CSV: whether rows of the list are left out because of that limit.",
            "schema": {"type": "string", "enum": ["true", "false"]},
            "example": "false",
        },
        "Deprecation": {
            "description": "Since when this path is deprecated (RFC 9745), in Unix time.",
            "schema": {"type": "string"},
            "example": "@1795910400",
        },
        "Successor": {
            "description": "The path that takes its place (RFC 8288), under the prefix that was asked.",
            "schema": {"type": "string"},
            "example": "</payments/unpaid-fees>; rel=\"successor-version\"",
        },
    });
    components["parameters"] = json!({
        "IdempotencyKey": IdempotencyKey::parameter(),
        "ActsFor": {
            "name": "Roadcall-Organisation", "in": "header", "required": false,
            "description": "The organisation for which an agency's key acts, if not for the agency itself. Any other is 403 FORBIDDEN.",
            "schema": {"type": "string", "format": "uuid"},
            "example": "019ceb77-7340-7c30-8f43-7e2a6bbc6e01",
        },
    });
    let shared = SHARED.iter().map(|shared| (shared.name.to_owned(), shared.response()));
    components["responses"] = Value::Object(shared.collect());
}

/// An answer that many operations share. Its description names the codes, and so its examples (`errors.rs`).
pub(super) struct Shared {
    pub(super) status: &'static str,
    pub(super) name: &'static str,
    pub(super) description: &'static str,
}

const fn shared(status: &'static str, name: &'static str, description: &'static str) -> Shared {
    Shared { status, name, description }
}

pub(super) const SHARED: [Shared; 9] = [
    shared("401", "Unauthorized", "UNAUTHORIZED: no token, or one that is not valid; TOKEN_EXPIRED"),
    shared(
        "403",
        "Forbidden",
        "FORBIDDEN: this role or key may not do this; DESK_NEEDED: an admin at another desk; ACCOUNT_SUSPENDED",
    ),
    shared("404", "NotFound", "NOT_FOUND: no such object, or not the caller's"),
    shared("413", "PayloadTooLarge", "PAYLOAD_TOO_LARGE: the body is too large"),
    shared("415", "UnsupportedMediaType", "UNSUPPORTED_MEDIA_TYPE: not application/json, or encoded"),
    shared(
        "422",
        "ValidationFailed",
        "VALIDATION_FAILED: a body, a parameter or a path id is wrong; every fault is named, up to 32",
    ),
    shared(
        "429",
        "RateLimited",
        "RATE_LIMITED: too many requests; a person has one budget for HTTP and all their sockets",
    ),
    shared("500", "InternalError", "INTERNAL_ERROR: a fault of the service"),
    shared("503", "ServiceUnavailable", "Not now: UNAVAILABLE changed nothing, OUTCOME_UNKNOWN may have"),
];

impl Shared {
    fn response(&self) -> Value {
        let mut headers = json!({"x-request-id": {"$ref": "#/components/headers/RequestId"}});
        let mut add = |header: &str, name: &str| {
            headers[header] = json!({"$ref": format!("#/components/headers/{name}")});
        };
        if ["429", "503"].contains(&self.status) {
            add("retry-after", "RetryAfter");
        }
        if self.status == "429" {
            add("ratelimit-limit", "RateLimitLimit");
            add("ratelimit-remaining", "RateLimitRemaining");
            add("ratelimit-reset", "RateLimitReset");
        }
        json!({
            "description": self.description,
            "headers": headers,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}},
        })
    }
}
