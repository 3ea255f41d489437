//! Learns from finished trips by how much one source's estimates are off, hour by hour. Pure.
//!
//! For each trip of one source, x = ln(actual / estimated), where the estimate is the source's own, uncorrected.
//! The median of x is typical, whatever the outliers. The fewer trips there are, the more it is shrunk (the mean of
//! a normal prior of weight k and the data, e.g. Gelman et al., Bayesian Data Analysis, 2.5), with K = [`WEIGHT`]:
//! ```text
//! overall = median(x) · n / (n + K)                              towards no correction
//! hour h  = (median(x of h) · n_h + overall · K) / (n_h + K)     towards the overall one
//! factor  = exp(…), within MIN_FACTOR … MAX_FACTOR
//! ```

/// The weight of the prior belief that nothing needs correcting, as a number of trips.
pub const WEIGHT: f64 = 20.0;
/// The smallest correction. Roads may be far faster than a straight line at a city's speed.
pub const MIN_FACTOR: f64 = 0.15;
/// The largest correction.
pub const MAX_FACTOR: f64 = 3.0;
/// The shortest estimate from which anything is learned: in shorter ones, parking and tapping on the phone outweigh
/// the trip.
pub const SHORTEST_S: u32 = 60;

/// A finished trip, with its expected and its actual duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trip {
    /// The local hour of setting out, 0 to 23.
    pub hour: usize,
    /// The source's own estimate, before any correction.
    pub estimated_s: u32,
    /// The seconds from setting out to arriving.
    pub actual_s: u32,
}

/// The correction factors for one source's estimates.
#[derive(Debug, Clone, PartialEq)]
pub struct Correction {
    /// The factors by local hour of the day.
    pub by_hour: [f64; 24],
    /// The factor over all hours, for operators.
    pub overall: f64,
    /// The number of trips from which it was learned.
    pub trips: usize,
}

impl Correction {
    /// Learns from trips of one source in any order. Returns `None` if fewer than `least` of them are usable.
    pub fn learn(trips: &[Trip], least: usize) -> Option<Self> {
        let mut all = Vec::with_capacity(trips.len());
        let mut hours: [Vec<f64>; 24] = Default::default();
        for trip in trips {
            let Some(x) = log_ratio(trip) else { continue };
            all.push(x);
            if let Some(hour) = hours.get_mut(trip.hour) {
                hour.push(x);
            }
        }
        if all.is_empty() || all.len() < least {
            return None;
        }
        let count = all.len();
        let overall = shrunk(&mut all, 0.0);
        let by_hour = hours.map(|mut own| bounded(shrunk(&mut own, overall)));
        Some(Self { by_hour, overall: bounded(overall), trips: count })
    }

    /// Returns a source's estimate, corrected for that local hour.
    pub fn apply(&self, base_s: u32, hour: usize) -> u32 {
        let factor = self.by_hour.get(hour).copied().unwrap_or(self.overall);
        // Casts of floats saturate.
        (f64::from(base_s) * factor).round() as u32
    }
}

fn log_ratio(trip: &Trip) -> Option<f64> {
    let tells = trip.estimated_s >= SHORTEST_S && trip.actual_s > 0;
    tells.then(|| (f64::from(trip.actual_s) / f64::from(trip.estimated_s)).ln())
}

/// Returns the median of the observed values, shrunk towards the prior belief.
fn shrunk(seen: &mut [f64], believed: f64) -> f64 {
    let count = seen.len() as f64;
    (median(seen) * count + believed * WEIGHT) / (count + WEIGHT)
}

/// Returns the median, or 0 if there are no values; it then weighs nothing.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        count if count % 2 == 1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}

