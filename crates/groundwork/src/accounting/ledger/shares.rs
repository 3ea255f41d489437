//! Shares out the amount that a customer pays. Pure functions on whole paise; nothing is lost in rounding.

/// The whole in hundredths of a percent.
const WHOLE_BPS: i64 = 10_000;

/// The rates by which an amount is shared out, in hundredths of a percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShareRates {
    pub commission_bps: i64,
    pub tax_bps: i64,
}

/// The parts of an amount, which sum to the amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shares {
    pub commission_paise: i64,
    pub tax_paise: i64,
    pub mechanic_paise: i64,
}

impl Shares {
    /// Shares out an amount. Tax is contained in the price: `gross × rate / (1 + rate)`. The commission is a share of
    /// the rest. Both round half up, and the mechanic gets the remainder.
    pub fn of(gross_paise: i64, rates: ShareRates) -> Self {
        let tax_paise = part(gross_paise, rates.tax_bps, WHOLE_BPS + rates.tax_bps);
        let commission_paise = part(gross_paise - tax_paise, rates.commission_bps, WHOLE_BPS);
        Self { commission_paise, tax_paise, mechanic_paise: gross_paise - tax_paise - commission_paise }
    }

    /// Returns the sum of the parts.
    pub fn gross_paise(self) -> i64 {
        self.commission_paise + self.tax_paise + self.mechanic_paise
    }

    /// Returns the amounts that the parts give back when `more_paise` of the gross go back after `returned_paise`.
    /// Rounding is done on the running total, so that a refund in any number of parts returns the last paisa to the
    /// part it came from.
    pub fn returned(self, returned_paise: i64, more_paise: i64) -> Self {
        let (before, after) = (self.scaled(returned_paise), self.scaled(returned_paise + more_paise));
        Self {
            commission_paise: after.commission_paise - before.commission_paise,
            tax_paise: after.tax_paise - before.tax_paise,
            mechanic_paise: after.mechanic_paise - before.mechanic_paise,
        }
    }

    fn scaled(self, to_paise: i64) -> Self {
        let gross = self.gross_paise().max(1);
        let commission_paise = part(self.commission_paise, to_paise, gross);
        let tax_paise = part(self.tax_paise, to_paise, gross);
        Self { commission_paise, tax_paise, mechanic_paise: to_paise - commission_paise - tax_paise }
    }
}

/// Returns `amount × times / of`, rounded half up.
fn part(amount: i64, times: i64, of: i64) -> i64 {
    let (amount, times, of) = (i128::from(amount), i128::from(times), i128::from(of));
    i64::try_from((2 * amount * times + of) / (2 * of)).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rates(commission_bps: i64, tax_bps: i64) -> ShareRates {
        ShareRates { commission_bps, tax_bps }
    }

    #[test]
    fn the_commission_rounds_half_up_and_the_mechanic_gets_the_rest() {
        let cases = [(10_000, 1_500), (29_900, 4_485), (1, 0), (3, 0), (4, 1), (10, 2), (0, 0)];
        for (gross, commission) in cases {
            let shares = Shares::of(gross, rates(1_500, 0));
            assert_eq!(
                (shares.commission_paise, shares.mechanic_paise),
                (commission, gross - commission),
                "{gross}"
            );
        }
    }

    #[test]
    fn the_tax_is_contained_in_the_price() {
        let shares = Shares::of(11_800, rates(1_500, 1_800));
        assert_eq!(shares, Shares { tax_paise: 1_800, commission_paise: 1_500, mechanic_paise: 8_500 });
    }

    proptest! {
        #[test]
        fn no_paisa_is_lost(gross in 0_i64..2_000_000_000, commission in 0_i64..=10_000, tax in 0_i64..=10_000) {
            let shares = Shares::of(gross, rates(commission, tax));
            prop_assert_eq!(shares.gross_paise(), gross);
            prop_assert!(shares.commission_paise >= 0 && shares.tax_paise >= 0 && shares.mechanic_paise >= 0);
        }

        #[test]
        fn refunds_in_parts_add_up_to_the_whole(gross in 1_i64..1_000_000, cuts in prop::collection::vec(0_i64..1_000_000, 0..6)) {
            let shares = Shares::of(gross, rates(1_500, 1_800));
            let mut cuts: Vec<i64> = cuts.into_iter().map(|cut| cut % (gross + 1)).collect();
            cuts.extend([0, gross]);
            cuts.sort_unstable();
            let mut total = Shares::default();
            for pair in cuts.windows(2) {
                let part = shares.returned(pair[0], pair[1] - pair[0]);
                prop_assert_eq!(part.gross_paise(), pair[1] - pair[0]);
                total.commission_paise += part.commission_paise;
                total.tax_paise += part.tax_paise;
                total.mechanic_paise += part.mechanic_paise;
            }
            prop_assert_eq!(total, shares);
        }
    }
}
