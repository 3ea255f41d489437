//! Settings of the messages between the two sides of a job.

use chrono::TimeDelta;
use serde::Deserialize;

use super::{
    limits::DAY_S,
    rule::{Rule, within},
};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChatSettings {
    pub writable_after_end_s: i64,
    pub messages_per_minute: u32,
}

impl ChatSettings {
    /// Returns how long the two sides may write after the end of the job.
    pub fn after_end(&self) -> TimeDelta {
        TimeDelta::seconds(self.writable_after_end_s)
    }
}

/// Returns the rules that must hold everywhere.
pub(super) fn rules(chat: &ChatSettings) -> Vec<Rule> {
    vec![
        (
            within(chat.writable_after_end_s, 0..=365 * DAY_S),
            "chat.writable_after_end_s must be 0 to 31536000",
        ),
        (within(chat.messages_per_minute, 1..=100_000), "chat.messages_per_minute must be 1 to 100000"),
    ]
}
