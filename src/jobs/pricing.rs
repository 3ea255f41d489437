//! The price of a job. Pure; amounts in paise, prices include tax.

use crate::catalogue::categories::CategoryRow;

/// The parts of a job's price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobPrice {
    pub base_paise: i64,
    pub travel_paise: i64,
    pub destination_paise: i64,
}

impl JobPrice {
    pub fn total_paise(self) -> i64 {
        self.base_paise + self.travel_paise + self.destination_paise
    }
}

/// Computes a job's price, whose parts are fixed when the job is created. The travel price counts every started kilometre beyond
/// the free ones, from the nearest mechanic who could come; it is zero if nobody could come. The way to a destination counts
/// in the same way.
pub fn price(category: &CategoryRow, nearest_m: Option<u32>, destination_m: Option<u32>) -> JobPrice {
    JobPrice {
        base_paise: category.base_price_paise,
        travel_paise: by_km(nearest_m, category.free_km, category.per_km_price_paise),
        destination_paise: by_km(
            destination_m,
            category.destination_free_km,
            category.destination_per_km_price_paise,
        ),
    }
}

/// Returns the price of a tow that is agreed on the spot: the price of towing beyond the job's own base price, and the kilometres
/// to the destination. It is at least the minimum price of a line item.
pub fn tow_paise(towing: &CategoryRow, base_paise: i64, destination_m: u32) -> i64 {
    let way_paise = price(towing, None, Some(destination_m)).destination_paise;
    let more_paise = (towing.base_price_paise - base_paise).max(0);
    more_paise.saturating_add(way_paise).max(1)
}

fn by_km(distance_m: Option<u32>, free_km: i32, per_km_paise: i64) -> i64 {
    let km = i64::from(distance_m.unwrap_or(0).div_ceil(1000));
    (km - i64::from(free_km)).max(0).saturating_mul(per_km_paise)
}

/// Returns the minimum and maximum minutes until a mechanic arrives: the expected wait, and half as much again.
pub fn eta_range_min(wait_s: u32) -> [u32; 2] {
    let least = wait_s.div_ceil(60).max(1);
    [least, least + least.div_ceil(2)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{categories::DestinationRule, dispatch_settings::SearchOverrides};
    use chrono::DateTime;

    fn category(free_km: i32) -> CategoryRow {
        CategoryRow {
            id: uuid::Uuid::nil(),
            name: String::new(),
            slug: String::new(),
            description: String::new(),
            icon_url: None,
            vehicle_types: Vec::new(),
            base_price_paise: 29_900,
            per_km_price_paise: 1_000,
            free_km,
            destination: DestinationRule::Optional,
            destination_per_km_price_paise: 3_000,
            destination_free_km: 5,
            estimated_duration_min: 30,
            overrides: SearchOverrides::default(),
            is_active: true,
            sort_order: 0,
            created_at: DateTime::UNIX_EPOCH,
            updated_at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn travel_is_charged_by_the_started_kilometre_beyond_the_free_ones() {
        let cases = [(None, 0), (Some(0), 0), (Some(5_000), 0), (Some(5_001), 1_000), (Some(7_900), 3_000)];
        for (nearest_m, travel_paise) in cases {
            let expected = JobPrice { base_paise: 29_900, travel_paise, destination_paise: 0 };
            assert_eq!(price(&category(5), nearest_m, None), expected, "{nearest_m:?} m");
        }
    }

    #[test]
    fn the_way_to_the_destination_is_charged_by_the_started_kilometre_beyond_the_free_ones() {
        for (metres, paise) in [(0, 0), (5_000, 0), (5_001, 3_000), (6_000, 3_000), (9_700, 15_000)] {
            let price = price(&category(5), Some(7_900), Some(metres));
            assert_eq!((price.travel_paise, price.destination_paise), (3_000, paise), "{metres} m");
            assert_eq!(price.total_paise(), 29_900 + 3_000 + paise);
        }
    }

    #[test]
    fn a_tow_on_the_spot_costs_the_difference_in_base_price_and_the_kilometres() {
        let towing = CategoryRow { base_price_paise: 99_900, ..category(5) };
        assert_eq!(tow_paise(&towing, 34_900, 5_001), 65_000 + 3_000);
        assert_eq!(tow_paise(&towing, 120_000, 5_001), 3_000, "a dearer job gives nothing back");
        assert_eq!(tow_paise(&towing, 99_900, 400), 1, "a line item costs something");
        let dear = CategoryRow { destination_per_km_price_paise: i64::MAX, ..towing };
        assert_eq!(tow_paise(&dear, 0, u32::MAX), i64::MAX);
    }

    #[test]
    fn an_eta_is_a_range_of_whole_minutes() {
        assert_eq!(eta_range_min(0), [1, 2]);
        assert_eq!(eta_range_min(601), [11, 17]);
    }
}
