//! The file that `roadcall recording export` writes. A file that can't be used is refused, with the name of the faulty field.

use std::{collections::BTreeSet, path::Path};

use roadcall_actors::{job::state::Urgency, vehicle::VehicleType};
use serde::Deserialize;

use super::super::scenario::{MAX_HOURS, MAX_JOBS, MAX_MECHANICS};

const FORMAT: &str = "roadcall-recording";
const VERSION: u32 = 1;
/// The size limit: a hundred thousand jobs with ten answers each take about 150 MB.
const MAX_FILE_BYTES: u64 = 256 * 1024 * 1024;
const MAX_CATEGORIES: usize = 1_000;
const MAX_SPANS: usize = 100;
const MAX_ANSWERS: usize = 1_000_000;
/// Thirty days: jobs that began in the stretch may end after it.
const MAX_OFF_S: f64 = 2_592_000.0;

/// A stretch of a service's log. Times are seconds since its beginning, places are in degrees.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    pub format: String,
    pub version: u32,
    pub date: Option<String>,
    pub weekday: Weekday,
    pub start_hour: f64,
    pub hours: f64,
    pub categories: Vec<Category>,
    pub mechanics: Vec<Mechanic>,
    pub jobs: Vec<Job>,
    pub answers: Vec<Answer>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weekday {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Category {
    pub slug: String,
    /// The median of the minutes of work on site.
    pub minutes: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mechanic {
    pub radius_km: f64,
    pub vehicle_types: Vec<String>,
    /// The places in the list of categories.
    pub categories: Vec<usize>,
    /// The spans in order; they do not overlap.
    pub online: Vec<Span>,
    pub last: Option<Place>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Span {
    pub from_s: f64,
    pub to_s: f64,
    pub place: Option<Place>,
    /// The distance from that place in metres, in an unknown direction.
    pub off_m: f64,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    pub lat: f64,
    pub lng: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    pub at_s: f64,
    pub pickup: Place,
    pub category: usize,
    pub vehicle_type: String,
    pub urgency: String,
    pub mechanic: Option<usize>,
    pub accepted_s: Option<f64>,
    pub en_route_s: Option<f64>,
    pub arrived_s: Option<f64>,
    pub started_s: Option<f64>,
    pub completed_s: Option<f64>,
    pub cancelled_s: Option<f64>,
    pub cancelled_by: Option<Side>,
    pub work_s: Option<f64>,
    pub ends: Option<Place>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    Customer,
    Mechanic,
    Admin,
    System,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    pub mechanic: usize,
    pub job: usize,
    pub nth: u32,
    pub distance_m: f64,
    pub answer: Given,
    pub reaction_s: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Given {
    Accepted,
    Declined,
    Expired,
}

impl Weekday {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Monday => "Monday",
            Self::Tuesday => "Tuesday",
            Self::Wednesday => "Wednesday",
            Self::Thursday => "Thursday",
            Self::Friday => "Friday",
            Self::Saturday => "Saturday",
            Self::Sunday => "Sunday",
        }
    }
}

impl Recording {
    pub fn load(path: &Path) -> Result<Self, String> {
        let size = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
        if size > MAX_FILE_BYTES {
            return Err(format!("has more than {MAX_FILE_BYTES} bytes"));
        }
        Self::parse(&std::fs::read_to_string(path).map_err(|error| error.to_string())?)
    }

    pub fn parse(text: &str) -> Result<Self, String> {
        let recording: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        recording.check()?;
        Ok(recording)
    }

    /// Reports the first value that can't be used.
    fn check(&self) -> Result<(), String> {
        let Self { format, version, date, start_hour, hours, categories, mechanics, jobs, answers, .. } =
            self;
        need(format == FORMAT, || format!("format must be {FORMAT}"))?;
        need(*version == VERSION, || format!("version must be {VERSION}, not {version}"))?;
        let is_date =
            |date: &String| date.len() == 10 && date.chars().all(|c| c.is_ascii_digit() || c == '-');
        need(date.as_ref().is_none_or(is_date), || "date must be such as 2026-11-20".to_owned())?;
        number("start_hour", *start_hour, 0.0, 24.0)?;
        number("hours", *hours, 0.000_1, MAX_HOURS)?;
        count("categories", categories.len(), MAX_CATEGORIES)?;
        count("mechanics", mechanics.len(), MAX_MECHANICS as usize)?;
        count("jobs", jobs.len(), MAX_JOBS as usize)?;
        need(answers.len() <= MAX_ANSWERS, || format!("answers must have at most {MAX_ANSWERS} entries"))?;
        let mut slugs = BTreeSet::new();
        for (index, category) in categories.iter().enumerate() {
            let within = |why| format!("categories[{index}].{why}");
            category.check(&mut slugs).map_err(within)?;
        }
        for (index, mechanic) in mechanics.iter().enumerate() {
            mechanic.check(self).map_err(|why| format!("mechanics[{index}].{why}"))?;
        }
        for (index, job) in jobs.iter().enumerate() {
            job.check(self).map_err(|why| format!("jobs[{index}].{why}"))?;
        }
        for (index, answer) in answers.iter().enumerate() {
            answer.check(self).map_err(|why| format!("answers[{index}].{why}"))?;
        }
        Ok(())
    }

    fn seconds(&self) -> f64 {
        self.hours * 3600.0
    }
}

impl Category {
    fn check<'a>(&'a self, slugs: &mut BTreeSet<&'a str>) -> Result<(), String> {
        let is_text = (1..=200).contains(&self.slug.chars().count()) && !self.slug.contains(char::is_control);
        need(is_text, || "slug must have 1 to 200 characters".to_owned())?;
        need(slugs.insert(&self.slug), || format!("slug: {} is there twice", self.slug))?;
        number("minutes", self.minutes, 0.1, 1440.0)
    }
}

impl Mechanic {
    fn check(&self, recording: &Recording) -> Result<(), String> {
        number("radius_km", self.radius_km, 0.5, 100.0)?;
        count("vehicle_types", self.vehicle_types.len(), VehicleType::ALL.len())?;
        self.vehicle_types.iter().try_for_each(|name| vehicle_type("vehicle_types", name))?;
        need(self.categories.len() <= MAX_CATEGORIES, || {
            format!("categories must have at most {MAX_CATEGORIES} entries")
        })?;
        self.categories
            .iter()
            .try_for_each(|place| index("categories", *place, recording.categories.len()))?;
        need(self.online.len() <= MAX_SPANS, || format!("online must have at most {MAX_SPANS} entries"))?;
        let mut from_s = 0.0;
        for (index, span) in self.online.iter().enumerate() {
            let within = |why| format!("online[{index}].{why}");
            number("from_s", span.from_s, from_s, recording.seconds()).map_err(within)?;
            number("to_s", span.to_s, span.from_s, recording.seconds()).map_err(within)?;
            number("off_m", span.off_m, 0.0, 200_000.0).map_err(within)?;
            span.place.map_or(Ok(()), |place| place.check("place")).map_err(within)?;
            from_s = span.to_s;
        }
        self.last.map_or(Ok(()), |place| place.check("last"))
    }
}

impl Place {
    fn check(&self, key: &str) -> Result<(), String> {
        number(&format!("{key}.lat"), self.lat, -90.0, 90.0)?;
        number(&format!("{key}.lng"), self.lng, -180.0, 180.0)
    }
}

impl Job {
    fn check(&self, recording: &Recording) -> Result<(), String> {
        number("at_s", self.at_s, 0.0, recording.seconds())?;
        self.pickup.check("pickup")?;
        index("category", self.category, recording.categories.len())?;
        vehicle_type("vehicle_type", &self.vehicle_type)?;
        let is_known = Urgency::parse(&self.urgency).is_some();
        need(is_known, || format!("urgency: {} is none of normal, highway, accident", self.urgency))?;
        self.mechanic.map_or(Ok(()), |place| index("mechanic", place, recording.mechanics.len()))?;
        for (key, at) in [
            ("accepted_s", self.accepted_s),
            ("en_route_s", self.en_route_s),
            ("arrived_s", self.arrived_s),
            ("started_s", self.started_s),
            ("completed_s", self.completed_s),
            ("cancelled_s", self.cancelled_s),
        ] {
            at.map_or(Ok(()), |at| number(key, at, -MAX_OFF_S, MAX_OFF_S))?;
        }
        self.work_s.map_or(Ok(()), |work_s| number("work_s", work_s, 0.0, 2.0 * MAX_OFF_S))?;
        self.ends.map_or(Ok(()), |place| place.check("ends"))
    }
}

impl Answer {
    fn check(&self, recording: &Recording) -> Result<(), String> {
        index("mechanic", self.mechanic, recording.mechanics.len())?;
        index("job", self.job, recording.jobs.len())?;
        need(self.nth <= 1_000, || format!("nth must be 0 to 1000, not {}", self.nth))?;
        number("distance_m", self.distance_m, 0.0, 20_100_000.0)?;
        self.reaction_s.map_or(Ok(()), |reaction_s| number("reaction_s", reaction_s, 0.0, 86_400.0))
    }
}

fn need(holds: bool, fault: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(fault()) }
}

