//! What every message has around it.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use uuid::Uuid;

use super::Unreadable;

/// Grows with each change that servers of the release before would misread. Fields that those may leave out need no new number.
const VERSION: u32 = 1;

/// A message of any version.
#[derive(Deserialize)]
struct Head {
    v: u32,
}

/// A message.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Envelope<T> {
    v: u32,
    from: Uuid,
    pub body: T,
}

/// The bytes of a message.
pub(super) fn seal(from: Uuid, body: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(&Envelope { v: VERSION, from, body })
}

impl<T: DeserializeOwned> Envelope<T> {
    pub(super) fn open(payload: &[u8]) -> Result<Self, Unreadable> {
        serde_json::from_slice(payload).map_err(|_| {
            let head = serde_json::from_slice::<Head>(payload);
            if head.is_ok_and(|head| head.v > VERSION) { Unreadable::Newer } else { Unreadable::Malformed }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_as_it_was_sent() {
        let sealed = seal(Uuid::nil(), &("a job", 7)).unwrap();
        assert_eq!(Envelope::<(String, u32)>::open(&sealed).unwrap().body, ("a job".to_owned(), 7));
    }

    #[test]
    fn what_a_newer_release_says_is_told_from_nonsense() {
        let open = |payload: &str| Envelope::<u32>::open(payload.as_bytes()).map(|_| ()).unwrap_err();
        let newer = r#"{"v":2,"from":"00000000-0000-0000-0000-000000000000","body":{"unknown":1}}"#;
        assert_eq!(open(newer), Unreadable::Newer);
        for nonsense in
            ["", "null", "{}", r#"{"v":1,"from":"00000000-0000-0000-0000-000000000000","body":"x"}"#]
        {
            assert_eq!(open(nonsense), Unreadable::Malformed, "{nonsense}");
        }
    }
}
