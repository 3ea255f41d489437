//! Switches prices on and off by the hour, to measure their effect. Pure.
//!
//! One of every two hours (of UTC) has prices, and the other has not. The number of the pair decides at random which comes first,
//! so that no hour of the day, and no habit, is always treated alike.

use chrono::{DateTime, TimeDelta, Utc};

use super::settings::DispatchSettings;

pub const HOUR: TimeDelta = TimeDelta::hours(1);

/// Returns the number of hours since 1970.
pub fn hour_of(at: DateTime<Utc>) -> i64 {
    at.timestamp().div_euclid(3600)
}

pub fn start_of(hour: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::hours(hour)
}

/// Returns whether an hour of a switchback is one with prices.
pub fn has_prices(hour: i64) -> bool {
    (mixed(hour.div_euclid(2)) & 1 == 1) == (hour.rem_euclid(2) == 0)
}

/// Returns whether prices count at this time.
pub fn prices_apply(settings: &DispatchSettings, at: DateTime<Utc>) -> bool {
    settings.mechanic_prices && (!settings.price_switchback || has_prices(hour_of(at)))
}

/// Mixes the bits of a number by SplitMix64.
fn mixed(number: i64) -> u64 {
    let mut z = number.cast_unsigned().wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use roadcall_platform::settings::testing::default_of;

    use super::*;

    #[test]
    fn one_of_every_two_hours_has_prices_and_no_hour_of_the_day_always_does() {
        for pair in -1_000..1_000_i64 {
            assert_ne!(has_prices(2 * pair), has_prices(2 * pair + 1), "{pair}");
        }
        for hour in 0..24 {
            let days = (0..1_000).filter(|day| has_prices(500_000 * 24 + day * 24 + hour)).count();
            assert!((400..600).contains(&days), "{hour} o'clock: {days} of 1,000 days");
        }
    }

    #[test]
    fn prices_apply_all_the_time_unless_they_are_off_or_switched() {
        let on = DispatchSettings { mechanic_prices: true, ..default_of("dispatch") };
        let switched = DispatchSettings { price_switchback: true, ..on.clone() };
        let off = DispatchSettings { mechanic_prices: false, ..switched.clone() };
        let applied = |settings: &DispatchSettings| {
            (0..10).filter(|hour| prices_apply(settings, start_of(*hour))).count()
        };
        assert_eq!((applied(&on), applied(&switched), applied(&off)), (10, 5, 0));
        let hour = (0..2).find(|hour| has_prices(*hour)).unwrap();
        assert!(
            prices_apply(&switched, start_of(hour) + HOUR - TimeDelta::milliseconds(1)),
            "to the end of the hour"
        );
    }
}
