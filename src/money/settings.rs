//! How money is shared out, and how long a job can be contested: `[money]`.

use serde::Deserialize;

use crate::platform::settings::{DAY_S, Rule, RulesOf, Section};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoneySettings {
    pub commission_bps: i64,
    pub tax_bps: i64,
    pub dispute_window_s: i64,
}

impl Section for MoneySettings {
    fn rules(&self) -> Vec<Rule> {
        let money = RulesOf("money");
        vec![
            money.within("commission_bps", self.commission_bps, 0..=10_000),
            money.within("tax_bps", self.tax_bps, 0..=10_000),
            money.within("dispute_window_s", self.dispute_window_s, 0..=90 * DAY_S),
        ]
    }
}
