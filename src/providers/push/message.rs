use std::{collections::BTreeMap, fmt, time::Duration};

use uuid::Uuid;

/// What is pushed.
#[derive(Clone)]
pub struct PushMessage {
    /// The notification's: a device that gets it twice shows it once.
    pub id: Uuid,
    pub kind: &'static str,
    pub title: String,
    pub body: String,
    /// Ids by name.
    pub data: BTreeMap<String, Uuid>,
    /// Whether a sleeping phone must wake.
    pub is_urgent: bool,
    /// A device that comes back later does not get it any more.
    pub life: Duration,
}

impl fmt::Debug for PushMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message").field("id", &self.id).field("kind", &self.kind).finish_non_exhaustive()
    }
}
