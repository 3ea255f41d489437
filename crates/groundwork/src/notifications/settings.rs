//! Settings of notifications: `[notifications]`.

use roadcall_platform::settings::{MAX_DAYS, Rule, RulesOf, Section};
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotificationSettings {
    pub retention_days: i64,
}

impl Section for NotificationSettings {
    fn rules(&self) -> Vec<Rule> {
        vec![RulesOf("notifications").within("retention_days", self.retention_days, 1..=MAX_DAYS)]
    }
}
