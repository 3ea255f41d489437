//! Calls on the wire.

use chrono::{DateTime, Utc};
use deserr::Deserr;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    queries::CallRow,
    state::{CallReach, CallStatus, EndReason},
};
use crate::{
    http::{Timestamp, ValidationErrors},
    platform::error::{ApiError, ApiResult},
    providers::rooms,
};

/// A call between the two sides of a job.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Call {
    pub id: Uuid,
    pub job_id: Uuid,
    /// The id of the calling user. One of `caller_id` and `callee_id` is the job's customer, the other its mechanic.
    pub caller_id: Uuid,
    /// The id of the called user, like `caller_id`.
    pub callee_id: Uuid,
    /// Whether the guest of a link calls, in place of the customer.
    pub caller_is_guest: bool,
    pub rings: CallReach,
    /// Whether the guest of a link answered, in place of the customer.
    pub answered_by_guest: bool,
    pub status: CallStatus,
    /// When the call began to ring.
    pub started_at: Timestamp,
    /// When the call ends by itself, because nobody answers or because it has reached its maximum length. Null once it is over.
    pub expires_at: Option<Timestamp>,
    pub answered_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub end_reason: Option<EndReason>,
    /// Whole seconds from the answer to the end; null while it goes on, and if nobody answered.
    #[schema(minimum = 0)]
    pub duration_s: Option<i64>,
    pub created_at: Timestamp,
}

impl From<CallRow> for Call {
    fn from(row: CallRow) -> Self {
        let talked = row.answered_at.zip(row.ended_at).map(|(from, to)| (to - from).num_seconds().max(0));
        Self {
            id: row.id,
            job_id: row.job_id,
            caller_id: row.caller_id,
            callee_id: row.callee_id,
            caller_is_guest: row.caller_link_id.is_some(),
            rings: row.rings,
            answered_by_guest: row.callee_link_id.is_some(),
            status: row.status,
            started_at: row.created_at.into(),
            expires_at: row.deadline_at.map(Into::into),
            answered_at: row.answered_at.map(Into::into),
            ended_at: row.ended_at.map(Into::into),
            end_reason: row.end_reason,
            duration_s: talked,
            created_at: row.created_at.into(),
        }
    }
}

/// A call as the guest of a link sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SharedCall {
    pub id: Uuid,
    /// Whether the mechanic calls, not the guest.
    pub is_incoming: bool,
    pub status: CallStatus,
    /// When the call began to ring.
    pub started_at: Timestamp,
    /// When the call ends by itself, because nobody answers or because it has reached its maximum length. Null once it is over.
    pub expires_at: Option<Timestamp>,
    pub answered_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub end_reason: Option<EndReason>,
}

impl From<Call> for SharedCall {
    fn from(call: Call) -> Self {
        Self {
            id: call.id,
            is_incoming: !call.caller_is_guest,
            status: call.status,
            started_at: call.started_at,
            expires_at: call.expires_at,
            answered_at: call.answered_at,
            ended_at: call.ended_at,
            end_reason: call.end_reason,
        }
    }
}

/// The credentials with which one person's device enters the job's room for a while.
#[derive(derive_more::Debug, Serialize, ToSchema)]
// This token admits its holder to the room.
#[debug("CallToken {{ room_id: {room_id:?}, .. }}")]
pub struct CallToken {
    /// `peer`: the two apps connect to each other, and signal over the socket (`call.signal`). `hms`: a room of 100ms.
    pub provider: &'static str,
    /// The job's room, as in `hms_room_id` of the job.
    pub room_id: String,
    pub token: String,
    pub ice_servers: Vec<CallIceServer>,
    pub expires_at: Timestamp,
}

/// A server by which two phones find a path to each other, like WebRTC's `RTCIceServer`.
#[derive(derive_more::Debug, Serialize, ToSchema)]
#[debug("IceServer {{ urls: {urls:?}, .. }}")]
#[schema(as = IceServer)]
pub struct CallIceServer {
    /// The addresses of the server.
    #[schema(example = json!(["stun:stun.example.com:3478"]))]
    pub urls: Vec<String>,
    /// The name for the relay; null for a server that asks for none.
    #[schema(example = "1773480834:019b7876-a4c0-7a10-8d21-5c0e4f9a1b01")]
    pub username: Option<String>,
    /// The password for the relay; null for a server that asks for none.
    #[schema(example = "d7im7gKPk1+2eaqj0iAT2URxhfM=")]
    pub credential: Option<String>,
}

impl From<rooms::RoomIceServer> for CallIceServer {
    fn from(server: rooms::RoomIceServer) -> Self {
        let (username, credential) = server.login.unzip();
        Self { urls: server.urls, username, credential }
    }
}

/// The maximum size of a payload as JSON: twice the longest audio-only description that browsers make.
pub const MAX_PAYLOAD_BYTES: usize = 12 * 1024;

/// The content of a signal. Never printed.
#[derive(derive_more::Debug, Clone, Serialize, Deserialize, ToSchema)]
#[debug("SignalPayload(..)")]
#[serde(transparent)]
#[schema(as = Payload, value_type = Value)]
pub struct SignalPayload(Value);

impl SignalPayload {
    pub fn new(value: Value) -> ApiResult<Self> {
        let bytes = value.to_string().len();
        if bytes <= MAX_PAYLOAD_BYTES {
            return Ok(Self(value));
        }
        Err(ApiError::invalid("payload", format!("must be at most {MAX_PAYLOAD_BYTES} bytes as JSON")))
    }
}

/// A signal that one device of a call sends to the other.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Signal {
    /// The call whose other side gets the signal.
    pub call_id: Uuid,
    pub payload: SignalPayload,
}

/// A signal on its way.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SentSignal {
    pub job_id: Uuid,
    pub at: DateTime<Utc>,
    pub signal: Signal,
}

/// A signal that a guest's device sends to the mechanic's.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewSignal {
    /// The content for the other device: at most 12288 bytes as JSON.
    #[schema(value_type = Value)]
    pub payload: Value,
}

/// The outcome of a signal.
#[derive(Debug, Serialize, ToSchema)]
pub struct Signalled {
    /// The call whose other side got the signal.
    pub call_id: Uuid,
    /// Whether a socket of the other side took it. If not, because none was open or had room, send it again.
    pub delivered: bool,
}
