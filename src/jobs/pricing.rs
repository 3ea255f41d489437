//! What a job costs. Pure; amounts in paise, prices include tax.

use crate::catalogue::categories::CategoryRow;

/// Base price and travel price of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobPrice {
    pub base_paise: i64,
    pub travel_paise: i64,
}

/// The travel price counts every started kilometre beyond the free ones, from the nearest mechanic who could come; it
/// is zero if there is none. Both parts are fixed when the job is created.
pub fn price(category: &CategoryRow, nearest_m: Option<u32>) -> JobPrice {
    let km = i64::from(nearest_m.unwrap_or(0).div_ceil(1000));
    let charged_km = (km - i64::from(category.free_km)).max(0);
    let travel_paise = charged_km.saturating_mul(category.per_km_price_paise);
    JobPrice { base_paise: category.base_price_paise, travel_paise }
}

/// Minimum and maximum minutes until a mechanic arrives: the wait that is expected, and half as much again.
pub fn eta_range_min(wait_s: u32) -> [u32; 2] {
    let least = wait_s.div_ceil(60).max(1);
    [least, least + least.div_ceil(2)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::dispatch_settings::SearchOverrides;
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
            estimated_duration_min: 30,
            overrides: SearchOverrides::default(),
            is_active: true,
            sort_order: 0,
            created_at: DateTime::UNIX_EPOCH,
            updated_at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn travel_is_charged_by_the_begun_kilometre_beyond_the_free_ones() {
        let cases = [(None, 0), (Some(0), 0), (Some(5_000), 0), (Some(5_001), 1_000), (Some(7_900), 3_000)];
        for (nearest_m, travel_paise) in cases {
            let expected = JobPrice { base_paise: 29_900, travel_paise };
            assert_eq!(price(&category(5), nearest_m), expected, "{nearest_m:?} m");
        }
    }

    #[test]
    fn an_eta_is_a_range_of_whole_minutes() {
        assert_eq!(eta_range_min(0), [1, 2]);
        assert_eq!(eta_range_min(601), [11, 17]);
    }
}
