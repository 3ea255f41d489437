//! The scenario file: a city to play, as TOML. Reading is pure; whatever can't be played is refused with its key.

use std::{
    collections::{BTreeMap, HashSet},
    path::{Path, PathBuf},
};

use roadcall_actors::geo::Point;
use serde::Deserialize;

/// The scenario that is played when no file is named.
pub const BENGALURU: &str = include_str!("../../demo/bengaluru.toml");

/// Scaled speeds stay below what the service takes for spoofed (`dispatch.max_speed_kmh`, 180).
const MAX_SCALED_KMH: f64 = 170.0;
const MAX_MECHANICS: usize = 200;
const MAX_CUSTOMERS: usize = 500;
const MAX_PLACES: usize = 500;
const VEHICLE_TYPES: [&str; 4] = ["two_wheeler", "three_wheeler", "four_wheeler", "commercial"];
/// A larger file is none that a person wrote.
const MAX_FILE_BYTES: u64 = 1_048_576;

/// A city to play. The comments of `demo/bengaluru.toml` tell what each key means.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    pub title: String,
    pub seed: u64,
    pub time_scale: f64,
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
    pub spread_m: f64,
    /// Percent by the slug of the category.
    pub mix_percent: BTreeMap<String, f64>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Customers {
    pub names: Vec<String>,
    pub vehicle_types: Vec<String>,
    pub cancel_share: f64,
    /// Seconds, least and most.
    pub cancel_after_s: [f64; 2],
    pub patience_s: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// Seconds, least and most.
    pub think_s: [f64; 2],
    /// Seconds, least and most.
    pub repair_s: [f64; 2],
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Money {
    /// Seconds, least and most.
    pub pay_after_s: [f64; 2],
    pub cash_share: f64,
    pub failed_share: f64,
    pub fee_share: f64,
    pub item_share: f64,
    /// Seconds, least and most.
    pub wallet_every_s: [f64; 2],
    /// Rupees.
    pub withdraw_from: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MechanicSpec {
    pub name: String,
    /// The name of a place.
    pub home: String,
    pub radius_km: f64,
    pub vehicle_types: Vec<String>,
    /// Slugs; left out, every category there is.
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

impl Place {
    pub fn point(&self) -> Point {
        Point::new(self.lat, self.lng)
    }
}

/// Why a scenario can't be played.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    #[error("the scenario {path}: {why}")]
    Unreadable { path: PathBuf, why: String },
    #[error("the scenario: {0}")]
    Toml(#[from] toml::de::Error),
    #[error("the scenario: {}", .0.join("; "))]
    Impossible(Vec<String>),
}

impl Scenario {
    /// Reads the file, or the city that is compiled in.
    pub fn load(file: Option<&Path>) -> Result<Self, ScenarioError> {
        let Some(path) = file else { return Self::parse(BENGALURU) };
        let unreadable = |why: String| ScenarioError::Unreadable { path: path.to_owned(), why };
        let size = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.len();
        if size > MAX_FILE_BYTES {
            return Err(unreadable(format!("has more than {MAX_FILE_BYTES} bytes")));
        }
        Self::parse(&std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?)
    }

    /// Reads and checks; every fault is named by its key.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        let scenario: Scenario = toml::from_str(text)?;
        let faults = scenario.faults();
        if faults.is_empty() { Ok(scenario) } else { Err(ScenarioError::Impossible(faults)) }
    }

    pub fn place(&self, name: &str) -> Option<&Place> {
        self.places.iter().find(|place| place.name == name)
    }

    /// Metres a second on the demo's roads.
    pub fn speed_mps(&self, mechanic: &MechanicSpec) -> f64 {
        mechanic.speed_kmh * self.time_scale / 3.6
    }

    fn faults(&self) -> Vec<String> {
        let mut check = Check::default();
        check.text("title", &self.title);
        check.number("time_scale", self.time_scale, 0.1, 100.0);
        self.check_places(&mut check);
        self.check_demand(&mut check);
        self.check_customers(&mut check);
        check.span("work.think_s", self.work.think_s, 3600.0);
        check.span("work.repair_s", self.work.repair_s, 3600.0);
        self.check_money(&mut check);
        check.count("mechanics", self.mechanics.len(), MAX_MECHANICS);
        for (index, mechanic) in self.mechanics.iter().enumerate() {
            self.check_mechanic(&format!("mechanics[{index}]"), mechanic, &mut check);
        }
        check.faults
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
        check.number("demand.spread_m", self.demand.spread_m, 0.0, 20_000.0);
        for (slug, percent) in &self.demand.mix_percent {
            check.number(&format!("demand.mix_percent.{slug}"), *percent, 0.0, 100.0);
        }
        let sum: f64 = self.demand.mix_percent.values().sum();
        check.need((sum - 100.0).abs() < 0.01, format!("demand.mix_percent must add up to 100, not {sum}"));
    }

    fn check_customers(&self, check: &mut Check) {
        let customers = &self.customers;
        check.count("customers.names", customers.names.len(), MAX_CUSTOMERS);
        for (index, name) in customers.names.iter().enumerate() {
            check.text(&format!("customers.names[{index}]"), name);
        }
        check.vehicle_types("customers.vehicle_types", &customers.vehicle_types);
        check.number("customers.cancel_share", customers.cancel_share, 0.0, 1.0);
        check.span("customers.cancel_after_s", customers.cancel_after_s, 3600.0);
        check.number("customers.patience_s", customers.patience_s, 1.0, 86_400.0);
    }

    fn check_money(&self, check: &mut Check) {
        let money = &self.money;
        check.span("money.pay_after_s", money.pay_after_s, 60.0);
        check.span("money.wallet_every_s", money.wallet_every_s, 3600.0);
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
        check.number(&format!("{key}.speed_kmh"), mechanic.speed_kmh, 1.0, MAX_SCALED_KMH);
        check.need(
            mechanic.speed_kmh * self.time_scale <= MAX_SCALED_KMH,
            format!("{key}.speed_kmh times time_scale must stay within {MAX_SCALED_KMH} km/h: faster moves count as spoofed"),
        );
    }
}

/// Collects what is wrong, so that all of it is told at once.
#[derive(Debug, Default)]
struct Check {
    faults: Vec<String>,
}

impl Check {
    fn need(&mut self, holds: bool, fault: String) {
        if !holds {
            self.faults.push(fault);
        }
    }

    /// NaN is within no bounds.
    fn number(&mut self, key: &str, value: f64, least: f64, most: f64) {
        self.need((least..=most).contains(&value), format!("{key} must be {least} to {most}, not {value}"));
    }

    fn span(&mut self, key: &str, [least, most]: [f64; 2], limit: f64) {
        let holds = least >= 0.0 && least <= most && most <= limit;
        self.need(holds, format!("{key} must be [least, most] within 0 to {limit}, not [{least}, {most}]"));
    }

    fn count(&mut self, key: &str, count: usize, most: usize) {
        self.need((1..=most).contains(&count), format!("{key} must have 1 to {most} entries, not {count}"));
    }

    fn text(&mut self, key: &str, text: &str) {
        let holds = (1..=60).contains(&text.chars().count()) && !text.chars().any(char::is_control);
        self.need(holds, format!("{key} must have 1 to 60 characters"));
    }

    fn vehicle_types(&mut self, key: &str, types: &[String]) {
        self.count(key, types.len(), VEHICLE_TYPES.len());
        for name in types.iter().filter(|name| !VEHICLE_TYPES.contains(&name.as_str())) {
            self.faults.push(format!("{key}: {name} is none of {}", VEHICLE_TYPES.join(", ")));
        }
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

    #[test]
    fn what_can_not_be_played_is_refused_with_its_key() {
        let cases = [
            ("seed = 560001", "seed = 560001\nspeed = 3", "unknown field `speed`"),
            ("seed = 560001", "", "missing field `seed`"),
            ("seed = 560001", "seed = \"x\"", "invalid type"),
            ("time_scale = 6.0", "time_scale = nan", "time_scale must be"),
            ("time_scale = 6.0", "time_scale = 12.0", "mechanics[0].speed_kmh times time_scale"),
            ("spread_m = 600.0", "spread_m = -1.0", "demand.spread_m must be"),
            ("towing = 41.0", "towing = 40.0", "demand.mix_percent must add up to 100"),
            ("towing = 41.0", "towing = -41.0", "demand.mix_percent.towing must be"),
            ("cancel_share = 0.08", "cancel_share = 1.1", "customers.cancel_share must be 0 to 1"),
            ("cancel_after_s = [3.0, 45.0]", "cancel_after_s = [50.0, 45.0]", "customers.cancel_after_s"),
            ("cash_share = 0.25", "cash_share = 1.25", "money.cash_share must be 0 to 1"),
            ("pay_after_s = [1.0, 4.0]", "pay_after_s = [1.0, 400.0]", "money.pay_after_s must be"),
            ("home = \"Indiranagar\"", "home = \"Indranagar\"", "mechanics[0].home: Indranagar is none"),
            ("accept_share = 0.95", "accept_share = 1.5", "mechanics[0].accept_share must be 0 to 1"),
            ("ignore_share = 0.0", "ignore_share = 0.1", "mechanics[0].accept_share and ignore_share"),
            ("radius_km = 8.0", "radius_km = 0.5", "mechanics[0].radius_km must be 1 to 100"),
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
    fn every_fault_is_told_at_once() {
        let spoilt =
            BENGALURU.replace("lat = 12.9755", "lat = 91.0").replace("spread_m = 600.0", "spread_m = -1.0");
        let why = Scenario::parse(&spoilt).expect_err("two faults").to_string();
        assert!(why.contains("places[0].lat") && why.contains("demand.spread_m"), "{why}");
    }
}
