//! Settings of what people are given of their own data, and of what is forgotten of them.

use serde::Deserialize;

use super::{
    limits::MAX_DAYS,
    rule::{Rule, within},
};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrivacySettings {
    pub export_rows: i64,
    pub coarsen_after_days: i64,
    pub mechanic_history_days: i64,
}

/// What can't work anywhere: an export is put together in memory.
pub(super) fn rules(privacy: &PrivacySettings, exports_per_minute: u32) -> Vec<Rule> {
    let per_minute = within(exports_per_minute, 1..=100_000);
    vec![
        (within(privacy.export_rows, 1..=10_000), "privacy.export_rows must be 1 to 10000"),
        (within(privacy.coarsen_after_days, 1..=MAX_DAYS), "privacy.coarsen_after_days must be 1 to 3650"),
        (
            within(privacy.mechanic_history_days, 1..=MAX_DAYS),
            "privacy.mechanic_history_days must be 1 to 3650",
        ),
        (per_minute, "limits.export_per_minute must be 1 to 100000"),
    ]
}