fn bounded(log_factor: f64) -> f64 {
    log_factor.exp().clamp(MIN_FACTOR, MAX_FACTOR)
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn trip(hour: usize, estimated_s: u32, actual_s: u32) -> Trip {
        Trip { hour, estimated_s, actual_s }
    }

    fn trips() -> impl Strategy<Value = Vec<Trip>> {
        let one = (0_usize..24, 0_u32..20_000, 0_u32..200_000);
        vec(one.prop_map(|(hour, estimated, actual)| trip(hour, estimated, actual)), 0..200)
    }

    /// Generates trips that took between 1.3 and 1.7 times as long as expected.
    fn steady() -> impl Strategy<Value = Vec<Trip>> {
        let one = (0_usize..24, 60_u32..3_000, 1_300_u32..1_700);
        let one =
            one.prop_map(|(hour, estimated, per_mille)| trip(hour, estimated, estimated * per_mille / 1000));
        vec(one, 30..200)
    }

    proptest! {
        #[test]
        fn factors_stay_within_their_bounds_for_any_trips(trips in trips()) {
            if let Some(learned) = Correction::learn(&trips, 1) {
                for factor in learned.by_hour.into_iter().chain([learned.overall]) {
                    prop_assert!((MIN_FACTOR..=MAX_FACTOR).contains(&factor), "{factor}");
                }
            }
        }

        #[test]
        fn slower_trips_never_teach_shorter_estimates(trips in trips(), slower in 1_u32..1_000) {
            let later: Vec<Trip> = trips
                .iter()
                .map(|trip| Trip { actual_s: trip.actual_s.max(1) + slower, ..*trip })
                .collect();
            let trips: Vec<Trip> = trips.iter().map(|trip| Trip { actual_s: trip.actual_s.max(1), ..*trip }).collect();
            let learned = Correction::learn(&trips, 1);
            let slowed = Correction::learn(&later, 1);
            prop_assert_eq!(learned.is_some(), slowed.is_some());
            if let (Some(learned), Some(slowed)) = (learned, slowed) {
                for hour in 0..24 {
                    prop_assert!(learned.by_hour[hour] <= slowed.by_hour[hour] + 1e-12);
                }
            }
        }

        #[test]
        fn a_longer_trip_is_never_corrected_to_a_shorter_time(trips in trips(), near in 0_u32..9_000, more in 0_u32..9_000) {
            if let Some(learned) = Correction::learn(&trips, 1) {
                for hour in 0..24 {
                    prop_assert!(learned.apply(near, hour) <= learned.apply(near + more, hour));
                }
            }
        }

        #[test]
        fn one_wild_trip_changes_little(steady in steady(), wild in 1_u32..1_000_000, estimated in 60_u32..3_000) {
            let before = Correction::learn(&steady, 1).expect("some trips").overall;
            let mut with_it = steady.clone();
            with_it.push(trip(8, estimated, wild));
            let after = Correction::learn(&with_it, 1).expect("some trips").overall;
            // The medians of 30 and of 31 trips between 1.3 and 1.7 are that near each other, wherever the wild one
            // is.
            prop_assert!((after / before).ln().abs() < 0.27, "{before} became {after}");
        }

        #[test]
        fn few_trips_change_little(few in vec((1_u32..1_000_000, 60_u32..3_000), 1..3)) {
            let few: Vec<Trip> = few.into_iter().map(|(actual, estimated)| trip(8, estimated, actual)).collect();
            let learned = Correction::learn(&few, 1).expect("some trips");
            let widest = few.iter().filter_map(log_ratio).map(f64::abs).fold(0.0, f64::max);
            let count = few.len() as f64;
            prop_assert!(learned.overall.ln().abs() <= widest * count / (count + WEIGHT) + 1e-9);
        }

        #[test]
        fn the_order_of_trips_does_not_matter(trips in trips()) {
            let mut reversed = trips.clone();
            reversed.reverse();
            prop_assert_eq!(Correction::learn(&trips, 1), Correction::learn(&reversed, 1));
        }
    }

    #[test]
    fn many_similar_trips_are_believed_almost_fully() {
        let trips = vec![trip(8, 600, 900); 2_000];
        let learned = Correction::learn(&trips, 20).expect("enough");
        assert!((learned.overall - 1.5).abs() < 0.01, "{}", learned.overall);
        assert_eq!((learned.trips, learned.apply(600, 8)), (2_000, 900));
    }

    #[test]
    fn one_outlier_among_forty_similar_trips_changes_nothing() {
        let mut trips = vec![trip(8, 600, 900); 40];
        let before = Correction::learn(&trips, 20).expect("enough").by_hour[8];
        trips.push(trip(8, 600, 86_400));
        let after = Correction::learn(&trips, 20).expect("enough").by_hour[8];
        assert!((after - before).abs() < 0.01, "{before} became {after}");
    }

    #[test]
    fn an_hour_without_trips_follows_the_others_and_one_with_many_its_own() {
        let mut trips = vec![trip(8, 600, 1_200); 200];
        trips.extend(vec![trip(12, 600, 600); 500]);
        let learned = Correction::learn(&trips, 20).expect("enough");
        assert_eq!(learned.by_hour[3], learned.overall);
        assert!(learned.by_hour[8] > 1.85 && learned.by_hour[12] < 1.05, "{learned:?}");
    }

    #[test]
    fn too_few_or_unusable_trips_teach_nothing() {
        assert_eq!(Correction::learn(&[], 0), None);
        assert_eq!(Correction::learn(&vec![trip(8, 600, 900); 19], 20), None);
        assert_eq!(Correction::learn(&vec![trip(8, 59, 900); 50], 20), None);
        assert_eq!(Correction::learn(&vec![trip(8, 600, 0); 50], 20), None);
        assert!(Correction::learn(&vec![trip(8, 600, 900); 20], 20).is_some());
    }
}
