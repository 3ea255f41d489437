//! From settings and what a category overrides of them to the engine's policies.

use chrono::TimeDelta;
use roadcall_actors::settings::SearchPolicy;

use crate::{categories::SearchOverrides, settings::DispatchSettings};

/// How a job of a category is searched for: the category's overrides over the settings.
pub fn search_policy(settings: &DispatchSettings, over: &SearchOverrides) -> SearchPolicy {
    let seconds = |over: Option<i32>, default: i64| TimeDelta::seconds(over.map_or(default, i64::from));
    let whole = |number: i32| u32::try_from(number).unwrap_or(1);
    let widths = over.round_widths.as_ref().map(|widths| widths.iter().copied().map(whole).collect());
    SearchPolicy {
        rings_m: over.rings_km.as_ref().unwrap_or(&settings.rings_km).iter().map(|km| km * 1000.0).collect(),
        round_widths: widths.unwrap_or_else(|| settings.round_widths.clone()),
        max_rounds: over.max_rounds.map_or(settings.max_rounds, whole),
        offer_ttl: seconds(over.offer_ttl_s, settings.offer_ttl_s),
        offer_grace: TimeDelta::milliseconds(settings.offer_grace_ms),
        attempt_ttl: seconds(over.attempt_ttl_s, settings.attempt_ttl_s),
        urgent_first_round: over.urgent_first_round.map_or(settings.urgent_first_round, whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    #[test]
    fn a_category_overrides_what_it_names_and_the_settings_hold_for_the_rest() {
        let settings = Settings::defaults().dispatch;
        let over = SearchOverrides {
            rings_km: Some(vec![1.5, 4.0]),
            round_widths: Some(vec![2, 4]),
            max_rounds: Some(3),
            ..SearchOverrides::default()
        };
        let policy = search_policy(&settings, &over);
        let expected = SearchPolicy {
            rings_m: vec![1500.0, 4000.0],
            round_widths: vec![2, 4],
            max_rounds: 3,
            ..search_policy(&settings, &SearchOverrides::default())
        };
        assert_eq!(policy, expected);
        assert_eq!(policy.urgent_first_round, settings.urgent_first_round);
        assert_eq!(policy.offer_ttl, TimeDelta::seconds(settings.offer_ttl_s));
    }
}
