//! Interprets FCM's answers (firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode). Pure.

use chrono::TimeDelta;
use serde::Deserialize;

/// The meaning of FCM's refusal of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The token belongs to no app any longer, or is not a token.
    Gone,
    /// FCM would refuse the push again.
    Refused(String),
    /// The access token is not accepted.
    Unauthenticated,
    /// FCM may take the push later.
    Unavailable(String),
}

#[derive(Default, Deserialize)]
struct ErrorBody {
    #[serde(default)]
    error: Status,
}

/// google.rpc.Status as JSON.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Status {
    message: String,
    status: String,
    details: Vec<Detail>,
}

/// Either `FcmError` or `BadRequest`; nothing is read of other types.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Detail {
    error_code: String,
    field_violations: Vec<FieldViolation>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct FieldViolation {
    field: String,
}

/// Reads FCM's own error code, if there is one. Without it a 404 may come from a wrong project or a proxy, and is no reason to
/// forget a token.
pub(super) fn verdict(status: u16, body: &[u8]) -> Verdict {
    let body: ErrorBody = serde_json::from_slice(body).unwrap_or_default();
    let code =
        body.error.details.iter().map(|detail| detail.error_code.as_str()).find(|code| !code.is_empty());
    let why = || match code {
        Some(code) => format!("status {status}, {}", plain(code)),
        None if body.error.status.is_empty() => format!("status {status}"),
        None => format!("status {status}, {}", plain(&body.error.status)),
    };
    match (status, code) {
        (404, Some("UNREGISTERED")) => Verdict::Gone,
        (400, _) if is_about_token(&body.error) => Verdict::Gone,
        // The operator's keys at Apple or for browsers are wrong, not ours at FCM.
        (401, Some("THIRD_PARTY_AUTH_ERROR")) => Verdict::Unavailable(why()),
        (401, _) => Verdict::Unauthenticated,
        // The account may not push, or the project is a different one: the operator must correct that.
        (403, Some("SENDER_ID_MISMATCH")) => Verdict::Refused(why()),
        (403 | 404 | 408 | 429, _) => Verdict::Unavailable(why()),
        (400..=499, _) => Verdict::Refused(why()),
        _ => Verdict::Unavailable(why()),
    }
}

fn is_about_token(error: &Status) -> bool {
    let violations = error.details.iter().flat_map(|detail| &detail.field_violations);
    let is_named = violations.into_iter().any(|violation| violation.field == "message.token");
    is_named || (error.status == "INVALID_ARGUMENT" && error.message.contains("registration token"))
}

/// Returns an error word of FCM in a form that is safe for rows and logs.
fn plain(word: &str) -> String {
    word.chars().filter(|c| c.is_ascii_uppercase() || *c == '_').take(40).collect()
}

#[derive(Deserialize)]
struct Granted {
    access_token: String,
    expires_in: i64,
}

/// A day: real tokens last less, and a huge number would overflow a date.
const LONGEST_S: i64 = 86_400;

/// Reads the token of a grant (RFC 6749, 5.1), and how long it lasts.
pub(super) fn access_token(body: &[u8]) -> Result<(String, TimeDelta), String> {
    let odd = || "access token: no answer of the documented shape".to_owned();
    let Granted { access_token, expires_in } = serde_json::from_slice(body).map_err(|_| odd())?;
    let is_sound = !access_token.is_empty() && access_token.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_sound || expires_in < 1 {
        return Err(odd());
    }
    Ok((access_token, TimeDelta::seconds(expires_in.min(LONGEST_S))))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn error(status: &str, message: &str, details: Value) -> Vec<u8> {
        json!({"error": {"code": 0, "message": message, "status": status, "details": details}})
            .to_string()
            .into_bytes()
    }

    fn fcm(code: &str) -> Value {
        json!([{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": code}])
    }

    #[test]
    fn a_token_is_forgotten_only_for_errors_about_the_token() {
        let violation = |field: &str| {
            json!([{"@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [{"field": field, "description": "Invalid registration token"}]},
                {"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": "INVALID_ARGUMENT"}])
        };
        let invalid = "INVALID_ARGUMENT";
        let text = "The registration token is not a valid FCM registration token";
        let unavailable = |why: &str| Verdict::Unavailable(why.to_owned());
        let refused = |why: &str| Verdict::Refused(why.to_owned());
        let cases = [
            (404, error("NOT_FOUND", "Requested entity was not found.", fcm("UNREGISTERED")), Verdict::Gone),
            (400, error(invalid, text, fcm(invalid)), Verdict::Gone),
            (
                400,
                error(invalid, "Request contains an invalid argument.", violation("message.token")),
                Verdict::Gone,
            ),
            (
                400,
                error(invalid, "Invalid value", violation("message.android.ttl")),
                refused("status 400, INVALID_ARGUMENT"),
            ),
            (
                404,
                error("NOT_FOUND", "Requested entity was not found.", json!([])),
                unavailable("status 404, NOT_FOUND"),
            ),
            (404, b"<html>not here</html>".to_vec(), unavailable("status 404")),
            (401, error("UNAUTHENTICATED", "", json!([])), Verdict::Unauthenticated),
            (401, b"".to_vec(), Verdict::Unauthenticated),
            (
                401,
                error("UNAUTHENTICATED", "", fcm("THIRD_PARTY_AUTH_ERROR")),
                unavailable("status 401, THIRD_PARTY_AUTH_ERROR"),
            ),
            (
                403,
                error("PERMISSION_DENIED", "", fcm("SENDER_ID_MISMATCH")),
                refused("status 403, SENDER_ID_MISMATCH"),
            ),
            (403, error("PERMISSION_DENIED", "", json!([])), unavailable("status 403, PERMISSION_DENIED")),
            (
                429,
                error("RESOURCE_EXHAUSTED", "", fcm("QUOTA_EXCEEDED")),
                unavailable("status 429, QUOTA_EXCEEDED"),
            ),
            (500, error("INTERNAL", "", fcm("INTERNAL")), unavailable("status 500, INTERNAL")),
            (503, error("UNAVAILABLE", "", fcm("UNAVAILABLE")), unavailable("status 503, UNAVAILABLE")),
            (413, b"{}".to_vec(), refused("status 413")),
            (302, b"{}".to_vec(), unavailable("status 302")),
            (400, b"{\"error\":\"token abc\"}".to_vec(), refused("status 400")),
        ];
        for (status, body, expected) in cases {
            assert_eq!(verdict(status, &body), expected, "{status} {}", String::from_utf8_lossy(&body));
        }
    }

    #[test]
    fn a_grant_is_read_or_refused_whole() {
        let granted = access_token(br#"{"access_token":"ya29.x","expires_in":3599,"token_type":"Bearer"}"#);
        assert_eq!(granted, Ok(("ya29.x".to_owned(), TimeDelta::seconds(3599))));
        let endless = access_token(br#"{"access_token":"ya29.x","expires_in":9223372036854775807}"#);
        assert_eq!(endless.map(|(_, lasts)| lasts), Ok(TimeDelta::days(1)));
        for odd in [
            "",
            "[]",
            "{}",
            r#"{"access_token":"","expires_in":1}"#,
            r#"{"access_token":"a b","expires_in":1}"#,
            r#"{"access_token":"a","expires_in":0}"#,
            r#"{"access_token":"a"}"#,
            r#"{"access_token":7,"expires_in":1}"#,
        ] {
            assert!(access_token(odd.as_bytes()).is_err(), "{odd}");
        }
    }
}