/// Checks the bounds of a number; NaN is within no bounds.
fn number(key: &str, value: f64, least: f64, most: f64) -> Result<(), String> {
    need((least..=most).contains(&value), || format!("{key} must be {least} to {most}, not {value}"))
}

fn count(key: &str, count: usize, most: usize) -> Result<(), String> {
    need((1..=most).contains(&count), || format!("{key} must have 1 to {most} entries, not {count}"))
}

fn index(key: &str, place: usize, entries: usize) -> Result<(), String> {
    need(place < entries, || format!("{key}: there is no entry {place} of {entries}"))
}

fn vehicle_type(key: &str, name: &str) -> Result<(), String> {
    let names = || VehicleType::ALL.map(VehicleType::as_str).join(", ");
    need(VehicleType::parse(name).is_some(), || format!("{key}: {name} is none of {}", names()))
}

#[cfg(test)]
mod tests {
    use super::{super::tests::FRIDAY, *};

    #[test]
    fn an_unplayable_file_is_refused_with_the_faulty_field() {
        Recording::parse(FRIDAY).unwrap_or_else(|why| panic!("{why}"));
        for (from, to, named) in [
            ("roadcall-recording", "other", "format must be"),
            ("\"version\":1", "\"version\":2", "version must be 1, not 2"),
            ("\"hours\":4", "\"hours\":169", "hours must be"),
            ("\"hours\":4", "\"hours\":4,\"name\":\"x\"", "unknown field `name`"),
            ("friday", "holiday", "unknown variant `holiday`"),
            ("\"radius_km\":10", "\"radius_km\":1e9", "mechanics[0].radius_km must be 0.5 to 100"),
            ("\"categories\":[0,1]", "\"categories\":[0,7]", "mechanics[0].categories: there is no entry 7"),
            ("\"from_s\":0", "\"from_s\":-1", "mechanics[0].online[0].from_s must be"),
            ("\"at_s\":600", "\"at_s\":999999", "jobs[0].at_s must be 0 to 14400"),
            ("\"lat\":12.97", "\"lat\":92.97", "mechanics[0].online[0].place.lat must be"),
            ("\"vehicle_type\":\"four_wheeler\"", "\"vehicle_type\":\"boat\"", "jobs[0].vehicle_type: boat"),
            ("\"urgency\":\"normal\"", "\"urgency\":\"mild\"", "jobs[0].urgency: mild"),
            ("\"nth\":0", "\"nth\":1001", "answers[0].nth must be 0 to 1000"),
            ("\"reaction_s\":4.5", "\"reaction_s\":-4.5", "answers[0].reaction_s must be"),
            ("\"job\":0", "\"job\":44", "answers[0].job: there is no entry 44"),
            ("\"slug\":\"towing\"", "\"slug\":\"flat-tyre\"", "categories[1].slug: flat-tyre is there twice"),
        ] {
            assert!(FRIDAY.contains(from), "{from}");
            let why = Recording::parse(&FRIDAY.replacen(from, to, 1)).expect_err(to);
            assert!(why.contains(named), "{to}: {why}");
        }
        let without_jobs = FRIDAY.split("\"jobs\":[").next().unwrap_or_default();
        let why = Recording::parse(&format!("{without_jobs}\"jobs\":[],\"answers\":[]}}")).expect_err("none");
        assert!(why.contains("jobs must have 1 to 100000 entries"), "{why}");
    }
}
