//! Turns prices into what an operator reads.

use std::collections::BTreeMap;

use roadcall_actors::{
    dispatcher::pricing::{Market, SkillClass},
    vehicle::VehicleType,
};
use uuid::Uuid;

use super::dto::{ClassPrice, ServedSkills, TownPrices};
use crate::catalogue::{categories::CategoryRow, vehicles::VehicleKind};

/// Names of categories in a label; the others are only counted.
const NAMES: usize = 3;

/// The names of categories.
#[derive(Debug)]
pub struct Names(BTreeMap<Uuid, String>);

impl Names {
    pub fn of(categories: Vec<CategoryRow>) -> Self {
        Self(categories.into_iter().map(|category| (category.id, category.name)).collect())
    }

    /// The dearest classes of each town first.
    pub fn towns(&self, markets: &[Market]) -> Vec<TownPrices> {
        let of = |market: &Market| {
            let mut classes: Vec<&SkillClass> = market.classes.iter().collect();
            classes.sort_by(|a, b| b.price.total_cmp(&a.price));
            let classes = classes.into_iter().map(|class| self.price(class)).collect();
            TownPrices { lat: rounded(market.near.lat), lng: rounded(market.near.lng), classes }
        };
        markets.iter().map(of).collect()
    }

    fn price(&self, class: &SkillClass) -> ClassPrice {
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let categories: Vec<Uuid> = class.skills.categories.iter().map(|category| category.0).collect();
        let vehicle_types: Vec<VehicleKind> =
            class.skills.vehicle_types.iter().map(|kind| (*kind).into()).collect();
        ClassPrice {
            skills: self.skills(&categories, &vehicle_types),
            mechanics: count(class.mechanics),
            free: count(class.free),
            calls_per_hour: rounded(class.calls_per_s * 3600.0),
            load: rounded(class.load),
            jobs_lost_per_hour: rounded(class.price),
            one_more_saves_per_hour: rounded(class.one_more()),
        }
    }

    /// A category that was deleted has no name left.
    pub fn category(&self, id: Uuid) -> String {
        self.0.get(&id).cloned().unwrap_or_else(|| id.to_string())
    }

    pub fn skills(&self, categories: &[Uuid], vehicle_types: &[VehicleKind]) -> ServedSkills {
        ServedSkills {
            label: self.label(categories, vehicle_types),
            service_category_ids: categories.to_vec(),
            vehicle_types: vehicle_types.to_vec(),
        }
    }

    fn label(&self, categories: &[Uuid], vehicle_types: &[VehicleKind]) -> String {
        let name = |id: &Uuid| self.category(*id);
        let mut served: Vec<String> = categories.iter().take(NAMES).map(name).collect();
        if categories.len() > NAMES {
            served.push(format!("{} more", categories.len() - NAMES));
        }
        let kinds = match vehicle_types {
            [one] => in_words(one.0).to_owned(),
            several => format!("{} vehicle types", several.len()),
        };
        format!("{} ({kinds})", served.join(", "))
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

/// With three places; 0 for what is no number.
pub fn rounded(value: f64) -> f64 {
    if value.is_finite() { (value * 1000.0).round() / 1000.0 } else { 0.0 }
}
