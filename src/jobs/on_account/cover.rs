//! The shares of an organisation, and of the person who is helped, in the price of a job on account. Pure; amounts in paise, prices
//! include tax.

/// The agreed price of a kind of help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgreedPrice {
    /// The price that the service quotes.
    Quoted,
    /// A call-out that includes some kilometres to the destination, and a price for each further one.
    CallOut { call_out_paise: i64, included_km: u32, per_km_paise: i64 },
}

/// The limits of what is covered of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cover {
    pub most_paise: Option<i64>,
    /// The longest way to a destination.
    pub most_km: Option<u32>,
}

/// The shares of a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedPrice {
    pub payable_paise: i64,
    /// The share of the person who is helped.
    pub driver_paise: i64,
}

impl AgreedPrice {
    /// Returns the price of a job that the service quotes at `quoted_paise`. Every started kilometre beyond the included ones
    /// counts.
    pub fn of_job(self, quoted_paise: i64, destination_m: Option<u32>) -> i64 {
        match self {
            Self::Quoted => quoted_paise,
            Self::CallOut { call_out_paise, included_km, per_km_paise } => {
                let km = started_km(destination_m.unwrap_or(0)).saturating_sub(included_km);
                call_out_paise.saturating_add(per_km_paise.saturating_mul(i64::from(km)))
            }
        }
    }
}

impl Cover {
    /// Returns whether the way to a destination is within the cover.
    pub fn reaches(self, destination_m: u32) -> bool {
        self.most_km.is_none_or(|most_km| started_km(destination_m) <= most_km)
    }

    /// Divides the price of a job, approved extra work included.
    pub fn share(self, price_paise: i64) -> SharedPrice {
        let price_paise = price_paise.max(0);
        let payable_paise = self.most_paise.map_or(price_paise, |most| most.min(price_paise));
        SharedPrice { payable_paise, driver_paise: price_paise - payable_paise }
    }

    /// Returns the most that is charged on account of a job whose quoted price is `quoted_paise`; `None` if there is no limit.
    ///
    /// The rules of a job know only the quoted price, by which the mechanic is paid. Where another price was agreed, the limit is
    /// moved by the difference: what exceeds the cover, and the room for extra work, follow from the agreed price.
    pub fn of_job(self, agreed: AgreedPrice, quoted_paise: i64, destination_m: Option<u32>) -> Option<i64> {
        let agreed_paise = agreed.of_job(quoted_paise, destination_m);
        // A job on account is charged at least a trifle there, so that its organisation stays its payer.
        self.most_paise.map(|most| most.saturating_sub(agreed_paise).saturating_add(quoted_paise).max(1))
    }
}

fn started_km(metres: u32) -> u32 {
    metres.div_ceil(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOW: AgreedPrice =
        AgreedPrice::CallOut { call_out_paise: 150_000, included_km: 10, per_km_paise: 4_000 };

    fn up_to(most_paise: i64) -> Cover {
        Cover { most_paise: Some(most_paise), most_km: None }
    }

    #[test]
    fn an_agreed_price_counts_every_started_kilometre_beyond_the_included_ones() {
        let cases = [
            (AgreedPrice::Quoted, Some(90_000), 99_900),
            (AgreedPrice::Quoted, None, 99_900),
            (TOW, None, 150_000),
            (TOW, Some(0), 150_000),
            (TOW, Some(10_000), 150_000),
            (TOW, Some(10_001), 154_000),
            (TOW, Some(12_500), 162_000),
        ];
        for (agreed, destination_m, price) in cases {
            assert_eq!(agreed.of_job(99_900, destination_m), price, "{agreed:?} {destination_m:?}");
        }
        let dear = AgreedPrice::CallOut { call_out_paise: 1, included_km: 0, per_km_paise: i64::MAX };
        assert_eq!(dear.of_job(0, Some(u32::MAX)), i64::MAX);
    }

    #[test]
    fn a_price_beyond_the_cover_is_divided_without_a_rest() {
        for (cover, price, payable, driver) in [
            (Cover::default(), 99_900, 99_900, 0),
            (up_to(99_900), 99_900, 99_900, 0),
            (up_to(99_899), 99_900, 99_899, 1),
            (up_to(50_000), 99_900, 50_000, 49_900),
            (up_to(50_000), 0, 0, 0),
            (up_to(50_000), -10, 0, 0),
        ] {
            let shared = cover.share(price);
            assert_eq!((shared.payable_paise, shared.driver_paise), (payable, driver), "{cover:?} {price}");
        }
    }

    #[test]
    fn a_destination_is_covered_up_to_the_last_started_kilometre() {
        let cover = Cover { most_paise: None, most_km: Some(50) };
        for (metres, is_covered) in [(0, true), (50_000, true), (50_001, false), (u32::MAX, false)] {
            assert_eq!(cover.reaches(metres), is_covered, "{metres} m");
        }
        assert!(Cover::default().reaches(u32::MAX));
    }

    #[test]
    fn the_limit_of_a_job_leaves_the_excess_of_the_agreed_price_to_the_helped_person() {
        let cases = [
            (AgreedPrice::Quoted, Cover::default(), 99_900, None),
            (TOW, Cover::default(), 200_000, None),
            // The quoted price is limited by the cover itself.
            (AgreedPrice::Quoted, up_to(50_000), 99_900, Some(50_000)),
            // An agreed price within the cover leaves nothing to the person, whatever the quoted price is; the rest is room for
            // extra work.
            (TOW, up_to(150_000), 200_000, Some(200_000)),
            (TOW, up_to(170_000), 200_000, Some(220_000)),
            // The excess over the cover is the person's part of the quoted price, and never more than that price.
            (TOW, up_to(140_000), 200_000, Some(190_000)),
            (TOW, up_to(40_000), 100_000, Some(1)),
        ];
        for (agreed, cover, quoted, most) in cases {
            assert_eq!(cover.of_job(agreed, quoted, None), most, "{agreed:?} {cover:?} {quoted}");
        }
    }
}
