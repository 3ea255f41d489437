use std::{collections::BTreeMap, time::Duration};

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// A message to push.
#[derive(derive_more::Debug, Clone)]
#[debug("Message {{ id: {id:?}, kind: {kind:?}, .. }}")]
pub struct PushMessage {
    /// The notification's id: a device that receives it twice shows it once.
    pub id: Uuid,
    pub kind: &'static str,
    pub title: String,
    pub body: String,
    /// Ids by name.
    pub data: BTreeMap<String, Uuid>,
    /// Whether a sleeping phone must wake.
    pub is_urgent: bool,
    /// A device that comes back after this time does not receive the message.
    pub life: Duration,
    /// When the message is out of date, and a page takes it from the screen.
    pub ends_at: Option<DateTime<Utc>>,
    /// Whether it offers a job, and has to be as loud as the phone allows.
    pub rings: bool,
    /// The buttons that a page's worker shows on it: the name that the app knows, and the label.
    pub buttons: &'static [(&'static str, &'static str)],
}
