//! The dispatch settings on the wire.

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    catalogue::dispatch_settings::{DispatchSettings, KnobColumns, MAX_RINGS, MAX_ROUND_WIDTHS, SettingsRow},
    http::{Items, Timestamp, ValidationErrors},
};

/// The settings that can be changed at run time. They have the names of the settings file, which explains each of them
/// (`config/default.toml`); a service category may override the first six, `worth_s` and `in_time_s`.
#[derive(Debug, Clone, Serialize, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct DispatchKnobs {
    /// Rings around the pickup, each larger than the one before, up to 500 km.
    #[schema(value_type = Vec<f64>, min_items = 1, max_items = 10)]
    pub rings_km: Items<f64, 1, MAX_RINGS>,
    /// Simultaneous offers in round 1, 2, …; the last applies to every later round.
    #[schema(value_type = Vec<i64>, min_items = 1, max_items = 20)]
    pub round_widths: Items<i64, 1, MAX_ROUND_WIDTHS>,
    /// Rounds of offers, after which a search ends without a mechanic.
    #[schema(minimum = 1, maximum = 100)]
    pub max_rounds: i64,
    /// How long an offer lasts, in seconds; at most `attempt_ttl_s`.
    #[schema(minimum = 1, maximum = 3600)]
    pub offer_ttl_s: i64,
    /// How long a search lasts, after which it ends without a mechanic.
    #[schema(minimum = 5, maximum = 86400)]
    pub attempt_ttl_s: i64,
    /// The round at which accident and highway jobs begin; at most `max_rounds`.
    #[schema(minimum = 1)]
    pub urgent_first_round: i64,
    /// How long competing jobs are collected before they are matched.
    #[schema(minimum = 0, maximum = 2000)]
    pub window_ms: i64,
    /// The cost of leaving a job without a mechanic, in seconds of pickup time, like everything that follows.
    #[schema(minimum = 0, maximum = 86400)]
    pub unserved_s: i64,
    /// The additional cost of leaving it for each minute that it has waited, for an hour at most.
    #[schema(minimum = 0, maximum = 3600)]
    pub waiting_weight_s_per_min: i64,
    /// The additional cost of leaving it on a highway.
    #[schema(minimum = 0, maximum = 3600)]
    pub highway_bonus_s: i64,
    /// The additional cost of leaving it after an accident.
    #[schema(minimum = 0, maximum = 3600)]
    pub accident_bonus_s: i64,
    /// The additional cost of an offer, multiplied by the refusals expected from the mechanic's last 20 answers.
    #[schema(minimum = 0, maximum = 3600)]
    pub refusal_weight_s: i64,
    /// The reduction of an offer's cost for each minute that the mechanic has been idle, for an hour at most.
    #[schema(minimum = 0, maximum = 3600)]
    pub idle_weight_s_per_min: i64,
    /// Whether an hour of a mechanic's time has a price: if mechanics are scarce, nobody is sent to where that price exceeds the
    /// job's value, given the chance to arrive in time. Otherwise only the pickup counts.
    pub mechanic_prices: bool,
    /// The value of serving a job in time, in seconds of pickup time.
    #[schema(minimum = 60, maximum = 86400)]
    pub worth_s: i64,
    /// A mechanic who arrives within this time after the call is in time.
    #[schema(minimum = 60, maximum = 86400)]
    pub in_time_s: i64,
    /// The percentage of that value that is left if they come late.
    #[schema(minimum = 0, maximum = 100)]
    pub late_percent: i64,
    /// How far trips are from their estimates: the standard deviation of the logarithm of their ratio.
    #[schema(minimum = 0.01, maximum = 2)]
    pub eta_sigma: f64,
    /// The time over which calls are counted, to know how many to expect.
    #[schema(minimum = 300, maximum = 86400)]
    pub price_window_s: i64,
    /// Whether an accident may be held back, too.
    pub hold_accidents: bool,
    /// Mechanics who have had no job for this long are advised where to wait; 0 disables the advice. Only with `mechanic_prices`.
    #[schema(minimum = 0, maximum = 86400)]
    pub advice_after_s: i64,
    /// Whether prices are on in some hours and off in others, to measure their effect: `GET /admin/dispatch/switchback` compares
    /// them. Only with `mechanic_prices`. False if not given.
    #[deserr(default)]
    #[schema(required = false)]
    pub price_switchback: bool,
}

