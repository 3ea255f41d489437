//! Turns settings and a category's overrides into the engine's policies.

use chrono::TimeDelta;
use roadcall_actors::settings::{
    MatchingPolicy, PricingPolicy, SearchOverrides as EngineOverrides, SearchPolicy, Strategy,
};
use sqlx::FromRow;

use super::{
    Versioned,
    settings::{DispatchSettings, DispatchStrategy},
};

/// Supply changes are collected this long before waiting jobs are matched again.
const REMATCH_AFTER: TimeDelta = TimeDelta::milliseconds(50);

/// A category's overrides of the search; if one is null, the setting of the same name in `[dispatch]` applies.
#[derive(Debug, Clone, PartialEq, Default, FromRow)]
pub struct SearchOverrides {
    pub offer_ttl_s: Option<i32>,
    pub attempt_ttl_s: Option<i32>,
    pub rings_km: Option<Vec<f64>>,
    pub round_widths: Option<Vec<i32>>,
    pub max_rounds: Option<i32>,
    pub urgent_first_round: Option<i32>,
    pub in_time_s: Option<i32>,
    pub worth_s: Option<i32>,
}

/// Returns the policy of a search: the category's overrides over the settings.
pub fn search_policy(by: &Versioned, over: &SearchOverrides) -> SearchPolicy {
    let settings = &by.settings;
    let policy = SearchPolicy {
        version: by.version,
        rings_m: metres(&settings.rings_km),
        round_widths: settings.round_widths.clone(),
        max_rounds: settings.max_rounds,
        offer_ttl: TimeDelta::seconds(settings.offer_ttl_s),
        offer_grace: TimeDelta::milliseconds(settings.offer_grace_ms),
        attempt_ttl: TimeDelta::seconds(settings.attempt_ttl_s),
        urgent_first_round: settings.urgent_first_round,
        in_time: TimeDelta::seconds(settings.in_time_s),
        worth_s: settings.worth_s,
        over: EngineOverrides::default(),
    };
    policy.with(overrides(over))
}

/// Returns the policy of a match.
pub fn matching_policy(dispatch: &DispatchSettings) -> MatchingPolicy {
    MatchingPolicy {
        strategy: match dispatch.strategy {
            DispatchStrategy::Exact => Strategy::Exact,
            DispatchStrategy::Nearest => Strategy::Nearest,
            DispatchStrategy::Broadcast => Strategy::Broadcast,
        },
        window: TimeDelta::milliseconds(dispatch.window_ms),
        unserved_s: dispatch.unserved_s,
        waiting_weight_s_per_min: dispatch.waiting_weight_s_per_min,
        highway_bonus_s: dispatch.highway_bonus_s,
        accident_bonus_s: dispatch.accident_bonus_s,
        refusal_weight_s: dispatch.refusal_weight_s,
        idle_weight_s_per_min: dispatch.idle_weight_s_per_min,
        parked_cost_s: dispatch.parked_cost_s,
        rematch_after: REMATCH_AFTER,
        solve_exact_edges: dispatch.solve_exact_edges,
        solve_steps: dispatch.solve_steps,
        solve_inline_edges: dispatch.solve_inline_edges,
        explain: true,
        pricing: dispatch.mechanic_prices.then(|| PricingPolicy {
            applies: true,
            worth_s: dispatch.worth_s,
            late_percent: dispatch.late_percent,
            eta_sigma: dispatch.eta_sigma,
            window: TimeDelta::seconds(dispatch.price_window_s),
            hold_accidents: dispatch.hold_accidents,
            advise_after: Some(dispatch.advice_after_s)
                .filter(|after_s| *after_s > 0)
                .map(TimeDelta::seconds),
        }),
    }
}

fn overrides(over: &SearchOverrides) -> EngineOverrides {
    let seconds = |seconds: i32| TimeDelta::seconds(seconds.into());
    let whole = |number: i32| u32::try_from(number).unwrap_or(1);
    EngineOverrides {
        rings_m: over.rings_km.as_deref().map(metres),
        round_widths: over.round_widths.as_ref().map(|widths| widths.iter().copied().map(whole).collect()),
        max_rounds: over.max_rounds.map(whole),
        offer_ttl: over.offer_ttl_s.map(seconds),
        attempt_ttl: over.attempt_ttl_s.map(seconds),
        urgent_first_round: over.urgent_first_round.map(whole),
        in_time: over.in_time_s.map(seconds),
        worth_s: over.worth_s.map(i64::from),
    }
}

fn metres(rings_km: &[f64]) -> Vec<f64> {
    rings_km.iter().map(|km| km * 1000.0).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use roadcall_platform::settings::testing::default_of;

    use super::*;

    #[test]
    fn a_categorys_overrides_apply_and_the_settings_fill_in_the_rest() {
        let settings: DispatchSettings = default_of("dispatch");
        let by = Versioned { version: 4, settings: Arc::new(settings.clone()) };
        let over = SearchOverrides {
            rings_km: Some(vec![1.5, 4.0]),
            round_widths: Some(vec![2, 4]),
            max_rounds: Some(3),
            ..SearchOverrides::default()
        };
        let policy = search_policy(&by, &over);
        let expected = SearchPolicy {
            rings_m: vec![1500.0, 4000.0],
            round_widths: vec![2, 4],
            max_rounds: 3,
            over: policy.over.clone(),
            ..search_policy(&by, &SearchOverrides::default())
        };
        assert_eq!(policy, expected);
        assert_eq!((policy.version, policy.over.max_rounds), (4, Some(3)));
        assert_eq!(policy.urgent_first_round, settings.urgent_first_round);
        assert_eq!(policy.offer_ttl, TimeDelta::seconds(settings.offer_ttl_s));
    }
}
