//! How the embedded gateway and payout provider behave: `[sandbox]`.

use roadcall_platform::settings::{Rule, RulesOf, Section};
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SandboxSettings {
    pub delay_min_ms: u64,
    pub delay_max_ms: u64,
    pub duplicate_percent: u32,
    pub reorder_percent: u32,
    pub failure_percent: u32,
    pub payout_failure_percent: u32,
}

impl Section for SandboxSettings {
    fn rules(&self) -> Vec<Rule> {
        let sandbox = RulesOf("sandbox");
        let percent = |field, percent: u32| sandbox.within(field, percent, 0..=100);
        vec![
            sandbox.at_most("delay_min_ms", self.delay_min_ms, ("delay_max_ms", self.delay_max_ms)),
            sandbox.within("delay_max_ms", self.delay_max_ms, 0..=600_000),
            percent("duplicate_percent", self.duplicate_percent),
            percent("reorder_percent", self.reorder_percent),
            percent("failure_percent", self.failure_percent),
            percent("payout_failure_percent", self.payout_failure_percent),
        ]
    }
}
