//! Settings of partners: `[partners]`.

use serde::Deserialize;

use crate::{
    accounts::organisations::KeyEnvironment,
    platform::settings::{Environment, Rule, RulesOf, Section, choice},
};

/// The environment whose keys the server makes and accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyEnvironmentChoice {
    /// Live keys in production, sandbox keys in development.
    Auto,
    Live,
    Sandbox,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartnerSettings {
    #[serde(deserialize_with = "choice")]
    pub environment: KeyEnvironmentChoice,
    /// The most jobs that an organisation may have open at once.
    pub max_open_jobs: u32,
    pub offer_answer_s: i64,
    pub feed_every_s: u64,
    pub webhook_timeout_s: u64,
    pub webhook_concurrency: usize,
    pub keep_deliveries_days: i64,
    pub allow_private_addresses: bool,
}

impl PartnerSettings {
    /// Returns the environment whose keys the server makes and accepts.
    pub fn keys_in(&self, environment: Environment) -> KeyEnvironment {
        match (self.environment, environment) {
            (KeyEnvironmentChoice::Live, _) | (KeyEnvironmentChoice::Auto, Environment::Production) => {
                KeyEnvironment::Live
            }
            (KeyEnvironmentChoice::Sandbox | KeyEnvironmentChoice::Auto, _) => KeyEnvironment::Sandbox,
        }
    }
}

impl Section for PartnerSettings {
    fn rules(&self) -> Vec<Rule> {
        let partners = RulesOf("partners");
        vec![
            partners.within("max_open_jobs", self.max_open_jobs, 1..=100_000),
            partners.within("offer_answer_s", self.offer_answer_s, 30..=600),
            partners.within("feed_every_s", self.feed_every_s, 1..=60),
            partners.within("webhook_timeout_s", self.webhook_timeout_s, 1..=60),
            partners.within("webhook_concurrency", self.webhook_concurrency, 1..=1_000),
            partners.within("keep_deliveries_days", self.keep_deliveries_days, 1..=3_650),
        ]
    }

    fn rules_of_production(&self) -> Vec<Rule> {
        vec![
            RulesOf("partners")
                .says("allow_private_addresses", !self.allow_private_addresses, "is on")
                .because("a partner could make the server send requests into its own network"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::settings::testing::default_of;

    #[test]
    fn production_has_live_keys_and_development_has_keys_of_a_sandbox() {
        let auto: PartnerSettings = default_of("partners");
        assert_eq!(auto.keys_in(Environment::Production), KeyEnvironment::Live);
        assert_eq!(auto.keys_in(Environment::Development), KeyEnvironment::Sandbox);
        let sandbox = PartnerSettings { environment: KeyEnvironmentChoice::Sandbox, ..auto };
        assert_eq!(sandbox.keys_in(Environment::Production), KeyEnvironment::Sandbox);
    }
}
