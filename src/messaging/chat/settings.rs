//! Settings of the messages between the two sides of a job: `[chat]`.

use chrono::TimeDelta;
use serde::Deserialize;

use crate::platform::settings::{DAY_S, Rule, RulesOf, Section};

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

impl Section for ChatSettings {
    fn rules(&self) -> Vec<Rule> {
        let chat = RulesOf("chat");
        vec![
            chat.within("writable_after_end_s", self.writable_after_end_s, 0..=365 * DAY_S),
            chat.within("messages_per_minute", self.messages_per_minute, 1..=100_000),
        ]
    }
}
