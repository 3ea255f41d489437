//! The reasons why a request fails.

use std::fmt::Display;

use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde::Deserialize;
use serde_json::Value;

/// The number of characters of an answer without an envelope that a message quotes.
const QUOTED: usize = 200;

/// The reason why a request, or the opening of a socket, failed. `asked` is its method and path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The answer has another status than a success.
    #[error("{asked}: {status} {code}: {message}{}", shown(.request_id))]
    Refused {
        asked: String,
        status: u16,
        /// `error.code` of the envelope; NO_ENVELOPE where the answer has another form.
        code: String,
        /// The message of the envelope, and the errors of its fields.
        message: String,
        retry_after_s: Option<u64>,
        /// The id under which the server's log has the request.
        request_id: Option<String>,
    },
    #[error("{asked}: no answer: {why}")]
    Silent { asked: String, why: String },
    #[error("{asked}: an answer that is not as documented: {why}")]
    Odd { asked: String, why: String },
}

#[derive(Deserialize)]
struct Envelope {
    error: Detail,
}

#[derive(Deserialize)]
struct Detail {
    code: String,
    message: String,
    errors: Option<Value>,
}

impl ClientError {
    pub fn silent(asked: impl Display, why: impl Display) -> Self {
        Self::Silent { asked: asked.to_string(), why: why.to_string() }
    }

    pub fn odd(asked: impl Display, why: impl Display) -> Self {
        Self::Odd { asked: asked.to_string(), why: why.to_string() }
    }

    /// Reads a refusal.
    pub(crate) fn refused(asked: impl Display, status: u16, headers: &HeaderMap, body: &[u8]) -> Self {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let (code, message) = match serde_json::from_slice(body) {
            Ok(Envelope { error: Detail { code, message, errors: None } }) => (code, message),
            Ok(Envelope { error: Detail { code, message, errors: Some(errors) } }) => {
                (code, format!("{message} {errors}"))
            }
            Err(_) => {
                let text = String::from_utf8_lossy(body);
                ("NO_ENVELOPE".to_owned(), text.chars().take(QUOTED).collect())
            }
        };
        Self::Refused {
            asked: asked.to_string(),
            status,
            code,
            message,
            retry_after_s: header(RETRY_AFTER.as_str()).and_then(|seconds| seconds.parse().ok()),
            request_id: header("x-request-id").map(str::to_owned),
        }
    }

    /// Returns the refusal's code, e.g. INVALID_TRANSITION. Other failures have NO_ANSWER or ODD_ANSWER.
    pub fn code(&self) -> &str {
        match self {
            Self::Refused { code, .. } => code,
            Self::Silent { .. } => "NO_ANSWER",
            Self::Odd { .. } => "ODD_ANSWER",
        }
    }

    /// Returns the status of a refusal.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { status, .. } => Some(*status),
            Self::Silent { .. } | Self::Odd { .. } => None,
        }
    }

    /// Returns the seconds of a refusal's `Retry-After`.
    pub fn retry_after_s(&self) -> Option<u64> {
        match self {
            Self::Refused { retry_after_s, .. } => *retry_after_s,
            Self::Silent { .. } | Self::Odd { .. } => None,
        }
    }
}

fn shown(request_id: &Option<String>) -> String {
    request_id.as_deref().map(|id| format!(" (request {id})")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn refused(headers: &[(&'static str, &'static str)], body: &str) -> ClientError {
        let header = |&(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value));
        ClientError::refused("GET /jobs", 503, &headers.iter().map(header).collect(), body.as_bytes())
    }

    #[test]
    fn a_refusal_names_its_code_its_fields_and_when_to_come_back() {
        let body = r#"{"error":{"code":"UNAVAILABLE","message":"Later.","errors":{"a":["is odd"]}}}"#;
        let error = refused(&[("retry-after", "7"), ("x-request-id", "r-1")], body);
        assert_eq!(
            (error.code(), error.status(), error.retry_after_s()),
            ("UNAVAILABLE", Some(503), Some(7))
        );
        assert_eq!(error.to_string(), r#"GET /jobs: 503 UNAVAILABLE: Later. {"a":["is odd"]} (request r-1)"#);
    }

    #[test]
    fn an_answer_without_an_envelope_is_quoted_in_part() {
        let error = refused(&[("retry-after", "soon")], &"x".repeat(1_000));
        assert_eq!((error.code(), error.retry_after_s()), ("NO_ENVELOPE", None));
        assert_eq!(error.to_string(), format!("GET /jobs: 503 NO_ENVELOPE: {}", "x".repeat(QUOTED)));
    }
}
