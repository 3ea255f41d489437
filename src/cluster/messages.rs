//! What servers tell each other, beside what they ask the engine and what it announces.
//!
//! Between releases, variants and fields are only added: who does not know one can't read the message, and finds out otherwise.

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

/// Sent to every server. A server that misses it makes up for it later: by the checks of sockets and sessions every few seconds, or
/// because the person's lists show it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum News {
    /// A person's or link's sessions, role or account have changed.
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
    /// A socket that was opened so long ago speaks for this mechanic.
    Speaks {
        mechanic: Uuid,
        opened_ms_ago: u64,
    },
}

/// Asked of every server; only one that can say yes answers.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum DeviceQuery {
    /// Is a device of one of them connected?
    AnyOpen(Vec<Uuid>),
    /// A signal of a call. Was there room for it?
    Signal { person: Uuid, device: Option<Uuid>, signal: SentSignal },
}

/// Each with a number of its sender's, by which its receipt is recognised.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Positions(pub Vec<(u64, Locate)>);

/// What became of positions.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Receipts(pub Vec<(u64, Receipt)>);

pub(super) type Receipt = Result<Located, Refusal>;

/// A server, as it says.
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
    /// Whether the server, if it leads, gets messages by its id, too. Servers of release 0.1 don't say so.
    #[serde(default)]
    pub is_known_by_id: bool,
}
