//! Earnings and withdrawals: `[wallet]`.

use serde::Deserialize;

use crate::platform::settings::{Rule, RulesOf, Section};

/// Ten million rupees: a higher amount is a typing error.
const MAX_PAISE: i64 = 1_000_000_000;

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

impl Section for WalletSettings {
    fn rules(&self) -> Vec<Rule> {
        let wallet = RulesOf("wallet");
        vec![
            wallet.within("clearing_hours", self.clearing_hours, 0..=24 * 90),
            wallet.within("new_account_wait_hours", self.new_account_wait_hours, 0..=720),
            wallet
                .within("min_withdrawal_paise", self.min_withdrawal_paise, 1..=self.max_withdrawal_paise)
                .up_to("max_withdrawal_paise"),
            wallet.within("max_withdrawal_paise", self.max_withdrawal_paise, 1..=MAX_PAISE),
            wallet.within("max_upi_accounts", self.max_upi_accounts, 1..=100),
            wallet.within("upi_look_ups_per_day", self.upi_look_ups_per_day, 1..=1000),
            wallet.within("name_match_score", self.name_match_score, 0..=100),
        ]
    }
}
