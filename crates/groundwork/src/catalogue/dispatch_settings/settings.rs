//! How jobs find mechanics: `[dispatch]`. Admins change a part of it at run time.

use roadcall_platform::settings::{DAY_S, MAX_DAYS, Rule, RulesOf, Section, choice, list};
use serde::Deserialize;

/// The maximum number of rings of a search, and the maximum radius of the last.
pub const MAX_RINGS: usize = 10;
pub const MAX_RING_KM: f64 = 500.0;
/// The maximum number of round widths in the settings; the last one holds for every later round.
pub const MAX_ROUND_WIDTHS: usize = 20;
/// The maximum number of simultaneous offers.
pub const MAX_ROUND_WIDTH: u32 = 50;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DispatchSettings {
    #[serde(deserialize_with = "list")]
    pub rings_km: Vec<f64>,
    #[serde(deserialize_with = "list")]
    pub round_widths: Vec<u32>,
    pub max_rounds: u32,
    pub offer_ttl_s: i64,
    pub parked_offer_ttl_s: i64,
    pub offer_grace_ms: i64,
    pub attempt_ttl_s: i64,
    pub urgent_first_round: u32,
    pub fresh_position_s: i64,
    pub auto_off_s: i64,
    pub max_accuracy_m: f64,
    pub max_speed_kmh: f64,
    pub fast_interval_s: u32,
    pub unwatched_interval_s: u32,
    pub slow_interval_s: u32,
    #[serde(deserialize_with = "choice")]
    pub strategy: DispatchStrategy,
    pub window_ms: i64,
    pub unserved_s: i64,
    pub waiting_weight_s_per_min: i64,
    pub highway_bonus_s: i64,
    pub accident_bonus_s: i64,
    pub refusal_weight_s: i64,
    pub idle_weight_s_per_min: i64,
    pub parked_cost_s: i64,
    pub mechanic_prices: bool,
    pub worth_s: i64,
    pub in_time_s: i64,
    pub late_percent: i64,
    pub eta_sigma: f64,
    pub price_window_s: i64,
    pub hold_accidents: bool,
    pub advice_after_s: i64,
    pub price_switchback: bool,
    pub solve_exact_edges: usize,
    pub solve_steps: u64,
    pub solve_inline_edges: usize,
    pub records_retention_days: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DispatchStrategy {
    Exact,
    Nearest,
    Broadcast,
}

impl DispatchSettings {
    /// Returns the fields that make dispatching impossible, with their faults. The same rules apply to the file and
    /// to changes at run time.
    pub fn faults(&self) -> Vec<(&'static str, String)> {
        let broken = self.rules_of_dispatching().into_iter().filter(Rule::is_broken);
        broken.map(|rule| (rule.field(), rule.fault())).collect()
    }

    fn rules_of_dispatching(&self) -> Vec<Rule> {
        let rules = [self.rules_of_rings(), self.rules_of_offers(), self.rules_of_costs()];
        rules.into_iter().flatten().chain(self.rules_of_matching()).collect()
    }

    fn rules_of_rings(&self) -> Vec<Rule> {
        let dispatch = RulesOf("dispatch");
        let rings = &self.rings_km;
        let far = rings.iter().all(|km| *km > 0.0 && *km <= MAX_RING_KM);
        let grow = rings.windows(2).all(|pair| pair[0] < pair[1]);
        vec![
            dispatch.has("rings_km", rings.len(), 1..=MAX_RINGS, "rings"),
            dispatch.says("rings_km", far, "must each be above 0 and at most 500 km"),
            dispatch.says("rings_km", grow, "must each be larger than the one before"),
        ]
    }

    fn rules_of_offers(&self) -> Vec<Rule> {
        let dispatch = RulesOf("dispatch");
        let widths = &self.round_widths;
        vec![
            dispatch.has("round_widths", widths.len(), 1..=MAX_ROUND_WIDTHS, "widths"),
            dispatch.each_within("round_widths", widths, 1..=MAX_ROUND_WIDTH),
            dispatch.within("max_rounds", self.max_rounds, 1..=100),
            dispatch.within("offer_ttl_s", self.offer_ttl_s, 1..=3600),
            dispatch.within("parked_offer_ttl_s", self.parked_offer_ttl_s, 1..=3600),
            dispatch.within("offer_grace_ms", self.offer_grace_ms, 0..=10_000),
            dispatch.within("attempt_ttl_s", self.attempt_ttl_s, 5..=DAY_S),
            dispatch.at_most("offer_ttl_s", self.offer_ttl_s, ("attempt_ttl_s", self.attempt_ttl_s)),
            dispatch
                .within("urgent_first_round", self.urgent_first_round, 1..=self.max_rounds)
                .up_to("max_rounds"),
        ]
    }

    fn rules_of_positions(&self) -> Vec<Rule> {
        let dispatch = RulesOf("dispatch");
        vec![
            dispatch.within("fresh_position_s", self.fresh_position_s, 1..=3600),
            dispatch
                .within("auto_off_s", self.auto_off_s, self.fresh_position_s..=DAY_S)
                .down_to("fresh_position_s"),
            dispatch.within("max_accuracy_m", self.max_accuracy_m, 1.0..=10_000.0),
            dispatch.within("max_speed_kmh", self.max_speed_kmh, 1.0..=1_000_000.0),
            dispatch.within("slow_interval_s", self.slow_interval_s, 1..=20),
            dispatch
                .within("fast_interval_s", self.fast_interval_s, 1..=self.slow_interval_s)
                .up_to("slow_interval_s"),
            dispatch
                .within("unwatched_interval_s", self.unwatched_interval_s, self.fast_interval_s..=20)
                .down_to("fast_interval_s"),
        ]
    }

    fn rules_of_costs(&self) -> Vec<Rule> {
        let dispatch = RulesOf("dispatch");
        vec![
            dispatch.within("waiting_weight_s_per_min", self.waiting_weight_s_per_min, 0..=3600),
            dispatch.within("idle_weight_s_per_min", self.idle_weight_s_per_min, 0..=3600),
            dispatch.within("parked_cost_s", self.parked_cost_s, 0..=DAY_S),
            dispatch.within("records_retention_days", self.records_retention_days, 1..=MAX_DAYS),
        ]
    }

    fn rules_of_matching(&self) -> Vec<Rule> {
        let dispatch = RulesOf("dispatch");
        vec![
            dispatch.within("window_ms", self.window_ms, 0..=2000),
            dispatch.within("unserved_s", self.unserved_s, 0..=86_400),
            dispatch.within("highway_bonus_s", self.highway_bonus_s, 0..=3600),
            dispatch.within("accident_bonus_s", self.accident_bonus_s, 0..=3600),
            dispatch.within("refusal_weight_s", self.refusal_weight_s, 0..=3600),
            dispatch.within("worth_s", self.worth_s, 60..=DAY_S),
            dispatch.within("in_time_s", self.in_time_s, 60..=DAY_S),
            dispatch.within("late_percent", self.late_percent, 0..=100),
            dispatch.within("eta_sigma", self.eta_sigma, 0.01..=2.0),
            dispatch.within("price_window_s", self.price_window_s, 300..=DAY_S),
            dispatch.within("advice_after_s", self.advice_after_s, 0..=DAY_S),
            dispatch.within("solve_exact_edges", self.solve_exact_edges, 0..=1_000_000),
            dispatch.within("solve_inline_edges", self.solve_inline_edges, 0..=1_000_000),
            dispatch.within("solve_steps", self.solve_steps, 1..=1_000_000_000),
        ]
    }
}

impl Section for DispatchSettings {
    fn rules(&self) -> Vec<Rule> {
        let mut rules = self.rules_of_dispatching();
        rules.extend(self.rules_of_positions());
        rules
    }
}
