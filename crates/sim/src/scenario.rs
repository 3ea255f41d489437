//! Scenario files in TOML. A file that can't be used is refused, with the faulty keys.

use roadcall_actors::vehicle::VehicleType;
use serde::de::DeserializeOwned;

/// A larger file was not written by a person.
const MAX_FILE_BYTES: u64 = 1_048_576;

/// A scenario that is read from a file.
pub trait ScenarioFile: DeserializeOwned {
    /// Names of the scenarios that are compiled in, with their text.
    const BUILT_IN: &[(&str, &str)];

    /// Reports every value that can't be used.
    fn check(&self, check: &mut Check);

    /// Loads a built-in scenario, or a file.
    fn load(name: &str) -> Result<Self, ScenarioError> {
        match Self::BUILT_IN.iter().find(|(built_in, _)| *built_in == name) {
            Some((_, text)) => Self::parse(text),
            None => Self::parse(&read_file(name).map_err(|why| ScenarioError::Unreadable {
                name: name.to_owned(),
                why,
                built_in: Self::BUILT_IN.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "),
            })?),
        }
    }

    /// Reads and checks a scenario. One with `like = "NAME"` takes everything that it does not set itself from the built-in
    /// scenario of that name.
    fn parse(text: &str) -> Result<Self, ScenarioError> {
        // A scenario without `like` is read from its text, whose lines an error can name.
        let scenario: Self = match completed(text, Self::BUILT_IN)? {
            Some(all) => all.try_into()?,
            None => toml::from_str(text)?,
        };
        let mut check = Check::default();
        scenario.check(&mut check);
        if check.faults.is_empty() { Ok(scenario) } else { Err(ScenarioError::Invalid(check.faults)) }
    }
}

/// The reason why a scenario can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    #[error("--scenario {name}: {why}; built in: {built_in}")]
    Unreadable { name: String, why: String, built_in: String },
    #[error("the scenario: like must name one that is built in, and {0} is none")]
    UnlikeAny(String),
    #[error("the scenario: {0}")]
    Toml(#[from] toml::de::Error),
    #[error("the scenario: {}", .0.join("; "))]
    Invalid(Vec<String>),
}

/// Completes the text with the scenario that it is like; returns `None` if it is like no other.
fn completed(text: &str, built_in: &[(&str, &str)]) -> Result<Option<toml::Table>, ScenarioError> {
    let mut table: toml::Table = toml::from_str(text)?;
    let Some(like) = table.remove("like") else { return Ok(None) };
    let like = like.as_str().unwrap_or_default();
    let base = built_in.iter().find(|(name, _)| *name == like);
    let (_, base) = base.ok_or_else(|| ScenarioError::UnlikeAny(like.to_owned()))?;
    let mut all = match completed(base, built_in)? {
        Some(all) => all,
        None => toml::from_str(base)?,
    };
    overlay(&mut all, table);
    Ok(Some(all))
}

/// Merges tables; replaces anything else, lists included.
fn overlay(all: &mut toml::Table, over: toml::Table) {
    for (key, value) in over {
        match (all.get_mut(&key), value) {
            (Some(toml::Value::Table(all)), toml::Value::Table(over)) => overlay(all, over),
            (_, value) => drop(all.insert(key, value)),
        }
    }
}

fn read_file(path: &str) -> Result<String, String> {
    let size = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > MAX_FILE_BYTES {
        return Err(format!("has more than {MAX_FILE_BYTES} bytes"));
    }
    std::fs::read_to_string(path).map_err(|error| error.to_string())
}

/// Collects all faults, so that a person sees them at once.
#[derive(Debug, Default)]
pub struct Check {
    faults: Vec<String>,
}

impl Check {
    pub fn need(&mut self, holds: bool, fault: String) {
        if !holds {
            self.faults.push(fault);
        }
    }

    /// Checks the bounds of a number; NaN is within no bounds.
    pub fn number(&mut self, key: &str, value: f64, least: f64, most: f64) {
        self.need((least..=most).contains(&value), format!("{key} must be {least} to {most}, not {value}"));
    }

    pub fn percent(&mut self, key: &str, value: f64) {
        self.number(key, value, 0.0, 100.0);
    }

    pub fn span(&mut self, key: &str, [from, to]: [f64; 2], least: f64, most: f64) {
        let holds = least <= from && from <= to && to <= most;
        self.need(holds, format!("{key} must be [least, most] within {least} to {most}, not [{from}, {to}]"));
    }

    pub fn count(&mut self, key: &str, count: usize, most: usize) {
        self.need((1..=most).contains(&count), format!("{key} must have 1 to {most} entries, not {count}"));
    }

    pub fn hundred(&mut self, key: &str, percents: impl Iterator<Item = f64>) {
        let sum: f64 = percents.sum();
        self.need((sum - 100.0).abs() < 0.01, format!("the percents of {key} must add up to 100, not {sum}"));
    }

    pub fn text(&mut self, key: &str, text: &str) {
        let holds = (1..=60).contains(&text.chars().count()) && !text.chars().any(char::is_control);
        self.need(holds, format!("{key} must have 1 to 60 characters"));
    }

    pub fn vehicle_types(&mut self, key: &str, names: &[String]) {
        self.count(key, names.len(), VehicleType::ALL.len());
        names.iter().for_each(|name| self.vehicle_type(key, name));
    }

    pub fn vehicle_type(&mut self, key: &str, name: &str) {
        let names = VehicleType::ALL.map(VehicleType::as_str);
        self.need(names.contains(&name), format!("{key}: {name} is none of {}", names.join(", ")));
    }
}
