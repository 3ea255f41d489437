//! The gateway, and how its webhooks are received: `[gateway]`.

use roadcall_platform::settings::{
    DAY_S, MAX_DAYS, Rule, RulesOf, Secret, Section, WEB_URL, choice, web_url,
};
use serde::Deserialize;

/// The minimum length of a secret that webhooks are signed with.
const SECRET_BYTES: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GatewayProvider {
    Sandbox,
    Razorpay,
    /// Customers can pay only in cash.
    None,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GatewaySettings {
    #[serde(deserialize_with = "choice")]
    pub provider: GatewayProvider,
    pub webhook_secret: Secret,
    pub webhook_secret_previous: Secret,
    pub base_url: String,
    pub key_id: String,
    pub key_secret: Secret,
    pub timeout_ms: u64,
    pub order_ttl_s: i64,
    pub reconcile_after_s: i64,
    pub inbox_answer_queue: usize,
    pub inbox_answer_wait_ms: u64,
    pub inbox_attempts: i32,
    pub inbox_retry_s: i64,
    pub inbox_retention_days: i64,
}

impl GatewaySettings {
    /// Returns whether customers can pay online.
    pub fn is_online(&self) -> bool {
        self.provider != GatewayProvider::None
    }

    /// Returns the URL of Razorpay, an absolute http or https URL to which paths can be added; `None` for any other text.
    pub fn api_url(&self) -> Option<url::Url> {
        web_url(&self.base_url)
    }
}

impl Section for GatewaySettings {
    fn rules(&self) -> Vec<Rule> {
        let gateway = RulesOf("gateway");
        let long = |field, secret: &str| {
            let is_long = secret.is_empty() || secret.len() >= SECRET_BYTES;
            gateway.says(field, is_long, "must be at least 16 bytes")
        };
        let is_other =
            self.webhook_secret.0.is_empty() || self.webhook_secret != self.webhook_secret_previous;
        vec![
            gateway.says("base_url", self.api_url().is_some(), WEB_URL),
            long("webhook_secret", &self.webhook_secret.0),
            long("webhook_secret_previous", &self.webhook_secret_previous.0),
            gateway
                .says("webhook_secret_previous", is_other, "must not be gateway.webhook_secret")
                .because("name an earlier secret, or the next one"),
            gateway.within("timeout_ms", self.timeout_ms, 100..=60_000),
            gateway.within("order_ttl_s", self.order_ttl_s, 60..=DAY_S),
            gateway.within("reconcile_after_s", self.reconcile_after_s, 1..=DAY_S),
            gateway.within("inbox_answer_queue", self.inbox_answer_queue, 0..=10_000),
            gateway.within("inbox_answer_wait_ms", self.inbox_answer_wait_ms, 0..=10_000),
            gateway.within("inbox_attempts", self.inbox_attempts, 1..=100),
            gateway.within("inbox_retry_s", self.inbox_retry_s, 1..=3600),
            gateway.within("inbox_retention_days", self.inbox_retention_days, 1..=MAX_DAYS),
        ]
    }

    /// Returns the rules for production, which make sure that money really moves.
    fn rules_of_production(&self) -> Vec<Rule> {
        let takes = self.provider != GatewayProvider::Sandbox;
        vec![RulesOf("gateway").says("provider", takes, "= \"sandbox\" takes no money")]
    }
}
