//! How long trails are kept: `[tracking]`.

use serde::Deserialize;

use crate::platform::settings::{MAX_DAYS, Rule, RulesOf, Section};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrackingSettings {
    pub trail_retention_days: i64,
}

impl Section for TrackingSettings {
    fn rules(&self) -> Vec<Rule> {
        let kept = self.trail_retention_days;
        vec![RulesOf("tracking").within("trail_retention_days", kept, 1..=MAX_DAYS)]
    }
}
