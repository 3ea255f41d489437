//! Mechanics who are available with the app closed: `[presence]`.

use roadcall_platform::settings::{DAY_S, Rule, RulesOf, Section};
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PresenceSettings {
    pub parked_max_s: i64,
    pub parked_radius_m: f64,
    pub parked_unanswered_max: u32,
    pub parked_cooldown_s: i64,
}

impl Section for PresenceSettings {
    fn rules(&self) -> Vec<Rule> {
        let presence = RulesOf("presence");
        vec![
            presence.within("parked_max_s", self.parked_max_s, 60..=7 * DAY_S),
            presence.within("parked_radius_m", self.parked_radius_m, 50.0..=10_000.0),
            presence.within("parked_unanswered_max", self.parked_unanswered_max, 1..=100),
            presence.within("parked_cooldown_s", self.parked_cooldown_s, 1..=DAY_S),
        ]
    }
}
