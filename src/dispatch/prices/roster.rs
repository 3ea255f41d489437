//! Sums up recorded prices by class and hour of the day. Pure.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use roadcall_actors::geo::{Cell, Point};
use uuid::Uuid;

use super::{
    dto::{DearHour, Roster, RosterClass, RosterHour, ServedSkills},
    queries::HourRow,
    view::{ClassSkills, Names, rounded},
};
use crate::{catalogue::vehicles::VehicleKind, platform::settings::TimeZone};

/// The maximum number of classes in a roster: those in which one more mechanic would save most.
const MAX_CLASSES: usize = 64;
/// The maximum number of hours in a roster's list of the most expensive ones.
const MAX_DEAREST: usize = 100;
/// The hours of a shift.
const SHIFT: usize = 8;
/// The number of looks in an hour, below which there is no advice.
const FEW_LOOKS: i64 = 12;
/// A mechanic who would save fewer jobs a day is not needed.
const NEEDED_PER_DAY: f64 = 0.1;
/// If a class was absent in more than this share of the looks, the advice mentions it.
const OFTEN_ABSENT: f64 = 0.05;

/// The sums of the recorded prices, by class and hour of the local day.
#[derive(Debug)]
pub struct RosterSums {
    classes: Vec<ClassSums>,
    looks: [i64; 24],
}

#[derive(Debug)]
struct ClassSums {
    place: Point,
    categories: Vec<Uuid>,
    vehicle_types: Vec<VehicleKind>,
    hours: [HourSums; 24],
}

#[derive(Debug, Clone, Copy, Default)]
struct HourSums {
    samples: i64,
    mechanics: i64,
    calls_per_hour: f64,
    load: f64,
    price: f64,
    one_more: f64,
}

impl RosterSums {
    /// Sums up the rows. All places of a town count as one.
    pub fn of(rows: Vec<HourRow>, looks: &[(i32, i64)]) -> Self {
        let cell = |row: &HourRow| Point::new(row.near_lat, row.near_lng).cell();
        let town_of = towns(&rows.iter().map(cell).collect());
        let mut classes: BTreeMap<_, ClassSums> = BTreeMap::new();
        for row in rows {
            let key = (town_of.get(&cell(&row)).copied(), row.categories.clone(), row.vehicle_types.clone());
            let class = classes.entry(key).or_insert_with(|| ClassSums {
                place: Point::new(row.near_lat, row.near_lng),
                categories: row.categories.clone(),
                vehicle_types: row.vehicle_types.clone(),
                hours: [HourSums::default(); 24],
            });
            if let Some(hour) = usize::try_from(row.hour).ok().and_then(|hour| class.hours.get_mut(hour)) {
                hour.add(&row);
            }
        }
        let mut by_hour = [0; 24];
        for (hour, count) in looks {
            if let Some(of_hour) = usize::try_from(*hour).ok().and_then(|hour| by_hour.get_mut(hour)) {
                *of_hour = *count;
            }
        }
        let mut classes: Vec<ClassSums> = classes.into_values().collect();
        classes.sort_by(|a, b| b.saves(0..24).total_cmp(&a.saves(0..24)));
        classes.truncate(MAX_CLASSES);
        Self { classes, looks: by_hour }
    }

    pub fn roster(&self, names: &Names, since: DateTime<Utc>, zone: &TimeZone) -> Roster {
        let served = self.classes.iter().map(|class| ClassSkills {
            categories: class.categories.clone(),
            vehicle_types: class.vehicle_types.iter().map(|kind| kind.0).collect(),
        });
        let skills = names.distinguished(served.collect());
        let classes = self.classes.iter().zip(skills).map(|(class, skills)| self.class(class, skills));
        let classes: Vec<RosterClass> = classes.collect();
        Roster {
            since: since.into(),
            time_zone: zone.to_string(),
            looks: self.looks.iter().sum(),
            dearest: dearest(&classes),
            classes,
        }
    }

