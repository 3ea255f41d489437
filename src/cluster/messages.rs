//! The messages between servers, besides the requests to the engine and its announcements.
//!
//! Between releases, variants and fields are only added: a server that does not know one can't read the message, and finds out
//! otherwise.

use chrono::{DateTime, Utc};
use roadcall_actors::{job::state::Refusal, mechanic::state::Located, protocol::Locate};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    messaging::{
        calls::{Call, SentSignal},
        chat::{ChatRead, ChatTyping},
    },
    notifications::Notification,
};

/// News for every server. A server that misses it makes up for it later: by the checks of sockets and sessions every few seconds,
/// or because the person's lists show it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum News {
    /// The sessions, role or account of a person, or of a link, have changed.
    PersonChanged(Uuid),
    Notified(Box<Notification>),
    ChatRead {
        person: Uuid,
        job: Uuid,
        read: ChatRead,
    },
    ChatTyping {
        person: Uuid,
        job: Uuid,
        typing: ChatTyping,
    },
    Rings {
        person: Uuid,
        device: Option<Uuid>,
        call: Box<Call>,
    },
    /// A socket that was opened this long ago speaks for the mechanic.
    Speaks {
        mechanic: Uuid,
        opened_ms_ago: u64,
    },
}

/// A question to every server, which only a server that can say yes answers.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum DeviceQuery {
    /// Asks whether a device of any of these people is connected.
    AnyOpen(Vec<Uuid>),
    /// Delivers a signal of a call, and asks whether there was room for it.
    Signal { person: Uuid, device: Option<Uuid>, signal: SentSignal },
}

/// Positions, each with a number from its sender, which identifies its receipt.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Positions(pub Vec<(u64, Locate)>);

/// The results of positions.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Receipts(pub Vec<(u64, Receipt)>);

pub(super) type Receipt = Result<Located, Refusal>;

/// A server's report about itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NodeReport {
    pub id: Uuid,
    pub release: String,
    pub since: DateTime<Utc>,
    pub is_leading: bool,
    pub is_draining: bool,
    pub sockets: u64,
    /// How far its clock is ahead of the database's; `None` if that is not known.
    pub clock_ahead_ms: Option<i64>,
    /// Whether the server, if it leads, also gets messages by its id. Servers of release 0.1 leave this out.
    #[serde(default)]
    pub is_known_by_id: bool,
}
