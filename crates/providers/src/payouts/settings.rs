//! The payout provider: `[payouts]`.

use roadcall_platform::settings::{DAY_S, Rule, RulesOf, Section, choice};
use serde::Deserialize;

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
    #[serde(deserialize_with = "choice")]
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

impl Section for PayoutSettings {
    fn rules(&self) -> Vec<Rule> {
        let payouts = RulesOf("payouts");
        vec![
            payouts.within("timeout_ms", self.timeout_ms, 100..=60_000),
            payouts.within("reconcile_after_s", self.reconcile_after_s, 1..=DAY_S),
            payouts.within("retry_s", self.retry_s, 1..=3600),
        ]
    }

    /// Returns the rules for production, which make sure that money really moves.
    fn rules_of_production(&self) -> Vec<Rule> {
        let pays = self.provider != PayoutProvider::Sandbox;
        vec![RulesOf("payouts").says("provider", pays, "= \"sandbox\" pays nobody")]
    }
}