    fn class(&self, class: &ClassSums, skills: ServedSkills) -> RosterClass {
        let hours = class.hours.iter().zip(self.looks).enumerate();
        let hours = hours.filter(|(_, (sums, _))| sums.samples > 0);
        RosterClass {
            lat: class.place.lat,
            lng: class.place.lng,
            skills,
            one_more_saves_per_day: rounded(class.saves(0..24)),
            advice: self.advice(class),
            hours: hours.map(|(hour, (sums, looks))| sums.shown(hour, looks)).collect(),
        }
    }

    fn advice(&self, class: &ClassSums) -> String {
        let looks: i64 = self.looks.iter().sum();
        if looks < FEW_LOOKS {
            return "Too little has been recorded to say anything.".to_owned();
        }
        let saves = |start: &usize| class.saves(*start..*start + SHIFT);
        let start = (0..24).rev().max_by(|a, b| saves(a).total_cmp(&saves(b))).unwrap_or_default();
        let mut text = if saves(&start) < NEEDED_PER_DAY {
            "There are enough of them: one more in any eight hours would save less than a job in ten days."
                .to_owned()
        } else {
            format!(
                "One more mechanic from {start:02}:00 to {end:02}:00 would save about {saved:.1} jobs a day, the most of \
                 any eight hours.",
                end = (start + SHIFT) % 24,
                saved = saves(&start),
            )
        };
        let samples: i64 = class.hours.iter().map(|hour| hour.samples).sum();
        let absent = 1.0 - samples as f64 / looks as f64;
        if absent > OFTEN_ABSENT {
            text += &format!(
                " In {:.0} % of the records none of them was online: what one would have been worth then is unknown.",
                absent * 100.0
            );
        }
        text
    }
}

impl ClassSums {
    /// Returns the jobs that one more mechanic would save in these hours, which may go past midnight.
    fn saves(&self, hours: std::ops::Range<usize>) -> f64 {
        hours.map(|hour| self.hours[hour % 24].mean(|sums| sums.one_more)).sum()
    }
}

impl HourSums {
    fn add(&mut self, row: &HourRow) {
        self.samples += row.samples;
        self.mechanics += row.mechanics;
        self.calls_per_hour += row.calls_per_hour;
        self.load += row.load;
        self.price += row.price;
        self.one_more += row.one_more;
    }

    fn mean(&self, of: impl Fn(&Self) -> f64) -> f64 {
        of(self) / self.samples.max(1) as f64
    }

    fn shown(&self, hour: usize, looks: i64) -> RosterHour {
        RosterHour {
            hour: hour as i64,
            samples: self.samples,
            looks,
            mechanics: rounded(self.mechanics as f64 / looks.max(1) as f64),
            calls_per_hour: rounded(self.mean(|sums| sums.calls_per_hour)),
            load: rounded(self.mean(|sums| sums.load)),
            jobs_lost_per_hour: rounded(self.mean(|sums| sums.price)),
            one_more_saves_per_hour: rounded(self.mean(|sums| sums.one_more)),
        }
    }
}

fn dearest(classes: &[RosterClass]) -> Vec<DearHour> {
    let hours = classes.iter().enumerate().flat_map(|(index, class)| {
        class.hours.iter().map(move |hour| DearHour {
            class_index: index as i64,
            label: class.skills.label.clone(),
            hour: hour.hour,
            one_more_saves_per_hour: hour.one_more_saves_per_hour,
            jobs_lost_per_hour: hour.jobs_lost_per_hour,
        })
    });
    let mut hours: Vec<DearHour> = hours.collect();
    hours.sort_by(|a, b| {
        let by_price = b.jobs_lost_per_hour.total_cmp(&a.jobs_lost_per_hour);
        b.one_more_saves_per_hour.total_cmp(&a.one_more_saves_per_hour).then(by_price)
    });
    hours.truncate(MAX_DEAREST);
    hours
}

