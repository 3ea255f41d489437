//! Turns what a recording shows of the city and its mechanics into the scenario of its replay. Pure.

use std::collections::BTreeMap;

use roadcall_actors::geo::Point;

use super::{
    super::{
        outcome::IN_TIME_S,
        scenario::{Category, City, Crew, HotSpot, Scenario, Shape},
        stats::quantile,
    },
    file::{Given, Place, Recording},
};
use crate::city;

/// The number of trips from which the speed is the recording's own.
const ENOUGH_TRIPS: usize = 20;
/// Shorter trips are mostly parking and saying hello.
const MIN_TRIP_M: f64 = 500.0;
const MIN_TRIP_S: f64 = 60.0;
/// The maximum number of places to which free mechanics drive, in cells of this size.
const MAX_SPOTS: usize = 100;
const SPOT_M: f64 = 1_000.0;

/// Returns the base scenario, with everything that the recording shows instead.
pub fn scenario(base: &Scenario, recording: &Recording) -> Scenario {
    let many = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let mut scenario = base.clone();
    scenario.title = title(base, recording);
    scenario.mechanics = many(recording.mechanics.len());
    scenario.jobs = many(recording.jobs.len());
    (scenario.hours, scenario.start_hour) = (recording.hours, recording.start_hour);
    scenario.city = city_of(recording);
    if let Some(speed_kmh) = speed_kmh(base, recording) {
        scenario.traffic.speed_kmh = speed_kmh;
    }
    let share = 100.0 / recording.jobs.len() as f64;
    let mut percents = vec![0.0; recording.categories.len()];
    recording.jobs.iter().for_each(|job| percents[job.category] += share);
    scenario.categories = recording
        .categories
        .iter()
        .zip(percents)
        .map(|(category, percent)| Category {
            name: category.slug.clone(),
            percent,
            minutes: category.minutes,
            sigma: 0.0,
            tow_km: 0.0,
        })
        .collect();
    scenario.crews = crews(recording).1;
    scenario
}

fn title(base: &Scenario, recording: &Recording) -> String {
    let Recording { date, weekday, start_hour, hours, mechanics, jobs, .. } = recording;
    let (day, date) = (weekday.as_str(), date.as_ref().map(|date| format!(" ({date})")).unwrap_or_default());
    let minutes = (start_hour * 60.0) as u32;
    let served = jobs.iter().filter(|job| job.completed_s.is_some()).count();
    let is_in_time = |arrived_s: f64, at_s: f64| arrived_s - at_s <= IN_TIME_S;
    let in_time = jobs.iter().filter(|job| job.arrived_s.is_some_and(|at| is_in_time(at, job.at_s))).count();
    format!(
        "Replay of a {day}{date} from {:02}:{:02} for {hours:.1} h: {} jobs, {} mechanics; as recorded, {served} jobs \
         were served and {in_time} reached in time. What was not recorded: {}",
        minutes / 60 % 24,
        minutes % 60,
        jobs.len(),
        mechanics.len(),
        base.title
    )
}

/// Groups mechanics who can do the same as crews: returns the crew of each, and all crews.
pub fn crews(recording: &Recording) -> (Vec<usize>, Vec<Crew>) {
    let mut places: BTreeMap<(Vec<usize>, Vec<String>), usize> = BTreeMap::new();
    let mut crews: Vec<Crew> = Vec::new();
    let share = 100.0 / recording.mechanics.len() as f64;
    let of = recording.mechanics.iter().map(|mechanic| {
        let (mut categories, mut vehicle_types) =
            (mechanic.categories.clone(), mechanic.vehicle_types.clone());
        categories.sort_unstable();
        vehicle_types.sort_unstable();
        let names = categories.iter().map(|place| recording.categories[*place].slug.clone()).collect();
        let crew = *places.entry((categories, vehicle_types.clone())).or_insert_with(|| {
            let name = format!("crew {}", crews.len() + 1);
            crews.push(Crew { name, percent: 0.0, categories: names, vehicle_types });
            crews.len() - 1
        });
        crews[crew].percent += share;
        crew
    });
    let of: Vec<usize> = of.collect();
    (of, crews)
}

/// Returns a disc around the jobs, whose hot spots are where most of them were: free mechanics drive there.
fn city_of(recording: &Recording) -> City {
    let middle = |of: fn(&Place) -> f64| {
        let mut degrees: Vec<f64> = recording.jobs.iter().map(|job| of(&job.pickup)).collect();
        degrees.sort_by(f64::total_cmp);
        quantile(&degrees, 0.5)
    };
    let centre = Point::new(middle(|place| place.lat), middle(|place| place.lng));
    let micro = |degrees: f64| (degrees * 1e6).round() as i64;
    let mut cells: BTreeMap<(i64, i64), (Point, u32)> = BTreeMap::new();
    let mut radius_m = 0.0_f64;
    for job in &recording.jobs {
        let pickup = job.pickup.point();
        radius_m = radius_m.max(centre.distance_m(pickup));
        let cell = pickup.snapped(SPOT_M);
        cells.entry((micro(cell.lat), micro(cell.lng))).or_insert((cell, 0)).1 += 1;
    }
    let mut cells: Vec<(Point, u32)> = cells.into_values().collect();
    // The sort is stable: equal cells stay in the order of their places.
    cells.sort_by_key(|(_, jobs)| std::cmp::Reverse(*jobs));
    cells.truncate(MAX_SPOTS);
    let spots = cells.into_iter().map(|(cell, jobs)| {
        let (north_m, east_m) = city::offset_of(centre, cell);
        HotSpot {
            north_km: north_m / 1000.0,
            east_km: east_m / 1000.0,
            spread_km: SPOT_M / 4000.0,
            weight: f64::from(jobs),
        }
    });
    City {
        lat: centre.lat,
        lng: centre.lng,
        shape: Shape::Disc,
        radius_km: radius_m / 1000.0 + 1.0,
        background_percent: 0.0,
        hot_spots: spots.collect(),
    }
}

/// Returns the median speed over accepted offers that led to an arrival: the straight line by time, converted to the road and to
/// a usual hour by the base scenario's factors. Returns `None` if there are few such offers.
pub fn speed_kmh(base: &Scenario, recording: &Recording) -> Option<f64> {
    let accepted = recording.answers.iter().filter(|answer| answer.answer == Given::Accepted);
    let speeds = accepted.filter_map(|answer| {
        let job = &recording.jobs[answer.job];
        let (accepted_s, arrived_s) = job.accepted_s.zip(job.arrived_s)?;
        let took_s = arrived_s - accepted_s;
        let counts =
            job.mechanic == Some(answer.mechanic) && answer.distance_m >= MIN_TRIP_M && took_s >= MIN_TRIP_S;
        let hour = (recording.start_hour + accepted_s / 3600.0).rem_euclid(24.0) as usize % 24;
        let road_m = answer.distance_m * base.traffic.detour;
        counts.then(|| road_m / took_s * 3.6 / base.traffic.by_hour[hour])
    });
    let mut speeds: Vec<f64> = speeds.collect();
    speeds.sort_by(f64::total_cmp);
    // A scenario file has the same bounds.
    (speeds.len() >= ENOUGH_TRIPS).then(|| quantile(&speeds, 0.5).clamp(1.0, 100.0))
}
