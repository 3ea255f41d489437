//! How prices are shown to the mechanic of a job that an organisation ordered. Every amount that a customer pays for a job, and that
//! its mechanic may read, passes through here.

use roadcall_actors::offer::PartnerOrder;

use crate::{
    accounting::ledger::{ShareRates, Shares},
    http::Money,
};

/// How a reader sees the prices of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownPrices {
    /// The rates by which each price becomes the mechanic's share of it; `None` if prices are shown as the customer pays them.
    shares: Option<ShareRates>,
}

impl ShownPrices {
    pub const IN_FULL: Self = Self { shares: None };

    /// Returns how the mechanic sees the prices of a job: as their share of each, if the organisation that ordered it hides prices.
    pub fn to_mechanic(order: Option<&PartnerOrder>, rates: ShareRates) -> Self {
        Self { shares: order.is_some_and(|order| !order.shows_prices).then_some(rates) }
    }

    pub fn are_hidden(self) -> bool {
        self.shares.is_some()
    }

    pub fn shown(self, price_paise: i64) -> Money {
        Money(self.shares.map_or(price_paise, |rates| Shares::of(price_paise, rates).mechanic_paise))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mechanic_sees_their_share_of_a_price_that_the_organisation_hides() {
        let rates = ShareRates { commission_bps: 1_500, tax_bps: 0 };
        let order = |shows_prices| PartnerOrder { shows_prices, ..PartnerOrder::default() };
        let shown = |order: Option<&PartnerOrder>| ShownPrices::to_mechanic(order, rates).shown(10_000).0;
        assert_eq!(shown(None), 10_000);
        assert_eq!(shown(Some(&order(true))), 10_000);
        assert_eq!(shown(Some(&order(false))), 8_500);
    }
}
