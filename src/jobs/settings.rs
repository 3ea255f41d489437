//! Settings of jobs, and of the fees for cancelling them: `[jobs]` and `[fees]`.

use serde::Deserialize;

use crate::platform::settings::{DAY_S, MAX_DAYS, Rule, RulesOf, Section};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobSettings {
    pub currency: String,
    pub max_open_per_person: u32,
    pub max_withdrawn_offers: i64,
    pub start_code: bool,
    pub wrong_start_codes: u32,
    pub start_code_lock_s: i64,
    pub arrival_radius_m: f64,
    pub correction_radius_m: f64,
    pub max_destination_km: f64,
    pub no_show_after_s: i64,
    pub schedule_lead_s: i64,
    pub schedule_max_s: i64,
    pub no_mechanic_ttl_s: i64,
    pub show_contact_numbers: bool,
}

impl Section for JobSettings {
    fn rules(&self) -> Vec<Rule> {
        let jobs = RulesOf("jobs");
        let is_currency =
            self.currency.len() == 3 && self.currency.bytes().all(|byte| byte.is_ascii_uppercase());
        vec![
            jobs.says("currency", is_currency, "must be the three capital letters of ISO 4217, such as INR"),
            jobs.within("max_open_per_person", self.max_open_per_person, 1..=1000),
            jobs.within("max_withdrawn_offers", self.max_withdrawn_offers, 1..=1_000_000),
            jobs.within("wrong_start_codes", self.wrong_start_codes, 1..=100),
            jobs.within("start_code_lock_s", self.start_code_lock_s, 1..=DAY_S),
            jobs.within("arrival_radius_m", self.arrival_radius_m, 1.0..=100_000.0),
            jobs.within("correction_radius_m", self.correction_radius_m, 0.0..=50_000.0),
            jobs.within("max_destination_km", self.max_destination_km, 1.0..=2_000.0),
            jobs.within("no_show_after_s", self.no_show_after_s, 0..=DAY_S),
            jobs.within("schedule_lead_s", self.schedule_lead_s, 0..=7 * DAY_S),
            jobs.within("schedule_max_s", self.schedule_max_s, self.schedule_lead_s..=MAX_DAYS * DAY_S)
                .down_to("schedule_lead_s"),
            jobs.within("no_mechanic_ttl_s", self.no_mechanic_ttl_s, 1..=30 * DAY_S),
        ]
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeeSettings {
    pub free_after_accept_s: i64,
    pub free_cancellations: u32,
    pub free_cancellation_days: i64,
    pub cancellation_flat_paise: i64,
    pub call_out_paise: i64,
    pub late_grace_s: i64,
    pub dark_after_s: i64,
    pub stalled_after_s: i64,
    pub max_unpaid_paise: i64,
    pub max_unpaid_in_accident_paise: i64,
    pub max_cancelled_accidents: i64,
}

impl Section for FeeSettings {
    fn rules(&self) -> Vec<Rule> {
        let fees = RulesOf("fees");
        let not_negative = |field, paise: i64| fees.says(field, paise >= 0, "must not be negative");
        vec![
            fees.within("free_after_accept_s", self.free_after_accept_s, 0..=DAY_S),
            fees.within("free_cancellation_days", self.free_cancellation_days, 1..=365),
            fees.within("late_grace_s", self.late_grace_s, 0..=DAY_S),
            fees.within("dark_after_s", self.dark_after_s, 1..=DAY_S),
            fees.within("stalled_after_s", self.stalled_after_s, 1..=DAY_S),
            not_negative("cancellation_flat_paise", self.cancellation_flat_paise),
            not_negative("call_out_paise", self.call_out_paise),
            fees.at_least(
                "max_unpaid_in_accident_paise",
                self.max_unpaid_in_accident_paise,
                ("max_unpaid_paise", self.max_unpaid_paise),
            ),
            fees.within("max_cancelled_accidents", self.max_cancelled_accidents, 1..=100),
        ]
    }
}
