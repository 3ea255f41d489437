//! Settings of pushes: `[push]`.

use roadcall_platform::settings::{
    DAY_S, NOT_HTTPS, Rule, RulesOf, Secret, Section, WEB_URL, choice, web_url,
};
use serde::Deserialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PushProvider {
    Log,
    Fcm,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PushSettings {
    #[serde(deserialize_with = "choice")]
    pub provider: PushProvider,
    pub timeout_ms: u64,
    pub attempts: i32,
    pub retry_s: i64,
    pub late_after_s: i64,
    pub offer_repeat_s: i64,
    pub offer_repeats: i32,
    pub tests_per_day: i64,
    pub fcm_base_url: String,
    pub fcm_service_account_file: String,
    pub fcm_project_id: String,
    pub fcm_client_email: String,
    pub fcm_private_key_id: String,
    pub fcm_private_key: Secret,
    pub fcm_token_uri: String,
}

impl Section for PushSettings {
    fn rules(&self) -> Vec<Rule> {
        let push = RulesOf("push");
        let token_uri = self.fcm_token_uri.is_empty() || web_url(&self.fcm_token_uri).is_some();
        let mut rules = vec![
            push.within("timeout_ms", self.timeout_ms, 100..=60_000),
            push.within("attempts", self.attempts, 1..=20),
            push.within("retry_s", self.retry_s, 1..=3600),
            push.within("offer_repeat_s", self.offer_repeat_s, 5..=3600),
            push.within("offer_repeats", self.offer_repeats, 0..=100),
            push.within("late_after_s", self.late_after_s, 1..=28 * DAY_S),
            push.within("tests_per_day", self.tests_per_day, 0..=1000),
            push.says("fcm_base_url", web_url(&self.fcm_base_url).is_some(), WEB_URL),
            push.says("fcm_token_uri", token_uri, WEB_URL),
        ];
        if self.provider == PushProvider::Fcm && self.fcm_service_account_file.trim().is_empty() {
            let needed = |field, text: &str| {
                let is_there = !text.trim().is_empty();
                push.says(field, is_there, "is needed for fcm, or push.fcm_service_account_file")
            };
            rules.extend([
                needed("fcm_project_id", &self.fcm_project_id),
                needed("fcm_client_email", &self.fcm_client_email),
                needed("fcm_private_key", &self.fcm_private_key.0),
            ]);
        }
        rules
    }

    /// Returns the rules for production, which make sure that pushes reach the right people.
    fn rules_of_production(&self) -> Vec<Rule> {
        let push = RulesOf("push");
        let is_https = |url: &str| url.starts_with("https://");
        let is_fcm = self.provider == PushProvider::Fcm;
        let token_uri = self.fcm_token_uri.is_empty() || is_https(&self.fcm_token_uri);
        vec![
            push.says("fcm_base_url", !is_fcm || is_https(&self.fcm_base_url), NOT_HTTPS),
            push.says("fcm_token_uri", !is_fcm || token_uri, NOT_HTTPS),
        ]
    }
}
