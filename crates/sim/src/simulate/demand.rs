//! The calls: who calls, when, from where and with what. A Poisson process with the shape of a day. Pure.

use roadcall_actors::{geo::Point, job::state::Urgency, vehicle::VehicleType};

use super::{
    places,
    scenario::{Scenario, vehicle_type},
    travel::{Millis, millis},
};
use crate::{
    city,
    rng::{Purpose, Rng},
};

/// A breakdown, with everything that chance decides about its customer.
#[derive(Debug, Clone)]
pub struct Call {
    pub at: Millis,
    pub pickup: Point,
    /// The category's place in the scenario's list.
    pub category: usize,
    pub vehicle_type: VehicleType,
    pub urgency: Urgency,
    /// How long the customer waits for a mechanic to accept.
    pub patience: Millis,
    /// How long the customer waits for a mechanic to arrive.
    pub arrival_patience: Millis,
    pub tries_again: bool,
    /// How long the work takes, whichever mechanic does it.
    pub work: Millis,
    /// The place where the work ends.
    pub ends_at: Point,
}

/// Returns the calls of one run in the order of their times. `load` scales their number; the same seed gives the same gaps at
/// every load, so that a busier day is the same day with more calls in it.
pub fn calls(scenario: &Scenario, load: f64, rng: Rng) -> Vec<Call> {
    let rng = rng.on(Purpose::Customer);
    times(scenario, load, rng).enumerate().map(|(n, at)| call(scenario, at, rng.number(n as u64))).collect()
}

/// Draws the times by inversion: the gaps of a process of rate 1, stretched by the day's cumulative rate.
fn times(scenario: &Scenario, load: f64, rng: Rng) -> impl Iterator<Item = Millis> + use<> {
    let slices = slices(scenario, load);
    let (mut slice, mut before, mut sum, mut n) = (0, 0.0, 0.0, 0_u64);
    std::iter::from_fn(move || {
        sum += rng.on(Purpose::Gap).number(n).exponential(1.0);
        n += 1;
        loop {
            let (from_s, length_s, expected) = *slices.get(slice)?;
            if sum < before + expected {
                return Some(millis(from_s + (sum - before) / expected * length_s));
            }
            before += expected;
            slice += 1;
        }
    })
}

/// Cuts the run at full hours of the day: seconds from its start, length in seconds, calls expected.
fn slices(scenario: &Scenario, load: f64) -> Vec<(f64, f64, f64)> {
    let (mut from_h, end_h) = (0.0, scenario.hours);
    let mut slices = Vec::new();
    while from_h < end_h {
        let of_day = scenario.start_hour + from_h;
        let to_h = (of_day.floor() + 1.0 - scenario.start_hour).min(end_h);
        let weight = scenario.demand.by_hour[of_day as usize % 24] * (to_h - from_h);
        slices.push((from_h * 3600.0, (to_h - from_h) * 3600.0, weight));
        from_h = to_h;
    }
    let whole: f64 = slices.iter().map(|(_, _, weight)| weight).sum();
    let jobs = f64::from(scenario.jobs) * load;
    slices.iter_mut().for_each(|(_, _, weight)| *weight *= jobs / whole);
    slices
}

fn call(scenario: &Scenario, at: Millis, rng: Rng) -> Call {
    let (demand, customers) = (&scenario.demand, &scenario.customers);
    let pickup = places::demand_place(scenario, rng.on(Purpose::Place));
    let category = rng.on(Purpose::Category).weighted(scenario.categories.iter().map(|each| each.percent));
    let work = &scenario.categories[category];
    let vehicles = rng.on(Purpose::Vehicle).weighted(demand.vehicles.iter().map(|each| each.percent));
    let urgent = rng.on(Purpose::Urgency).share() * 100.0;
    let urgency = match urgent {
        _ if urgent < demand.accident_percent => Urgency::Accident,
        _ if urgent < demand.accident_percent + demand.highway_percent => Urgency::Highway,
        _ => Urgency::Normal,
    };
    let waits = |of: Purpose, minutes: f64| {
        millis(rng.on(of).lognormal(minutes * 60.0, customers.patience_sigma).max(60.0))
    };
    Call {
        at,
        pickup,
        category,
        vehicle_type: vehicle_type(&demand.vehicles[vehicles].vehicle_type),
        urgency,
        patience: waits(Purpose::Patience, customers.patience_min),
        arrival_patience: waits(Purpose::ArrivalPatience, customers.arrival_patience_min),
        tries_again: rng.on(Purpose::Retry).percent(customers.retry_percent),
        work: millis(rng.on(Purpose::Service).lognormal(work.minutes * 60.0, work.sigma)),
        ends_at: if work.tow_km > 0.0 {
            city::near(pickup, work.tow_km * 1000.0, rng.on(Purpose::Trip))
        } else {
            pickup
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{scenario::ScenarioFile, simulate::travel};

    fn even() -> Scenario {
        Scenario::load("even").expect("built in")
    }

    #[test]
    fn a_day_has_its_peaks_its_mix_and_about_as_many_calls_as_asked_for() {
        let scenario = Scenario { jobs: 6_000, ..even() };
        let calls = calls(&scenario, 1.0, Rng::new(3));
        assert!((5_700..6_300).contains(&calls.len()), "{}", calls.len());
        assert!(calls.is_sorted_by_key(|call| call.at));
        assert!(calls.iter().all(|call| call.at < millis(scenario.hours * 3600.0)));
        let in_hour =
            |hour| calls.iter().filter(|call| travel::hour_of_day(&scenario, call.at) == hour).count();
        let (noon, evening) = (in_hour(12), in_hour(18));
        assert!(evening * 100 > noon * 115, "{noon} at noon, {evening} in the evening");
        let tows = calls.iter().filter(|call| scenario.categories[call.category].name == "towing").count();
        assert!((38..44).contains(&(tows * 100 / calls.len())), "{tows} tows");
        let centre = Point::new(scenario.city.lat, scenario.city.lng);
        let far = calls.iter().filter(|call| call.pickup.distance_m(centre) > 10_050.0).count();
        assert_eq!(far, 0, "calls from outside of the city");
    }

    #[test]
    fn a_busier_day_is_the_same_day_with_more_calls() {
        let scenario = even();
        let (calm, busy) = (calls(&scenario, 1.0, Rng::new(3)), calls(&scenario, 2.0, Rng::new(3)));
        assert!(busy.len() * 10 > calm.len() * 17, "{} and {}", calm.len(), busy.len());
        assert_eq!(calm[0].pickup, busy[0].pickup);
        assert!(busy[0].at < calm[0].at);
    }
}
