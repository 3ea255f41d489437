//! The envelope of every message.

use std::time::Duration;

use chrono::{DateTime, Utc, serde::ts_milliseconds};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use uuid::Uuid;

use super::Unreadable;
use crate::traces::current_traceparent;

/// Grows with each change that servers of the previous release would misread. Fields that those may leave out need no new number.
const VERSION: u32 = 1;

/// The fields that are read from messages of any version.
#[derive(Deserialize)]
struct Head {
    v: u32,
    #[serde(with = "ts_milliseconds")]
    sent_at: DateTime<Utc>,
}

/// A message.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Envelope<T> {
    v: u32,
    pub from: Uuid,
    #[serde(with = "ts_milliseconds")]
    pub sent_at: DateTime<Utc>,
    /// The message's span, as a `traceparent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    pub body: T,
}

/// Returns the bytes of a message.
pub(super) fn seal(from: Uuid, sent_at: DateTime<Utc>, body: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(&Envelope { v: VERSION, from, sent_at, trace: current_traceparent(), body })
}

/// Returns a message's age; zero if its sender's clock is ahead, or it can't be read.
pub(super) fn age(payload: &[u8], now: DateTime<Utc>) -> Duration {
    let head = serde_json::from_slice::<Head>(payload);
    head.map(|head| (now - head.sent_at).to_std().unwrap_or_default()).unwrap_or_default()
}

impl<T: DeserializeOwned> Envelope<T> {
    pub(super) fn open(payload: &[u8]) -> Result<Self, Unreadable> {
        let read = serde_json::from_slice::<Self>(payload);
        let version = match &read {
            Ok(read) => Some(read.v),
            Err(_) => serde_json::from_slice::<Head>(payload).ok().map(|head| head.v),
        };
        match read {
            _ if version.is_some_and(|v| v > VERSION) => Err(Unreadable::Newer),
            Ok(read) => Ok(read),
            Err(_) => Err(Unreadable::Malformed),
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use serde_json::{Value, json};

    use super::*;

    const NOBODY: &str = r#""from":"00000000-0000-0000-0000-000000000000","sent_at":0"#;

    #[test]
    fn a_message_is_read_as_it_was_sent() {
        let at = DateTime::UNIX_EPOCH;
        let sealed = seal(Uuid::nil(), at, &("a job", 7)).unwrap();
        assert_eq!(Envelope::<(String, u32)>::open(&sealed).unwrap().body, ("a job".to_owned(), 7));
        assert_eq!(age(&sealed, at + TimeDelta::seconds(31)), Duration::from_secs(31));
        assert_eq!(age(&sealed, at - TimeDelta::seconds(31)), Duration::ZERO);
        assert_eq!(age(b"nonsense", at), Duration::ZERO);
    }

    #[test]
    fn an_empty_body_is_told_from_any_other_body() {
        let says_nothing = |body: &Value| {
            let sealed = seal(Uuid::nil(), DateTime::UNIX_EPOCH, body).unwrap();
            Envelope::<()>::open(&sealed).is_ok()
        };
        assert!(says_nothing(&Value::Null));
        for something in [json!({"accept": 7}), json!("count"), json!([])] {
            assert!(!says_nothing(&something), "{something}");
        }
    }

    #[test]
    fn a_message_of_a_newer_release_is_told_from_nonsense() {
        let open = |payload: &str| Envelope::<u32>::open(payload.as_bytes()).map(|_| ()).unwrap_err();
        for newer in [r#""body":{"unknown":1}"#, r#""body":7"#] {
            assert_eq!(open(&format!(r#"{{"v":2,{NOBODY},{newer}}}"#)), Unreadable::Newer, "{newer}");
        }
        for nonsense in ["", "null", "{}", &format!(r#"{{"v":1,{NOBODY},"body":"x"}}"#)] {
            assert_eq!(open(nonsense), Unreadable::Malformed, "{nonsense}");
        }
    }
}
