//! Turns prices into texts and figures for operators.

use std::collections::{BTreeMap, BTreeSet};

use roadcall_actors::{
    dispatcher::pricing::{Market, SkillClass},
    vehicle::VehicleType,
};
use uuid::Uuid;

use super::dto::{ClassPrice, ServedSkills, TownPrices};
use crate::catalogue::categories::CategoryRow;

/// The number of categories that a label names; the others are only counted.
const NAMES: usize = 3;

/// The names of categories.
#[derive(Debug)]
pub struct Names(BTreeMap<Uuid, String>);

impl Names {
    pub fn of(categories: Vec<CategoryRow>) -> Self {
        Self(categories.into_iter().map(|category| (category.id, category.name)).collect())
    }

    /// Lists the towns, each with its most expensive classes first.
    pub fn towns(&self, markets: &[Market]) -> Vec<TownPrices> {
        let of = |market: &Market| {
            let mut classes: Vec<&SkillClass> = market.classes.iter().collect();
            classes.sort_by(|a, b| b.price.total_cmp(&a.price));
            let skills = self.distinguished(classes.iter().map(|class| ClassSkills::of(class)).collect());
            let classes = classes.into_iter().zip(skills).map(|(class, skills)| price(class, skills));
            let classes = classes.collect();
            TownPrices { lat: rounded(market.near.lat), lng: rounded(market.near.lng), classes }
        };
        markets.iter().map(of).collect()
    }

    /// Returns the name of a category, or the id of a deleted one.
    pub fn category(&self, id: Uuid) -> String {
        self.0.get(&id).cloned().unwrap_or_else(|| id.to_string())
    }

    /// Returns the skills of classes, each with a label: a short one, unless another of these classes would have the same.
    pub fn distinguished(&self, classes: Vec<ClassSkills>) -> Vec<ServedSkills> {
        let mut with_label: BTreeMap<String, BTreeSet<&ClassSkills>> = BTreeMap::new();
        for class in &classes {
            with_label.entry(self.short_label(class)).or_default().insert(class);
        }
        let is_ambiguous = |label: &String| with_label.get(label).is_some_and(|alike| alike.len() > 1);
        let label = |class: &ClassSkills| {
            let short = self.short_label(class);
            if is_ambiguous(&short) { self.full_label(class) } else { short }
        };
        let labels: Vec<String> = classes.iter().map(label).collect();
        let labelled = classes.into_iter().zip(labels).map(|(class, label)| ServedSkills {
            label,
            service_category_ids: class.categories,
            vehicle_types: class.vehicle_types.into_iter().map(Into::into).collect(),
        });
        labelled.collect()
    }

    fn short_label(&self, ClassSkills { categories, vehicle_types }: &ClassSkills) -> String {
        let mut served: Vec<String> = categories.iter().take(NAMES).map(|id| self.category(*id)).collect();
        if categories.len() > NAMES {
            served.push(format!("{} more", categories.len() - NAMES));
        }
        let kinds = match vehicle_types[..] {
            [one] => in_words(one).to_owned(),
            _ => format!("{} vehicle types", vehicle_types.len()),
        };
        format!("{} ({kinds})", served.join(", "))
    }

    fn full_label(&self, ClassSkills { categories, vehicle_types }: &ClassSkills) -> String {
        let served: Vec<String> = categories.iter().map(|id| self.category(*id)).collect();
        let kinds: Vec<&str> = vehicle_types.iter().map(|kind| in_words(*kind)).collect();
        format!("{} ({})", served.join(", "), kinds.join(", "))
    }
}

/// The skills of a class, each list in a fixed order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClassSkills {
    pub categories: Vec<Uuid>,
    pub vehicle_types: Vec<VehicleType>,
}

impl ClassSkills {
    fn of(class: &SkillClass) -> Self {
        Self {
            categories: class.skills.categories.iter().map(|category| category.0).collect(),
            vehicle_types: class.skills.vehicle_types.iter().copied().collect(),
        }
    }
}

fn price(class: &SkillClass, skills: ServedSkills) -> ClassPrice {
    let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    ClassPrice {
        skills,
        mechanics: count(class.mechanics),
        free: count(class.free),
        calls_per_hour: rounded(class.calls_per_s * 3600.0),
        load: rounded(class.load),
        jobs_lost_per_hour: rounded(class.price),
        one_more_saves_per_hour: rounded(class.one_more()),
    }
}

fn in_words(kind: VehicleType) -> &'static str {
    match kind {
        VehicleType::TwoWheeler => "two-wheelers",
        VehicleType::ThreeWheeler => "three-wheelers",
        VehicleType::FourWheeler => "cars",
        VehicleType::Commercial => "trucks and buses",
    }
}

/// Rounds to three decimal places; 0 for a value that is no number.
pub fn rounded(value: f64) -> f64 {
    if value.is_finite() { (value * 1000.0).round() / 1000.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn served(categories: std::ops::Range<u128>, vehicle_types: &[VehicleType]) -> ClassSkills {
        ClassSkills {
            categories: categories.map(Uuid::from_u128).collect(),
            vehicle_types: vehicle_types.to_vec(),
        }
    }

    #[test]
    fn classes_with_the_same_short_label_are_named_in_full() {
        let letters = ["Flat tyre", "Battery", "Towing", "Fuel", "Lockout"];
        let names = Names((0..).map(Uuid::from_u128).zip(letters.map(str::to_owned)).collect());
        use VehicleType::*;
        let labels = |classes: Vec<ClassSkills>| {
            names.distinguished(classes).into_iter().map(|skills| skills.label).collect::<Vec<_>>()
        };
        let (all, cars) = ([TwoWheeler, FourWheeler], [FourWheeler, Commercial]);
        assert_eq!(
            labels(vec![served(0..4, &all), served(0..2, &[TwoWheeler]), served(0..4, &cars)]),
            [
                "Flat tyre, Battery, Towing, Fuel (two-wheelers, cars)",
                "Flat tyre, Battery (two-wheelers)",
                "Flat tyre, Battery, Towing, Fuel (cars, trucks and buses)",
            ]
        );
        // The same class in two towns has the same label.
        let twice = labels(vec![served(0..5, &all), served(0..5, &all)]);
        assert_eq!(twice, ["Flat tyre, Battery, Towing, 2 more (2 vehicle types)"; 2]);
    }
}
