//! The scenario file: a city, its demand and its mechanics. The comments in `bench/scenarios/even.toml` explain each key.

use roadcall_actors::{geo::Point, vehicle::VehicleType};
use serde::Deserialize;

use crate::scenario::{Check, ScenarioFile};

/// Names of the scenarios that are compiled in, with their text.
pub const BUILT_IN: [(&str, &str); 21] = [
    ("low", include_str!("../../../../bench/scenarios/low.toml")),
    ("even", include_str!("../../../../bench/scenarios/even.toml")),
    ("scarce", include_str!("../../../../bench/scenarios/scarce.toml")),
    ("fewer", include_str!("../../../../bench/scenarios/fewer.toml")),
    ("mix", include_str!("../../../../bench/scenarios/mix.toml")),
    ("moved", include_str!("../../../../bench/scenarios/moved.toml")),
    ("night", include_str!("../../../../bench/scenarios/night.toml")),
    ("rain", include_str!("../../../../bench/scenarios/rain.toml")),
    ("speed", include_str!("../../../../bench/scenarios/speed.toml")),
    ("roads2", include_str!("../../../../bench/scenarios/roads2.toml")),
    ("roads5", include_str!("../../../../bench/scenarios/roads5.toml")),
    ("quick", include_str!("../../../../bench/scenarios/quick.toml")),
    ("quickfast", include_str!("../../../../bench/scenarios/quickfast.toml")),
    ("sixfold", include_str!("../../../../bench/scenarios/sixfold.toml")),
    ("late_etas", include_str!("../../../../bench/scenarios/late_etas.toml")),
    ("village", include_str!("../../../../bench/scenarios/village.toml")),
    ("two", include_str!("../../../../bench/scenarios/two.toml")),
    ("four", include_str!("../../../../bench/scenarios/four.toml")),
    ("burst", include_str!("../../../../bench/scenarios/burst.toml")),
    ("rare", include_str!("../../../../bench/scenarios/rare.toml")),
    ("decliners", include_str!("../../../../bench/scenarios/decliners.toml")),
];

/// The limits of what one machine can simulate at once.
pub const MAX_MECHANICS: u32 = 5_000;
pub const MAX_JOBS: u32 = 100_000;
pub const MAX_HOURS: f64 = 168.0;
const MAX_ENTRIES: usize = 100;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    pub title: String,
    pub mechanics: u32,
    /// The jobs expected over the hours; the count of a run is Poisson.
    pub jobs: u32,
    pub hours: f64,
    pub start_hour: f64,
    pub city: City,
    pub traffic: Traffic,
    pub demand: Demand,
    pub categories: Vec<Category>,
    pub customers: Customers,
    pub crews: Vec<Crew>,
    pub shifts: Vec<Shift>,
    pub behaviour: Behaviour,
    pub phones: Phones,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct City {
    pub lat: f64,
    pub lng: f64,
    pub shape: Shape,
    /// The radius of the disc, or half the side of the square.
    pub radius_km: f64,
    /// The share of calls, homes and destinations of free mechanics that are anywhere rather than around a hot spot.
    pub background_percent: f64,
    pub hot_spots: Vec<HotSpot>,
}

