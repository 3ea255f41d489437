//! Limits of requests and of their cost: `[limits]`.

use serde::Deserialize;

use super::rule::{Rule, RulesOf, Section};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitSettings {
    pub per_user_per_minute: u32,
    pub per_credential_per_minute: u32,
    pub per_address_per_minute: u32,
    pub create_job_per_minute: u32,
    pub hand_overs_per_minute: u32,
    pub register_mechanic_per_minute: u32,
    pub admin_login_per_minute: u32,
    pub export_per_minute: u32,
    pub places_per_minute: u32,
    pub idempotency_keys_per_user: i64,
    pub subscription_cost: u32,
    pub replayed_events_per_request: u32,
    pub socket_cost: u32,
    pub upload_cost: u32,
    pub lookup_cost: u32,
}

impl Section for LimitSettings {
    fn rules(&self) -> Vec<Rule> {
        let limits = RulesOf("limits");
        vec![
            limits.within("export_per_minute", self.export_per_minute, 1..=100_000),
            limits.within("places_per_minute", self.places_per_minute, 1..=100_000),
        ]
    }
}
