//! The engine's queues, and the watch that it keeps on mechanics who are on their way: `[engine]` and `[watch]`.

use serde::Deserialize;

use crate::platform::settings::{Rule, RulesOf, Section};

/// An hour: a longer limit for something that should take less time than a request is a typing error.
const HOUR_MS: u64 = 3_600_000;
/// A larger number is more than a machine's memory can bear.
const MANY: usize = 1_000_000;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSettings {
    pub command_timeout_ms: u64,
    pub mailbox: usize,
    pub trail_queue: usize,
    pub decision_queue: usize,
}

impl Section for EngineSettings {
    fn rules(&self) -> Vec<Rule> {
        let engine = RulesOf("engine");
        vec![
            engine.within("command_timeout_ms", self.command_timeout_ms, 1..=HOUR_MS),
            engine.within("mailbox", self.mailbox, 1..=MANY),
            engine.within("trail_queue", self.trail_queue, 1..=MANY),
            engine.within("decision_queue", self.decision_queue, 1..=MANY),
        ]
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WatchSettings {
    pub dark_after_s: i64,
    pub stalled_after_s: i64,
    pub stalled_radius_m: f64,
    pub away_m: f64,
    pub away_window_s: i64,
    pub slip_after_s: i64,
    pub near_m: f64,
    pub debounce_s: i64,
    pub tell_after_s: i64,
    pub reassign_after_s: i64,
    pub nudge_every_s: i64,
    pub navigation_grace_s: i64,
    pub navigation_max_s: i64,
    pub reassign_dark: bool,
    pub reassign_stalled: bool,
    pub reassign_moving_away: bool,
    pub reassign_slipping: bool,
}

impl Section for WatchSettings {
    fn rules(&self) -> Vec<Rule> {
        let watch = RulesOf("watch");
        vec![
            watch.within("dark_after_s", self.dark_after_s, 1..=86_400),
            watch.within("stalled_after_s", self.stalled_after_s, 1..=86_400),
            watch.within("stalled_radius_m", self.stalled_radius_m, 10.0..=100_000.0),
            watch.within("away_m", self.away_m, 10.0..=100_000.0),
            watch.within("away_window_s", self.away_window_s, 1..=86_400),
            watch.within("slip_after_s", self.slip_after_s, 0..=86_400),
            watch.within("near_m", self.near_m, 0.0..=100_000.0),
            watch.within("debounce_s", self.debounce_s, 0..=86_400),
            watch.within("tell_after_s", self.tell_after_s, 0..=86_400),
            watch.within("reassign_after_s", self.reassign_after_s, 0..=86_400),
            watch.within("nudge_every_s", self.nudge_every_s, 1..=86_400),
            watch.within("navigation_grace_s", self.navigation_grace_s, 0..=86_400),
            watch
                .within("navigation_max_s", self.navigation_max_s, self.dark_after_s..=86_400)
                .down_to("dark_after_s"),
        ]
    }
}