/// Returns the first cell of the town that each cell belongs to. A market is recorded under one of its cells, not always the
/// same, so cells that are two apart belong together, too.
fn towns(cells: &BTreeSet<Cell>) -> BTreeMap<Cell, Cell> {
    let mut town_of = BTreeMap::new();
    for first in cells {
        let mut open = vec![*first];
        while let Some(cell) = open.pop() {
            if town_of.contains_key(&cell) {
                continue;
            }
            town_of.insert(cell, *first);
            let near = cell.neighbourhood().flat_map(Cell::neighbourhood);
            open.extend(near.filter(|near| cells.contains(near)));
        }
    }
    town_of
}

#[cfg(test)]
mod tests {
    use roadcall_actors::vehicle::VehicleType;

    use super::*;

    fn row(near_lat: f64, hour: i32, one_more: f64) -> HourRow {
        HourRow {
            near_lat,
            near_lng: 77.5,
            categories: vec![Uuid::nil()],
            vehicle_types: vec![VehicleType::ALL[0].into()],
            hour,
            samples: 12,
            mechanics: 24,
            calls_per_hour: 36.0,
            load: 12.0,
            price: 24.0,
            one_more: 12.0 * one_more,
        }
    }

    fn utc() -> TimeZone {
        "UTC".parse().expect("a zone")
    }

    fn roster(rows: Vec<HourRow>) -> Roster {
        let looks: Vec<(i32, i64)> = (0..24).map(|hour| (hour, 12)).collect();
        RosterSums::of(rows, &looks).roster(&Names::of(Vec::new()), DateTime::UNIX_EPOCH, &utc())
    }

    #[test]
    fn hours_are_averages_in_order_and_the_dearest_are_listed_first() {
        let roster = roster(vec![row(12.9, 18, 0.5), row(12.9, 9, 0.25)]);
        let [class] = &roster.classes[..] else { panic!("one class, not {:?}", roster.classes) };
        let of = |hour: &RosterHour| {
            (hour.hour, hour.mechanics, hour.calls_per_hour, hour.one_more_saves_per_hour)
        };
        let hours: Vec<_> = class.hours.iter().map(of).collect();
        assert_eq!(hours, [(9, 2.0, 3.0, 0.25), (18, 2.0, 3.0, 0.5)]);
        assert_eq!(roster.dearest.iter().map(|dear| dear.hour).collect::<Vec<_>>(), [18, 9]);
        assert_eq!((class.one_more_saves_per_day, roster.looks), (0.75, 288));
    }

    #[test]
    fn the_advice_is_the_best_shift_which_may_go_past_midnight() {
        let rows = (0..24).map(|hour| row(12.9, hour, if !(4..20).contains(&hour) { 0.3 } else { 0.01 }));
        let roster = roster(rows.collect());
        let advice = &roster.classes[0].advice;
        assert_eq!(
            advice,
            "One more mechanic from 20:00 to 04:00 would save about 2.4 jobs a day, the most of any eight hours."
        );
    }

    #[test]
    fn the_advice_mentions_sufficient_and_absent_classes() {
        let enough = roster((0..24).map(|hour| row(12.9, hour, 0.001)).collect());
        assert!(enough.classes[0].advice.starts_with("There are enough"), "{}", enough.classes[0].advice);
        assert!(!enough.classes[0].advice.contains("online"));
        let absent = roster((0..12).map(|hour| row(12.9, hour, 0.5)).collect());
        assert!(absent.classes[0].advice.contains("In 50 % of the records"), "{}", absent.classes[0].advice);
        let new = RosterSums::of(vec![row(12.9, 1, 0.5)], &[(1, 11)]);
        let new = new.roster(&Names::of(Vec::new()), DateTime::UNIX_EPOCH, &utc());
        assert!(new.classes[0].advice.starts_with("Too little"));
    }

    #[test]
    fn places_of_one_town_are_summed_and_other_towns_are_not() {
        let roster = roster(vec![row(12.9, 18, 0.5), row(13.3, 18, 0.5), row(15.9, 18, 0.1)]);
        let samples: Vec<_> = roster.classes.iter().map(|class| class.hours[0].samples).collect();
        assert_eq!(samples, [24, 12]);
    }
}
