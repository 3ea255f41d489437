//! Settings of ratings, and of links that people share.

use serde::Deserialize;

use super::{
    limits::DAY_S,
    rule::{Rule, within},
};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingSettings {
    pub window_s: i64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShareSettings {
    pub max_live: i64,
    pub ttl_s: i64,
    pub retention_days: i64,
    pub requests_per_minute: u32,
    pub sms_per_job_per_day: i64,
    pub sms_per_person_per_day: i64,
    pub sms_per_number_per_day: i64,
}

/// Returns the rules that must hold everywhere.
pub(super) fn rules(ratings: &RatingSettings, shares: &ShareSettings) -> Vec<Rule> {
    vec![
        (within(ratings.window_s, 60..=365 * DAY_S), "ratings.window_s must be 60 to 31536000"),
        (within(shares.max_live, 1..=100), "shares.max_live must be 1 to 100"),
        (within(shares.ttl_s, 60..=30 * DAY_S), "shares.ttl_s must be 60 to 2592000"),
        (within(shares.retention_days, 1..=365), "shares.retention_days must be 1 to 365"),
        (within(shares.requests_per_minute, 1..=100_000), "shares.requests_per_minute must be 1 to 100000"),
        (within(shares.sms_per_job_per_day, 0..=100), "shares.sms_per_job_per_day must be 0 to 100"),
        (within(shares.sms_per_person_per_day, 0..=1000), "shares.sms_per_person_per_day must be 0 to 1000"),
        (within(shares.sms_per_number_per_day, 0..=100), "shares.sms_per_number_per_day must be 0 to 100"),
    ]
}
