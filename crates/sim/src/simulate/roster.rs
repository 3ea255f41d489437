//! The cost of mechanics' time over the day, by crew: whom to hire, and for when.

use std::fmt::Write;

use serde::Serialize;

use super::{
    policy::Policy,
    prices::{HOURS, HourSums, PricesOfDay},
    runs::Runs,
    scenario::Scenario,
    stats::finite,
};

/// The hours that a mechanic works in a row.
const SHIFT: usize = 8;

/// The prices over the day under one policy, over all seeds.
#[derive(Debug, Clone, Serialize)]
pub struct Roster {
    policy: Policy,
    pub crews: Vec<CrewDay>,
}

/// One crew's prices over the day.
#[derive(Debug, Clone, Serialize)]
pub struct CrewDay {
    pub crew: String,
    /// The jobs that one more mechanic of the crew would save in a day, if they worked in all hours that were simulated.
    one_more_saves_per_day: Option<f64>,
    pub hours: Vec<CrewHour>,
}

/// The means of one hour of the day; those after `looks` and `samples` are null without samples.
#[derive(Debug, Clone, Serialize)]
pub struct CrewHour {
    pub hour: usize,
    looks: u32,
    samples: u32,
    /// The number of mechanics online, in all looks.
    mechanics: Option<f64>,
    calls_per_hour: Option<f64>,
    load: Option<f64>,
    jobs_lost_per_hour: Option<f64>,
    pub one_more_saves_per_hour: Option<f64>,
}

impl Roster {
    /// Builds the roster of the first policy with prices; `None` if no policy has prices.
    pub fn of(runs: &Runs, scenario: &Scenario) -> Option<Self> {
        let sums = runs.policies.iter().find_map(|policy| {
            let mut sums = PricesOfDay::default();
            runs.of(*policy, 1.0).for_each(|ran| sums.add(&ran.outcome.prices));
            (!sums.crews.is_empty()).then_some((*policy, sums))
        });
        let (policy, sums) = sums?;
        let crews = sums.crews.iter().map(|(crew, hours)| {
            let hours = hours.iter().zip(sums.looks).enumerate().filter(|(_, (_, looks))| *looks > 0);
            let hours: Vec<CrewHour> =
                hours.map(|(hour, (sums, looks))| CrewHour::of(hour, sums, looks)).collect();
            let saves: f64 = hours.iter().filter_map(|hour| hour.one_more_saves_per_hour).sum();
            let name = scenario.crews.get(*crew).map(|crew| crew.name.clone());
            CrewDay { crew: name.unwrap_or_default(), one_more_saves_per_day: finite(saves), hours }
        });
        Some(Self { policy, crews: crews.collect() })
    }

    pub fn text(&self) -> String {
        let mut text = format!(
            "\nprices of mechanics' time under {}: by hour of the day, for each crew\n  jobs lost per hour that one of \
             them is away / jobs that one more would save per hour / mechanics online\n{:<6}",
            self.policy, "hour"
        );
        self.crews.iter().for_each(|crew| write!(text, "{:>24}", crew.crew).unwrap_or_default());
        text.push('\n');
        let hours = self.crews.first().map(|crew| crew.hours.len()).unwrap_or_default();
        for place in 0..hours {
            let of_crews: Vec<&CrewHour> =
                self.crews.iter().filter_map(|crew| crew.hours.get(place)).collect();
            let hour = of_crews.first().map(|hour| hour.hour).unwrap_or_default();
            write!(text, "{:<6}", format!("{hour:02}")).ok();
            of_crews.iter().for_each(|hour| write!(text, "{:>24}", hour.text()).unwrap_or_default());
            text.push('\n');
        }
        for crew in &self.crews {
            writeln!(text, "{}", crew.advice()).ok();
        }
        text
    }
}

impl CrewDay {
    /// Returns the eight hours of the day in which one more mechanic would save most.
    fn advice(&self) -> String {
        let mut by_hour = [0.0; HOURS];
        for hour in &self.hours {
            by_hour[hour.hour % HOURS] = hour.one_more_saves_per_hour.unwrap_or_default();
        }
        let saves = |start: usize| (start..start + SHIFT).map(|hour| by_hour[hour % HOURS]).sum::<f64>();
        let start = (0..HOURS).rev().max_by(|a, b| saves(*a).total_cmp(&saves(*b))).unwrap_or_default();
        format!(
            "{}: one more would save most from {start:02}:00 to {:02}:00, {:.2} jobs",
            self.crew,
            (start + SHIFT) % HOURS,
            saves(start)
        )
    }
}

impl CrewHour {
    fn of(hour: usize, sums: &HourSums, looks: u32) -> Self {
        // Without samples the mean is NaN, which becomes `None`.
        let mean = |sum: f64| finite(sum / f64::from(sums.samples));
        Self {
            hour,
            looks,
            samples: sums.samples,
            mechanics: finite(sums.mechanics / f64::from(looks)),
            calls_per_hour: mean(sums.calls_per_hour),
            load: mean(sums.load),
            jobs_lost_per_hour: mean(sums.price),
            one_more_saves_per_hour: mean(sums.one_more),
        }
    }

    fn text(&self) -> String {
        match (self.jobs_lost_per_hour, self.one_more_saves_per_hour, self.mechanics) {
            (Some(price), Some(one_more), Some(online)) => {
                format!("{price:.2} / {one_more:.2} / {online:.1}")
            }
            _ => "none online".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hour(one_more: f64) -> HourSums {
        HourSums {
            samples: 2,
            mechanics: 4.0,
            calls_per_hour: 6.0,
            load: 3.0,
            price: 1.0,
            one_more: 2.0 * one_more,
        }
    }

    fn day(one_more: impl Fn(usize) -> f64) -> CrewDay {
        let hours = (0..HOURS).map(|n| CrewHour::of(n, &hour(one_more(n)), 4));
        CrewDay { crew: "tow trucks".to_owned(), one_more_saves_per_day: None, hours: hours.collect() }
    }

    #[test]
    fn means_count_looks_with_a_price_and_mechanics_online_count_all_looks() {
        let shown = CrewHour::of(7, &hour(0.25), 4);
        assert_eq!((shown.hour, shown.samples, shown.looks), (7, 2, 4));
        assert_eq!((shown.mechanics, shown.jobs_lost_per_hour), (Some(1.0), Some(0.5)));
        assert_eq!(shown.text(), "0.50 / 0.25 / 1.0");
        assert_eq!(CrewHour::of(7, &HourSums::default(), 4).text(), "none online");
    }

    #[test]
    fn the_best_shift_may_go_past_midnight() {
        let night = day(|hour| if !(4..20).contains(&hour) { 0.25 } else { 0.01 });
        assert_eq!(night.advice(), "tow trucks: one more would save most from 20:00 to 04:00, 2.00 jobs");
    }
}
