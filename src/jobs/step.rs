//! A step of a job, and the id under which the job's log stores it.

use roadcall_actors::ids::CommandId;
use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

/// A step of a job, which may be sent again under an `Idempotency-Key`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobStep {
    pub job_id: Uuid,
    /// An id that is the same for every try; `None` without a key, since each try is new then.
    pub logged_under: Option<CommandId>,
}

/// A step without a key, which is not sent again.
impl From<Uuid> for JobStep {
    fn from(job_id: Uuid) -> Self {
        Self { job_id, logged_under: None }
    }
}

impl JobStep {
    /// Returns the step that this person asks for. `route` is the template of the path, and `asked` the data that a repeat must
    /// match: the path's ids other than the job's, then the body's bytes.
    pub fn new(job_id: Uuid, by: Uuid, route: &'static str, key: Option<String>, asked: &[u8]) -> Self {
        let logged_under = key.map(|key| {
            let whose =
                [by.as_bytes().as_slice(), route.as_bytes(), b"\n".as_slice(), key.as_bytes()].concat();
            CommandId(of_halves(half(&whose), half(asked)))
        });
        Self { job_id, logged_under }
    }
}

/// Returns the first and the last id that the same person's key has for the same route, whatever the body.
pub(super) fn any_body(id: CommandId) -> (Uuid, Uuid) {
    let mut whose = [0; 8];
    whose.copy_from_slice(&id.0.as_bytes()[..8]);
    (of_halves(whose, [0; 8]), of_halves(whose, [u8::MAX; 8]))
}

fn half(bytes: &[u8]) -> [u8; 8] {
    let digest: [u8; 32] = Sha256::digest(bytes).into();
    let mut half = [0; 8];
    half.copy_from_slice(&digest[..8]);
    half
}

/// Returns an id of version 8, which says that its bits are the service's own.
fn of_halves(first: [u8; 8], second: [u8; 8]) -> Uuid {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&first);
    bytes[8..].copy_from_slice(&second);
    Builder::from_custom_bytes(bytes).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOB: Uuid = Uuid::from_u128(1);
    const PERSON: Uuid = Uuid::from_u128(2);

    fn id(by: Uuid, route: &'static str, key: &str, body: &str) -> CommandId {
        let step = JobStep::new(JOB, by, route, Some(key.to_owned()), body.as_bytes());
        step.logged_under.expect("it has a key")
    }

    #[test]
    fn a_repeat_has_the_id_of_the_first_and_nothing_else_has() {
        let first = id(PERSON, "/a", "k", "{}");
        assert_eq!(first, id(PERSON, "/a", "k", "{}"));
        let others = [
            id(Uuid::from_u128(3), "/a", "k", "{}"),
            id(PERSON, "/b", "k", "{}"),
            id(PERSON, "/a", "l", "{}"),
            id(PERSON, "/a", "k", "{ }"),
        ];
        assert!(!others.contains(&first), "{others:?}");
        assert_eq!(JobStep::new(JOB, PERSON, "/a", None, b"{}"), JobStep::from(JOB));
    }

    #[test]
    fn the_ids_of_a_key_are_recognised_whatever_the_body() {
        let is_within = |id: CommandId, of: CommandId| {
            let (first, last) = any_body(of);
            (first..=last).contains(&id.0)
        };
        let first = id(PERSON, "/a", "k", "{}");
        for body in ["{}", "", "another", "{\"a\": 1}"] {
            assert!(is_within(id(PERSON, "/a", "k", body), first), "{body}");
        }
        assert!(!is_within(id(PERSON, "/a", "other", "{}"), first));
        assert!(!is_within(id(PERSON, "/b", "k", "{}"), first));
    }
}
