//! The scenario file: a city to play. The comments in `demo/bengaluru.toml` explain each key.

use std::collections::{BTreeMap, HashSet};

use chrono::TimeDelta;
use roadcall_actors::geo::Point;
use serde::Deserialize;

use crate::{
    city,
    scenario::{Check, ScenarioFile},
};

/// The scenario that is built in.
pub const BENGALURU: &str = include_str!("../../../../demo/bengaluru.toml");

/// The greatest speed, below the one that the service considers spoofed (`dispatch.max_speed_kmh`, 180).
const MAX_SPEED_KMH: f64 = 170.0;
const MAX_MECHANICS: usize = 200;
const MAX_CUSTOMERS: usize = 500;
const MAX_PLACES: usize = 500;
/// The greatest latitude, because a city must not reach a pole.
const MAX_LAT: f64 = 80.0;
/// The seconds of a twelfth of an hour.
const TWELFTH_S: i64 = 300;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    pub title: String,
    pub seed: u64,
    pub demand: Demand,
    pub customers: Customers,
    pub work: Work,
    pub money: Money,
    pub mechanics: Vec<MechanicSpec>,
    pub places: Vec<Place>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Demand {
    pub jobs_per_minute: f64,
    /// The shares of that rate for each twelfth of an hour; if empty, always all of it.
    #[serde(default)]
    pub course: Vec<f64>,
    /// The greatest share of the online mechanics that may be busy when people call; without it, people call however few are
    /// free.
    pub most_busy_share: Option<f64>,
    pub spread_m: f64,
    /// The percentage by the slug of the category.
    pub mix_percent: BTreeMap<String, f64>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Customers {
    pub names: Vec<String>,
    pub vehicle_types: Vec<String>,
    pub cancel_share: f64,
    /// The bounds in seconds.
    pub cancel_after_s: [f64; 2],
    pub patience_s: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// The bounds in seconds.
    pub think_s: [f64; 2],
    /// The bounds in seconds.
    pub repair_s: [f64; 2],
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Money {
    /// The bounds in seconds.
    pub pay_after_s: [f64; 2],
    pub cash_share: f64,
    pub failed_share: f64,
    pub fee_share: f64,
    pub item_share: f64,
    /// The bounds in seconds.
    pub wallet_every_s: [f64; 2],
    /// The amount in rupees.
    pub withdraw_from: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MechanicSpec {
    pub name: String,
    /// The name of the place where they live.
    pub home: String,
    pub radius_km: f64,
    pub vehicle_types: Vec<String>,
    /// The slugs of their categories; every category if left out.
    pub categories: Option<Vec<String>>,
    pub accept_share: f64,
    pub ignore_share: f64,
    pub speed_kmh: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    pub name: String,
    pub lat: f64,
    pub lng: f64,
}

impl Demand {
    /// Returns how many calls a minute come this long after the beginning.
    pub fn rate(&self, elapsed: TimeDelta) -> f64 {
        let twelfth = elapsed.num_seconds().rem_euclid(3600) / TWELFTH_S;
        let share = usize::try_from(twelfth).ok().and_then(|twelfth| self.course.get(twelfth));
        self.jobs_per_minute * share.copied().unwrap_or(1.0)
    }

    /// Returns whether the mechanics who are online can serve one more job while so many jobs have, or want, a mechanic.
    pub fn can_be_served(&self, jobs: usize, online: usize) -> bool {
        self.most_busy_share.is_none_or(|share| (jobs + 1) as f64 <= online as f64 * share)
    }
}

impl Place {
    pub fn point(&self) -> Point {
        Point::new(self.lat, self.lng)
    }
}

impl ScenarioFile for Scenario {
    const BUILT_IN: &[(&str, &str)] = &[("bengaluru", BENGALURU)];

    fn check(&self, check: &mut Check) {
        check.text("title", &self.title);
        self.check_places(check);
        self.check_demand(check);
        self.check_customers(check);
        check.span("work.think_s", self.work.think_s, 0.0, 3600.0);
        check.span("work.repair_s", self.work.repair_s, 0.0, 3600.0);
        self.check_money(check);
        check.count("mechanics", self.mechanics.len(), MAX_MECHANICS);
        for (index, mechanic) in self.mechanics.iter().enumerate() {
            self.check_mechanic(&format!("mechanics[{index}]"), mechanic, check);
        }
    }
}

impl Scenario {
    pub fn place(&self, name: &str) -> Option<&Place> {
        self.places.iter().find(|place| place.name == name)
    }

    /// Returns the middle of the city's places. They may be on both sides of the date line.
    pub fn centre(&self) -> Point {
        let Some(first) = self.places.first() else { return Point::new(0.0, 0.0) };
        let many = self.places.len() as f64;
        let lat = self.places.iter().map(|place| place.lat).sum::<f64>() / many;
        let east = self.places.iter().map(|place| city::wrapped(place.lng - first.lng)).sum::<f64>() / many;
        Point::new(lat, city::wrapped(first.lng + east))
    }

    /// Returns the point nearest to this one around which a city can play.
    pub fn nearest(point: Point) -> Point {
        Point::new(point.lat.clamp(-MAX_LAT, MAX_LAT), point.lng)
    }

    /// Returns the same city around another point. Its places lose their names, which are only true of one city.
    pub fn around(&self, point: Point) -> Self {
        let (from, to) = (self.centre(), Self::nearest(point));
        let name = |index: usize| format!("Quarter {}", index + 1);
        let mut moved = self.clone();
        for (index, place) in moved.places.iter_mut().enumerate() {
            let (north_m, east_m) = city::offset_of(from, place.point());
            let at = city::offset(to, north_m, east_m);
            *place = Place { name: name(index), lat: at.lat, lng: at.lng };
        }
        for mechanic in &mut moved.mechanics {
            let home = self.places.iter().position(|place| place.name == mechanic.home);
            mechanic.home = home.map_or_else(|| mechanic.home.clone(), name);
        }
        moved
    }

    fn check_places(&self, check: &mut Check) {
        check.count("places", self.places.len(), MAX_PLACES);
        let mut names = HashSet::new();
        for (index, place) in self.places.iter().enumerate() {
            let key = format!("places[{index}]");
            check.text(&format!("{key}.name"), &place.name);
            check.need(names.insert(&place.name), format!("{key}.name: there are two {}", place.name));
            check.number(&format!("{key}.lat"), place.lat, -85.0, 85.0);
            check.number(&format!("{key}.lng"), place.lng, -180.0, 180.0);
        }
    }

    fn check_demand(&self, check: &mut Check) {
        check.number("demand.jobs_per_minute", self.demand.jobs_per_minute, 0.1, 600.0);
        let course = &self.demand.course;
        check.need(matches!(course.len(), 0 | 12), "demand.course must have 12 entries".to_owned());
        for (index, share) in course.iter().enumerate() {
            check.number(&format!("demand.course[{index}]"), *share, 0.05, 1.0);
        }
        if let Some(share) = self.demand.most_busy_share {
            check.number("demand.most_busy_share", share, 0.05, 1.0);
        }
        check.number("demand.spread_m", self.demand.spread_m, 0.0, 20_000.0);
        for (slug, percent) in &self.demand.mix_percent {
            check.percent(&format!("demand.mix_percent.{slug}"), *percent);
        }
        check.hundred("demand.mix_percent", self.demand.mix_percent.values().copied());
    }

    fn check_customers(&self, check: &mut Check) {
        let customers = &self.customers;
        check.count("customers.names", customers.names.len(), MAX_CUSTOMERS);
        for (index, name) in customers.names.iter().enumerate() {
            check.text(&format!("customers.names[{index}]"), name);
        }
        check.vehicle_types("customers.vehicle_types", &customers.vehicle_types);
        check.number("customers.cancel_share", customers.cancel_share, 0.0, 1.0);
        check.span("customers.cancel_after_s", customers.cancel_after_s, 0.0, 3600.0);
        check.number("customers.patience_s", customers.patience_s, 1.0, 86_400.0);
    }

    fn check_money(&self, check: &mut Check) {
        let money = &self.money;
        check.span("money.pay_after_s", money.pay_after_s, 0.0, 60.0);
        check.span("money.wallet_every_s", money.wallet_every_s, 0.0, 3600.0);
        check.number("money.withdraw_from", money.withdraw_from, 1.0, 100_000.0);
        let shares = [
            ("cash_share", money.cash_share),
            ("failed_share", money.failed_share),
            ("fee_share", money.fee_share),
            ("item_share", money.item_share),
        ];
        for (key, share) in shares {
            check.number(&format!("money.{key}"), share, 0.0, 1.0);
        }
    }

    fn check_mechanic(&self, key: &str, mechanic: &MechanicSpec, check: &mut Check) {
        check.text(&format!("{key}.name"), &mechanic.name);
        check.need(
            self.place(&mechanic.home).is_some(),
            format!("{key}.home: {} is none of the places", mechanic.home),
        );
        check.number(&format!("{key}.radius_km"), mechanic.radius_km, 1.0, 100.0);
        check.vehicle_types(&format!("{key}.vehicle_types"), &mechanic.vehicle_types);
        let named_none = mechanic.categories.as_ref().is_some_and(Vec::is_empty);
        check.need(!named_none, format!("{key}.categories must not be empty; leave it out for all"));
        check.number(&format!("{key}.accept_share"), mechanic.accept_share, 0.0, 1.0);
        check.number(&format!("{key}.ignore_share"), mechanic.ignore_share, 0.0, 1.0);
        check.need(
            mechanic.accept_share + mechanic.ignore_share <= 1.0 + 1e-9,
            format!("{key}.accept_share and ignore_share must not exceed 1 together"),
        );
        check.number(&format!("{key}.speed_kmh"), mechanic.speed_kmh, 1.0, MAX_SPEED_KMH);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_city_that_is_compiled_in_can_be_played() {
        let scenario = Scenario::parse(BENGALURU).expect("sound");
        assert!(scenario.places.len() >= 20);
        let centre = Point::new(12.9716, 77.5946);
        for place in &scenario.places {
            assert!(place.point().distance_m(centre) < 10_000.0, "{} is not in the city", place.name);
        }
    }

    /// Shows that mechanics drive at the speed of the service's own estimate, as long as it has learned nothing: the service and
    /// the city have the same clock.
    #[test]
    fn the_city_that_is_compiled_in_is_played_in_real_time() {
        let scenario = Scenario::parse(BENGALURU).expect("sound");
        let mean = scenario.mechanics.iter().map(|mechanic| mechanic.speed_kmh).sum::<f64>()
            / scenario.mechanics.len() as f64;
        assert!(
            (24.0 / 1.35 - mean).abs() < 1.0,
            "{mean} km/h as the crow flies, where 24 km/h and detours of 1.35 are estimated"
        );
        let customers = &scenario.customers;
        assert!(customers.names.len() > 20 && customers.patience_s >= 600.0, "people's patience");
    }

    #[test]
    fn the_city_can_be_played_around_any_point() {
        let scenario = Scenario::parse(BENGALURU).expect("sound");
        for point in [Point::new(52.52, 13.4), Point::new(-17.0, 179.99), Point::new(89.9, 0.0)] {
            let moved = scenario.around(point);
            let middle = Point::new(point.lat.min(80.0), point.lng);
            for (was, is) in scenario.places.iter().zip(&moved.places) {
                let (before, after) =
                    (was.point().distance_m(scenario.centre()), is.point().distance_m(middle));
                assert!((before - after).abs() < before * 0.02 + 1.0, "{before} and {after} m: {is:?}");
            }
            assert!(moved.centre().distance_m(middle) < 100.0, "{:?}", moved.centre());
            let mut check = Check::default();
            moved.check(&mut check);
            let text = format!("{check:?}");
            assert_eq!(text, format!("{:?}", Check::default()), "everybody has a home");
            assert!(moved.places.iter().all(|place| place.name.starts_with("Quarter ")));
        }
    }

    #[test]
    fn a_city_on_both_sides_of_the_date_line_has_its_middle_there() {
        let mut scenario = Scenario::parse(BENGALURU).expect("sound");
        let place = |name: &str, lng| Place { name: name.to_owned(), lat: -17.0, lng };
        scenario.places = vec![place("West", 179.9), place("East", -179.8), place("Far east", -179.8)];
        let centre = scenario.centre();
        assert!(centre.distance_m(Point::new(-17.0, -179.9)) < 1.0, "{centre:?}");
        let moved = scenario.around(Point::new(52.52, 13.4));
        assert!(moved.centre().distance_m(Point::new(52.52, 13.4)) < 1.0, "{:?}", moved.places);
    }

    #[test]
    fn an_unplayable_scenario_is_refused_with_its_key() {
        let cases = [
            ("seed = 560001", "seed = 560001\nspeed = 3", "unknown field `speed`"),
            ("seed = 560001", "", "missing field `seed`"),
            ("seed = 560001", "seed = \"x\"", "invalid type"),
            ("speed_kmh = 18.0", "speed_kmh = nan", "mechanics[0].speed_kmh must be"),
            ("speed_kmh = 18.0", "speed_kmh = 180.0", "mechanics[0].speed_kmh must be"),
            ("spread_m = 400.0", "spread_m = -1.0", "demand.spread_m must be"),
            ("course = [0.5, 0.6,", "course = [0.5,", "demand.course must have 12 entries"),
            ("course = [0.5, 0.6,", "course = [0.5, 0.0,", "demand.course[1] must be"),
            ("most_busy_share = 0.7", "most_busy_share = 7.0", "demand.most_busy_share must be"),
            ("towing = 41.0", "towing = 40.0", "demand.mix_percent must add up to 100"),
            ("towing = 41.0", "towing = -41.0", "demand.mix_percent.towing must be"),
            ("cancel_share = 0.08", "cancel_share = 1.1", "customers.cancel_share must be 0 to 1"),
            ("cancel_after_s = [10.0, 120.0]", "cancel_after_s = [150.0, 120.0]", "customers.cancel_after_s"),
            ("cash_share = 0.25", "cash_share = 1.25", "money.cash_share must be 0 to 1"),
            ("pay_after_s = [5.0, 20.0]", "pay_after_s = [5.0, 400.0]", "money.pay_after_s must be"),
            ("home = \"Halasuru\"", "home = \"Halsuru\"", "mechanics[0].home: Halsuru is none"),
            ("accept_share = 0.95", "accept_share = 1.5", "mechanics[0].accept_share must be 0 to 1"),
            ("ignore_share = 0.0", "ignore_share = 0.1", "mechanics[0].accept_share and ignore_share"),
            ("radius_km = 4.0", "radius_km = 0.5", "mechanics[0].radius_km must be 1 to 100"),
            (
                "\"two_wheeler\", \"four_wheeler\"]",
                "\"bicycle\"]",
                "customers.vehicle_types: bicycle is none",
            ),
            ("categories = [\"towing\"]", "categories = []", "mechanics[5].categories must not be empty"),
            ("lat = 12.9755", "lat = 129.755", "places[0].lat must be"),
            ("lng = 77.6068", "lng = 776.068", "places[0].lng must be"),
            ("name = \"Cubbon Park\"", "name = \"MG Road\"", "places[1].name: there are two MG Road"),
            ("title = \"Bengaluru, a weekday evening\"", "title = \"\"", "title must have 1 to 60"),
        ];
        for (from, to, named) in cases {
            assert!(BENGALURU.contains(from), "{from}");
            let why = Scenario::parse(&BENGALURU.replacen(from, to, 1)).expect_err(to).to_string();
            assert!(why.contains(named), "{to}: {why}");
        }
    }

    #[test]
    fn every_fault_is_shown_at_once() {
        let spoilt =
            BENGALURU.replace("lat = 12.9755", "lat = 91.0").replace("spread_m = 400.0", "spread_m = -1.0");
        let why = Scenario::parse(&spoilt).expect_err("two faults").to_string();
        assert!(why.contains("places[0].lat") && why.contains("demand.spread_m"), "{why}");
    }
}
