//! The providers that carry the audio between the two sides of a call.

mod hms;
mod peer;
mod settings;

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use roadcall_base::random::Random;
use uuid::Uuid;

pub use hms::Hms;
pub use peer::Peer;
pub use settings::{CallProvider, CallSettings};

use super::ProviderError;

/// Servers by which two phones find a path to each other, like WebRTC's `RTCIceServer`.
#[derive(derive_more::Debug, Clone)]
// Anyone who has the login may use the relay for a while.
#[debug("RoomIceServer {{ urls: {urls:?}, .. }}")]
pub struct RoomIceServer {
    pub urls: Vec<String>,
    /// A name and a password that expire, for a relay.
    pub login: Option<(String, String)>,
}

/// A provider of rooms. `open` has its own time limit and tries once; no method writes a token or a key anywhere.
#[async_trait]
pub trait Rooms: Send + Sync + fmt::Debug {
    /// Returns the provider's name in answers: "peer" or "hms".
    fn name(&self) -> &'static str;

    /// Returns whether a job's room belongs to this provider: another provider may have been in use before.
    fn is_own(&self, room_id: &str) -> bool;

    /// Opens the room of a job's customer and this mechanic; no other mechanic ever gets the same room. A second call may return
    /// a different room: the caller keeps the first.
    async fn open(
        &self,
        job_id: Uuid,
        mechanic_profile_id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<String, ProviderError>;

    /// Makes a token by which this person, and nobody else, may enter this room until `expires_at`.
    fn admit(
        &self,
        room_id: &str,
        user_id: Uuid,
        now: DateTime<Utc>,
        expires_at: DateTime<Utc>,
    ) -> Result<String, ProviderError>;

    /// Returns the servers for this person's device; the list is empty if the provider's own software knows them.
    fn ice_servers(&self, user_id: Uuid, expires_at: DateTime<Utc>) -> Vec<RoomIceServer>;
}

/// Why the provider of rooms can't be started.
#[derive(Debug, thiserror::Error)]
pub enum RoomsError {
    #[error("calls.hms_base_url is no http or https URL")]
    Url,
    #[error("the HTTP client of calls: {0}")]
    Client(#[from] reqwest::Error),
}

/// Starts the provider that the settings name. `key` signs the tokens of `peer` and is the same at each start. Makes no request.
pub fn start(calls: &CallSettings, random: &Random, key: &str) -> Result<Arc<dyn Rooms>, RoomsError> {
    Ok(match calls.provider {
        CallProvider::Peer => Arc::new(Peer::new(calls, random, key)),
        CallProvider::Hms => {
            Arc::new(Hms::start(calls, random, Duration::from_millis(calls.hms_timeout_ms))?)
        }
    })
}
