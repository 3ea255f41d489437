//! Settings of links that people share: `[shares]`.

use serde::Deserialize;

use crate::platform::settings::{DAY_S, Rule, RulesOf, Section};

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

impl Section for ShareSettings {
    fn rules(&self) -> Vec<Rule> {
        let shares = RulesOf("shares");
        vec![
            shares.within("max_live", self.max_live, 1..=100),
            shares.within("ttl_s", self.ttl_s, 60..=30 * DAY_S),
            shares.within("retention_days", self.retention_days, 1..=365),
            shares.within("requests_per_minute", self.requests_per_minute, 1..=100_000),
            shares.within("sms_per_job_per_day", self.sms_per_job_per_day, 0..=100),
            shares.within("sms_per_person_per_day", self.sms_per_person_per_day, 0..=1000),
            shares.within("sms_per_number_per_day", self.sms_per_number_per_day, 0..=100),
        ]
    }
}
