//! Destinations on the wire.

use deserr::Deserr;
use roadcall_actors::{geo::Point, job::state::Receiver};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::chosen::Chosen;
use crate::{
    accounts::uploads::FileUrl,
    fleet::eta::{EtaSourceName, Haul},
    http::{Id, Items, Latitude, Longitude, Name, Phone, Text, ValidationErrors},
};

/// The vehicle's destination: a workshop of `GET /workshops`, or any other place.
#[derive(Debug, Clone, PartialEq, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct DestinationChoice {
    /// A workshop of `GET /workshops`, given without `address`, `lat` and `lng`.
    #[deserr(default)]
    pub workshop_id: Option<Id>,
    #[deserr(default)]
    pub address: Option<Text<1, 500>>,
    #[deserr(default)]
    pub lat: Option<Latitude>,
    #[deserr(default)]
    pub lng: Option<Longitude>,
}

/// The vehicle's destination, and the person who receives it there.
#[derive(Debug, Clone, PartialEq, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewDestination {
    /// A workshop of `GET /workshops`, given without `address`, `lat` and `lng`.
    #[deserr(default)]
    pub workshop_id: Option<Id>,
    #[deserr(default)]
    pub address: Option<Text<1, 500>>,
    #[deserr(default)]
    pub lat: Option<Latitude>,
    #[deserr(default)]
    pub lng: Option<Longitude>,
    #[deserr(default)]
    pub receiver_name: Option<Name<100>>,
    /// The receiver's number, shown to the mechanic while the job is theirs.
    #[deserr(default)]
    pub receiver_phone: Option<Phone>,
}

impl NewDestination {
    /// Returns the place alone.
    pub fn choice(&self) -> DestinationChoice {
        let Self { workshop_id, address, lat, lng, .. } = self.clone();
        DestinationChoice { workshop_id, address, lat, lng }
    }

    pub fn receiver(&self) -> Receiver {
        Receiver {
            name: self.receiver_name.as_ref().map(|name| name.0.clone()),
            phone: self.receiver_phone.as_ref().map(|phone| phone.0.clone()),
        }
    }
}

impl DestinationChoice {
    /// Returns the choice, or adds its faults to `faults`. An estimate needs no address.
    pub fn chosen(self, needs_address: bool, faults: &mut ValidationErrors) -> Option<Chosen> {
        let Self { workshop_id, address, lat, lng } = self;
        if let Some(Id(id)) = workshop_id {
            if address.is_some() || lat.is_some() || lng.is_some() {
                faults.add("destination.workshop_id", "can't be given together with address, lat and lng");
                return None;
            }
            return Some(Chosen::Workshop(id));
        }
        if address.is_none() && lat.is_none() && lng.is_none() {
            faults.add("destination", "needs a workshop_id, or an address with lat and lng");
            return None;
        }
        let is_addressed = address.is_some() || !needs_address;
        let given = [("address", is_addressed), ("lat", lat.is_some()), ("lng", lng.is_some())];
        for (field, _) in given.into_iter().filter(|(_, is_given)| !is_given) {
            faults.add(format!("destination.{field}"), "is required without a workshop_id");
        }
        let place = Point::new(lat?.0, lng?.0);
        let address = address.map(|text| text.0).unwrap_or_default();
        is_addressed.then_some(Chosen::Place { address, place })
    }
}

/// The distance over which a vehicle would be towed.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct EstimatedDestination {
    /// The distance from the pickup in metres: by road, or the straight line where no router knows the way.
    pub distance_m: u32,
    pub duration_s: u32,
    /// The source of distance and duration.
    pub source: EtaSourceName,
}

impl From<Haul> for EstimatedDestination {
    fn from(haul: Haul) -> Self {
        let Haul { distance_m, duration_s, source } = haul;
        Self { distance_m, duration_s, source: source.into() }
    }
}

/// The vehicle's destination.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct JobDestination {
    pub address: String,
    pub lat: f64,
    pub lng: f64,
    /// The workshop, if it was chosen from `GET /workshops`; the name is the one at that time.
    pub workshop_id: Option<Uuid>,
    pub workshop_name: Option<String>,
    pub receiver_name: Option<String>,
    /// The receiver's number; null for mechanics once the job is over.
    pub receiver_phone: Option<String>,
    /// The distance from the pickup in metres, as it was when the destination was agreed: by road, or the straight line.
    pub distance_m: i32,
    pub duration_s: i32,
    /// The distance that the mechanic drove with the vehicle, at least: between their positions in straight lines, in metres.
    /// Null until it is handed over, and if no position came on the way.
    pub driven_m: Option<i32>,
}

/// Photos of the vehicle on the truck.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct LoadVehicle {
    #[schema(value_type = Vec<FileUrl>, min_items = 1, max_items = 10)]
    pub photo_urls: Items<FileUrl, 1, 10>,
}

/// A tow that the mechanic at the vehicle proposes.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewTow {
    pub destination: DestinationChoice,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(body: Value, needs_address: bool) -> Result<Option<Chosen>, Vec<String>> {
        let choice = deserr::deserialize::<DestinationChoice, _, ValidationErrors>(body).expect("its fields");
        let mut faults = ValidationErrors::default();
        let chosen = choice.chosen(needs_address, &mut faults);
        if faults.0.is_empty() { Ok(chosen) } else { Err(faults.0.into_keys().collect()) }
    }

    #[test]
    fn a_destination_is_a_workshop_or_a_place_and_never_both_or_neither() {
        let id = "018f0000-0000-7000-8000-000000000003";
        let place = Chosen::Place { address: "Hosur Road".to_owned(), place: Point::new(12.9, 77.6) };
        assert!(matches!(read(json!({"workshop_id": id}), true), Ok(Some(Chosen::Workshop(_)))));
        assert_eq!(read(json!({"address": "Hosur Road", "lat": 12.9, "lng": 77.6}), true), Ok(Some(place)));
        assert!(matches!(read(json!({"lat": 12.9, "lng": 77.6}), false), Ok(Some(Chosen::Place { .. }))));
        for (body, fields) in [
            (json!({}), vec!["destination"]),
            (json!({"workshop_id": id, "lat": 12.9}), vec!["destination.workshop_id"]),
            (json!({"lat": 12.9, "lng": 77.6}), vec!["destination.address"]),
            (json!({"address": "Hosur Road"}), vec!["destination.lat", "destination.lng"]),
        ] {
            assert_eq!(
                read(body.clone(), true),
                Err(fields.into_iter().map(str::to_owned).collect()),
                "{body}"
            );
        }
    }
}
