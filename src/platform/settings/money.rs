//! Settings of everything that moves money.

use serde::Deserialize;

use super::{Secret, choice};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoneySettings {
    pub commission_bps: i64,
    pub tax_bps: i64,
    pub dispute_window_s: i64,
}

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
    #[serde(deserialize_with = "choice::choice")]
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

/// Returns an absolute http or https URL to which paths can be added; `None` for any other text.
pub fn web_url(text: &str) -> Option<url::Url> {
    let url = url::Url::parse(text).ok()?;
    let is_web = ["http", "https"].contains(&url.scheme()) && url.has_host();
    let is_bare = url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
    (is_web && is_bare).then_some(url)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PayoutProvider {
    Sandbox,
    Razorpay,
    /// Admins pay by hand.
    None,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PayoutSettings {
    #[serde(deserialize_with = "choice::choice")]
    pub provider: PayoutProvider,
    pub account_number: String,
    pub timeout_ms: u64,
    pub reconcile_after_s: i64,
    pub retry_s: i64,
}

impl PayoutSettings {
    /// Returns whether admins pay withdrawals by hand, and record it.
    pub fn is_by_hand(&self) -> bool {
        self.provider == PayoutProvider::None
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalletSettings {
    pub clearing_hours: i64,
    pub new_account_wait_hours: i64,
    pub min_withdrawal_paise: i64,
    pub max_withdrawal_paise: i64,
    pub max_upi_accounts: i64,
    pub upi_look_ups_per_day: usize,
    pub name_match_score: i32,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SandboxSettings {
    pub delay_min_ms: u64,
    pub delay_max_ms: u64,
    pub duplicate_percent: u32,
    pub reorder_percent: u32,
    pub failure_percent: u32,
    pub payout_failure_percent: u32,
}