impl City {
    pub fn centre(&self) -> Point {
        Point::new(self.lat, self.lng)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    Disc,
    Square,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HotSpot {
    pub north_km: f64,
    pub east_km: f64,
    /// The standard deviation, in both directions.
    pub spread_km: f64,
    pub weight: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Traffic {
    pub speed_kmh: f64,
    /// The speed that the service believes in, if it is another.
    pub estimated_kmh: Option<f64>,
    /// The metres of road per metre of straight line.
    pub detour: f64,
    /// The factors of the speed by hour of the day.
    pub by_hour: [f64; 24],
    /// The standard deviation of the logarithm of a trip's time over its expectation.
    pub trip_sigma: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Demand {
    /// The weights of the hours of the day.
    pub by_hour: [f64; 24],
    pub highway_percent: f64,
    pub accident_percent: f64,
    pub vehicles: Vec<Vehicles>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vehicles {
    pub vehicle_type: String,
    pub percent: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Category {
    pub name: String,
    pub percent: f64,
    /// The median of the time from the start to the completion of the work.
    pub minutes: f64,
    /// The standard deviation of its logarithm.
    pub sigma: f64,
    /// How far away the work may end, e.g. a tow's garage. 0 where it ends at the pickup.
    pub tow_km: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Customers {
    /// The median of how long a customer waits for a mechanic to accept, and then cancels.
    pub patience_min: f64,
    /// The median of how long a customer waits for a mechanic to arrive, and then cancels.
    pub arrival_patience_min: f64,
    /// The standard deviation of the logarithm of both.
    pub patience_sigma: f64,
    /// The share of customers who try once more after `no_mechanic_found`; the others cancel.
    pub retry_percent: f64,
    pub retry_after_s: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crew {
    pub name: String,
    pub percent: f64,
    pub categories: Vec<String>,
    pub vehicle_types: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shift {
    pub from_hour: f64,
    pub hours: f64,
    pub weight: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Behaviour {
    /// The bounds of the chance to accept an offer at no distance, over the mechanics.
    pub accept: [f64; 2],
    /// The loss of that chance per kilometre of straight line.
    pub accept_loss_per_km: f64,
    /// The share of the offers not accepted that expire; the others are declined.
    pub ignore_percent: f64,
    pub reaction_s: f64,
    pub reaction_sigma: f64,
    /// The bounds of the mechanics' own radius.
    pub radius_km: [f64; 2],
    /// The share of accepted jobs that are given back on the way, and how long the mechanic is away then.
    pub release_percent: f64,
    pub break_min: f64,
    /// The share of mechanics who drive back towards demand when they are free; the others stay where they are.
    pub cruise_percent: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phones {
    /// The intervals that the engine asks for while an offer is open or a job under way, and otherwise.
    pub fast_interval_s: u32,
    pub slow_interval_s: u32,
    /// The share of time without a connection, and the mean length of such a gap.
    pub dark_percent: f64,
    pub dark_min: f64,
}

impl ScenarioFile for Scenario {
    const BUILT_IN: &[(&str, &str)] = &BUILT_IN;

    fn check(&self, check: &mut Check) {
        check.text("title", &self.title);
        check.number("mechanics", f64::from(self.mechanics), 1.0, f64::from(MAX_MECHANICS));
        check.number("jobs", f64::from(self.jobs), 1.0, f64::from(MAX_JOBS));
        check.number("hours", self.hours, 0.1, MAX_HOURS);
        check.number("start_hour", self.start_hour, 0.0, 24.0);
        self.check_city(check);
        self.check_demand(check);
        self.check_customers(check);
        self.check_mechanics(check);
        self.check_behaviour(check);
    }
}

impl Scenario {
    fn check_city(&self, check: &mut Check) {
        let City { lat, lng, radius_km, background_percent, hot_spots, .. } = &self.city;
        check.number("city.lat", *lat, -60.0, 60.0);
        check.number("city.lng", *lng, -179.0, 179.0);
        check.number("city.radius_km", *radius_km, 0.5, 100.0);
        check.percent("city.background_percent", *background_percent);
        check.count("city.hot_spots", hot_spots.len(), MAX_ENTRIES);
        for (index, spot) in hot_spots.iter().enumerate() {
            let key = |name: &str| format!("city.hot_spots[{index}].{name}");
            check.number(&key("north_km"), spot.north_km, -100.0, 100.0);
            check.number(&key("east_km"), spot.east_km, -100.0, 100.0);
            check.number(&key("spread_km"), spot.spread_km, 0.0, 100.0);
            check.number(&key("weight"), spot.weight, 0.001, 1e6);
        }
        let Traffic { speed_kmh, estimated_kmh, detour, by_hour, trip_sigma } = &self.traffic;
        check.number("traffic.speed_kmh", *speed_kmh, 1.0, 200.0);
        check.number("traffic.estimated_kmh", estimated_kmh.unwrap_or(*speed_kmh), 1.0, 200.0);
        check.number("traffic.detour", *detour, 1.0, 5.0);
        by_hour.iter().for_each(|factor| check.number("traffic.by_hour", *factor, 0.1, 5.0));
        check.number("traffic.trip_sigma", *trip_sigma, 0.0, 1.0);
    }

    fn check_demand(&self, check: &mut Check) {
        let demand = &self.demand;
        demand.by_hour.iter().for_each(|weight| check.number("demand.by_hour", *weight, 0.001, 1e6));
        check.percent("demand.highway_percent", demand.highway_percent);
        check.percent("demand.accident_percent", demand.accident_percent);
        let urgent = demand.highway_percent + demand.accident_percent;
        check.need(urgent <= 100.0, "demand.highway_percent and accident_percent exceed 100".to_owned());
        shares(check, "demand.vehicles", demand.vehicles.iter().map(|vehicles| vehicles.percent));
        for (index, vehicles) in demand.vehicles.iter().enumerate() {
            check.vehicle_type(&format!("demand.vehicles[{index}].vehicle_type"), &vehicles.vehicle_type);
        }
        shares(check, "categories", self.categories.iter().map(|category| category.percent));
        for (index, category) in self.categories.iter().enumerate() {
            let key = |name: &str| format!("categories[{index}].{name}");
            check.text(&key("name"), &category.name);
            check.number(&key("minutes"), category.minutes, 0.1, 600.0);
            check.number(&key("sigma"), category.sigma, 0.0, 2.0);
            check.number(&key("tow_km"), category.tow_km, 0.0, 100.0);
        }
    }

    fn check_customers(&self, check: &mut Check) {
        let customers = &self.customers;
        check.number("customers.patience_min", customers.patience_min, 0.1, 1440.0);
        check.number("customers.arrival_patience_min", customers.arrival_patience_min, 0.1, 1440.0);
        check.number("customers.patience_sigma", customers.patience_sigma, 0.0, 2.0);
        check.percent("customers.retry_percent", customers.retry_percent);
        check.number("customers.retry_after_s", customers.retry_after_s, 1.0, 3600.0);
    }

    fn check_mechanics(&self, check: &mut Check) {
        shares(check, "crews", self.crews.iter().map(|crew| crew.percent));
        for (index, crew) in self.crews.iter().enumerate() {
            let key = |name: &str| format!("crews[{index}].{name}");
            check.text(&key("name"), &crew.name);
            check.count(&key("categories"), crew.categories.len(), MAX_ENTRIES);
            for name in &crew.categories {
                let is_known = self.categories.iter().any(|category| category.name == *name);
                check.need(is_known, format!("{}: {name} is none of the categories", key("categories")));
            }
            check.vehicle_types(&key("vehicle_types"), &crew.vehicle_types);
        }
        check.count("shifts", self.shifts.len(), MAX_ENTRIES);
        for (index, shift) in self.shifts.iter().enumerate() {
            let key = |name: &str| format!("shifts[{index}].{name}");
            check.number(&key("from_hour"), shift.from_hour, 0.0, MAX_HOURS);
            check.number(&key("hours"), shift.hours, 0.1, MAX_HOURS);
            check.number(&key("weight"), shift.weight, 0.001, 1e6);
        }
    }

    fn check_behaviour(&self, check: &mut Check) {
        let (behaviour, phones) = (&self.behaviour, &self.phones);
        check.span("behaviour.accept", behaviour.accept, 0.0, 1.0);
        check.number("behaviour.accept_loss_per_km", behaviour.accept_loss_per_km, 0.0, 1.0);
        check.percent("behaviour.ignore_percent", behaviour.ignore_percent);
        check.number("behaviour.reaction_s", behaviour.reaction_s, 0.1, 600.0);
        check.number("behaviour.reaction_sigma", behaviour.reaction_sigma, 0.0, 2.0);
        check.span("behaviour.radius_km", behaviour.radius_km, 0.5, 100.0);
        check.percent("behaviour.release_percent", behaviour.release_percent);
        check.number("behaviour.break_min", behaviour.break_min, 0.0, 1440.0);
        check.percent("behaviour.cruise_percent", behaviour.cruise_percent);
        check.number("phones.fast_interval_s", f64::from(phones.fast_interval_s), 1.0, 55.0);
        check.number("phones.slow_interval_s", f64::from(phones.slow_interval_s), 1.0, 55.0);
        check.number("phones.dark_percent", phones.dark_percent, 0.0, 50.0);
        check.number("phones.dark_min", phones.dark_min, 0.1, 600.0);
    }
}

/// Checks that the percentages add up to everything.
fn shares(check: &mut Check, key: &str, percents: impl ExactSizeIterator<Item = f64> + Clone) {
    check.count(key, percents.len(), MAX_ENTRIES);
    percents.clone().for_each(|percent| check.percent(key, percent));
    check.hundred(key, percents);
}

/// Returns the vehicle type of a crew, or of a share of demand; a checked scenario names no other.
pub fn vehicle_type(name: &str) -> VehicleType {
    VehicleType::parse(name).expect("a checked scenario names only known vehicle types")
}
