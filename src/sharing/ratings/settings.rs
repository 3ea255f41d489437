//! Settings of ratings: `[ratings]`.

use chrono::TimeDelta;
use serde::Deserialize;

use crate::platform::settings::{DAY_S, Rule, RulesOf, Section};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingSettings {
    pub window_s: i64,
}

impl RatingSettings {
    /// Returns how long after its job a rating can be given.
    pub fn window(&self) -> TimeDelta {
        TimeDelta::seconds(self.window_s)
    }
}

impl Section for RatingSettings {
    fn rules(&self) -> Vec<Rule> {
        vec![RulesOf("ratings").within("window_s", self.window_s, 60..=365 * DAY_S)]
    }
}
