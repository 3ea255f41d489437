//! Settings of calls: `[calls]`.

use chrono::TimeDelta;
use serde::Deserialize;

use super::{Secret, choice, list};

/// The service that carries the audio of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallProvider {
    Peer,
    Hms,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallSettings {
    #[serde(deserialize_with = "choice::choice")]
    pub provider: CallProvider,
    pub ring_s: i64,
    pub max_length_s: i64,
    pub open_after_end_h: i64,
    pub invites_per_minute: u32,
    pub signals_per_second: u32,
    pub retention_days: i64,
    pub token_ttl_s: i64,
    #[serde(deserialize_with = "list::list")]
    pub stun_urls: Vec<String>,
    #[serde(deserialize_with = "list::list")]
    pub turn_urls: Vec<String>,
    pub turn_secret: Secret,
    pub hms_base_url: String,
    pub hms_access_key: String,
    pub hms_secret: Secret,
    pub hms_template_id: String,
    pub hms_role: String,
    pub hms_timeout_ms: u64,
}

impl CallSettings {
    /// Returns how long the two sides may call each other after the end of the job.
    pub fn after_end(&self) -> TimeDelta {
        TimeDelta::hours(self.open_after_end_h)
    }
}
