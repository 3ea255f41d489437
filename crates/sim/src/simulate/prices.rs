//! The prices of mechanics' time in a run, by crew and by hour of the day. Pure.

use std::collections::BTreeMap;

use roadcall_actors::{
    dispatcher::pricing::{Market, Skills},
    mechanic::state::Profile,
};

/// The hours of a day.
pub const HOURS: usize = 24;

/// The sums over the looks in one hour of the day.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HourSums {
    /// The number of looks in which the crew had a price: at least one of its mechanics was online.
    pub samples: u32,
    pub mechanics: f64,
    pub calls_per_hour: f64,
    pub load: f64,
    pub price: f64,
    pub one_more: f64,
}

/// The prices of a run, by the place of the crew in the scenario and by hour of the day.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PricesOfDay {
    pub looks: [u32; HOURS],
    pub crews: BTreeMap<usize, [HourSums; HOURS]>,
    crew_of: BTreeMap<Skills, usize>,
}

impl PricesOfDay {
    /// Records the crew of mechanics with these skills.
    pub fn know(&mut self, profile: &Profile, crew: usize) {
        let (categories, vehicle_types) = (profile.categories.clone(), profile.vehicle_types.clone());
        self.crew_of.insert(Skills { categories, vehicle_types }, crew);
    }

    /// Adds a look at this hour of the day.
    pub fn look(&mut self, hour: usize, markets: &[Market]) {
        let hour = hour % HOURS;
        self.looks[hour] += 1;
        for class in markets.iter().flat_map(|market| &market.classes) {
            let Some(crew) = self.crew_of.get(&class.skills) else { continue };
            let sums = &mut self.crews.entry(*crew).or_default()[hour];
            sums.add(&HourSums {
                samples: 1,
                mechanics: class.mechanics as f64,
                calls_per_hour: class.calls_per_s * 3600.0,
                load: class.load,
                price: class.price,
                one_more: class.one_more(),
            });
        }
    }

    /// Adds another day.
    pub fn add(&mut self, day: &Self) {
        self.looks.iter_mut().zip(day.looks).for_each(|(sum, looks)| *sum += looks);
        for (crew, hours) in &day.crews {
            let sums = self.crews.entry(*crew).or_default();
            sums.iter_mut().zip(hours).for_each(|(sum, hour)| sum.add(hour));
        }
    }
}

impl HourSums {
    fn add(&mut self, other: &Self) {
        self.samples += other.samples;
        self.mechanics += other.mechanics;
        self.calls_per_hour += other.calls_per_hour;
        self.load += other.load;
        self.price += other.price;
        self.one_more += other.one_more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_add_up_by_crew() {
        let hour = HourSums { samples: 2, one_more: 1.0, ..HourSums::default() };
        let mut one = PricesOfDay { looks: [2; HOURS], ..PricesOfDay::default() };
        one.crews.insert(3, [hour; HOURS]);
        let mut sum = PricesOfDay::default();
        sum.add(&one);
        sum.add(&one);
        assert_eq!((sum.looks[5], sum.crews[&3][5].samples, sum.crews[&3][5].one_more), (4, 4, 2.0));
    }
}