impl From<KnobColumns> for DispatchKnobs {
    fn from(knobs: KnobColumns) -> Self {
        Self {
            rings_km: Items(knobs.rings_km),
            round_widths: Items(knobs.round_widths.into_iter().map(i64::from).collect()),
            max_rounds: knobs.max_rounds.into(),
            offer_ttl_s: knobs.offer_ttl_s,
            attempt_ttl_s: knobs.attempt_ttl_s,
            urgent_first_round: knobs.urgent_first_round.into(),
            window_ms: knobs.window_ms,
            unserved_s: knobs.unserved_s,
            waiting_weight_s_per_min: knobs.waiting_weight_s_per_min,
            highway_bonus_s: knobs.highway_bonus_s,
            accident_bonus_s: knobs.accident_bonus_s,
            refusal_weight_s: knobs.refusal_weight_s,
            idle_weight_s_per_min: knobs.idle_weight_s_per_min,
            mechanic_prices: knobs.mechanic_prices,
            worth_s: knobs.worth_s,
            in_time_s: knobs.in_time_s,
            late_percent: knobs.late_percent,
            eta_sigma: knobs.eta_sigma,
            price_window_s: knobs.price_window_s,
            hold_accidents: knobs.hold_accidents,
            advice_after_s: knobs.advice_after_s,
            price_switchback: knobs.price_switchback,
        }
    }
}

impl From<DispatchKnobs> for KnobColumns {
    /// Converts the knobs. A value that is too large for its type becomes the largest, which the rules refuse.
    fn from(knobs: DispatchKnobs) -> Self {
        let int = |number: i64| i32::try_from(number).unwrap_or(if number < 0 { 0 } else { i32::MAX });
        Self {
            rings_km: knobs.rings_km.0,
            round_widths: knobs.round_widths.0.into_iter().map(int).collect(),
            max_rounds: int(knobs.max_rounds),
            offer_ttl_s: knobs.offer_ttl_s,
            attempt_ttl_s: knobs.attempt_ttl_s,
            urgent_first_round: int(knobs.urgent_first_round),
            window_ms: knobs.window_ms,
            unserved_s: knobs.unserved_s,
            waiting_weight_s_per_min: knobs.waiting_weight_s_per_min,
            highway_bonus_s: knobs.highway_bonus_s,
            accident_bonus_s: knobs.accident_bonus_s,
            refusal_weight_s: knobs.refusal_weight_s,
            idle_weight_s_per_min: knobs.idle_weight_s_per_min,
            mechanic_prices: knobs.mechanic_prices,
            worth_s: knobs.worth_s,
            in_time_s: knobs.in_time_s,
            late_percent: knobs.late_percent,
            eta_sigma: knobs.eta_sigma,
            price_window_s: knobs.price_window_s,
            hold_accidents: knobs.hold_accidents,
            advice_after_s: knobs.advice_after_s,
            price_switchback: knobs.price_switchback,
        }
    }
}

/// One version of how jobs are dispatched.
#[derive(Debug, Serialize, ToSchema)]
pub struct DispatchConfiguration {
    /// The version's number; 0 if the settings file applies.
    pub version: i64,
    pub settings: DispatchKnobs,
    /// The admin who made this version; null for version 0.
    pub updated_by: Option<Uuid>,
    pub updated_at: Option<Timestamp>,
}

impl DispatchConfiguration {
    /// Makes version 0.
    pub fn of_file(file: &DispatchSettings) -> Self {
        Self { version: 0, settings: KnobColumns::of(file).into(), updated_by: None, updated_at: None }
    }
}

impl From<SettingsRow> for DispatchConfiguration {
    fn from(row: SettingsRow) -> Self {
        Self {
            version: row.version,
            settings: row.knobs.into(),
            updated_by: Some(row.updated_by),
            updated_at: Some(row.updated_at.into()),
        }
    }
}

/// All settings, including those that stay as they are.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ChangeDispatch {
    /// The version that was read before. If another version applies now, nothing is changed.
    pub version: i64,
    pub settings: DispatchKnobs,
}
