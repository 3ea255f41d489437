//! Bodies of partners' requests about cases and their jobs.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use deserr::Deserr;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::types::Json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Vin;
use crate::{
    accounts::{auth::PartnerCaller, users::Language},
    catalogue::vehicles::{FuelType, NewVehicle, RegistrationNumber, VehicleKind},
    http::{
        Id, Invalid, Items, Latitude, Longitude, Name, Phone, Text, Timestamp, ValidationErrors, WholeNumber,
    },
    jobs::{CancelReason, Urgency, towing::NewDestination},
    partners::{
        cases::{
            fleet::drivers::DriverRow,
            queries::CaseRow,
            state::{DriveType, LocationType},
        },
        contracts::{BeneficiaryText, ContractRow},
        feeds::CaseStatus,
    },
};

/// A breakdown, with the first job that it takes.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewCase {
    /// The organisation's name for the contract under which the jobs of the case are ordered.
    pub contract_reference: Text<1, 64>,
    /// The organisation's own name for the case. Repeating the same request returns the same case, and another request with this
    /// name is refused.
    pub partner_reference: Text<1, 64>,
    /// The policy or the cover of the person who is helped.
    #[deserr(default)]
    pub policy_reference: Option<Text<1, 64>>,
    /// Required if the contract requires it.
    #[deserr(default)]
    pub purchase_order: Option<Text<1, 64>>,
    /// The seconds to answer, and then to confirm, in `POST /partner/offers` alone. The default is
    /// `partners.offer_answer_s`.
    #[deserr(default)]
    #[schema(example = 90)]
    pub answer_within_s: Option<WholeNumber<30, 600>>,
    /// The person who is helped; given unless `driver_id` is.
    #[deserr(default)]
    pub beneficiary: Option<NewHelpedPerson>,
    /// A driver of `GET /partner/drivers`, who is helped; given instead of `beneficiary`.
    #[deserr(default)]
    pub driver_id: Option<Id>,
    /// Required, unless the driver has a vehicle of the fleet.
    #[deserr(default)]
    pub vehicle: Option<NewCaseVehicle>,
    #[deserr(default)]
    pub place: Option<NewCasePlace>,
    /// Answers to questions of the category (`questions` of the contract's terms), by their keys.
    #[deserr(default)]
    pub answers: Option<CaseAnswers>,
    /// The texts that the beneficiary gets. The default is the contract's list.
    #[deserr(default)]
    #[schema(value_type = Option<Vec<BeneficiaryText>>, max_items = 4)]
    pub texts: Option<Items<BeneficiaryText, 0, 4>>,
    /// Shown to the mechanic.
    #[deserr(default)]
    pub notes_for_mechanic: Option<Text<1, 1000>>,
    /// Shown only to the organisation and to admins.
    #[deserr(default)]
    pub internal_notes: Option<Text<1, 2000>>,
    pub job: NewCaseJob,
}

impl NewCase {
    /// Returns the row of the case, and its job.
    pub fn row(
        self,
        id: Uuid,
        contract: &ContractRow,
        (caller, digest): (&PartnerCaller, [u8; 32]),
        vehicle_id: Uuid,
        now: DateTime<Utc>,
    ) -> (CaseRow, NewCaseJob) {
        let facts = self.vehicle.as_ref().map(NewCaseVehicle::facts).unwrap_or_default();
        let language = self.beneficiary.as_ref().and_then(|person| person.language.as_ref());
        let language = language.map_or_else(|| "en".to_owned(), |tag| tag.0.clone());
        let (name, phone) = self.beneficiary.map(|person| (person.name.0, person.phone.0)).unzip();
        let texts = self.texts.map_or_else(|| contract.texts.clone(), |texts| texts.collapsed());
        let row = CaseRow {
            id,
            organisation_id: caller.organisation_id,
            contract_id: contract.id,
            made_by: caller.made_by,
            partner_reference: self.partner_reference.0,
            request_sha256: digest.to_vec(),
            status: CaseStatus::Open,
            policy_reference: self.policy_reference.map(|text| text.0),
            purchase_order: self.purchase_order.map(|text| text.0),
            beneficiary_name: name,
            beneficiary_phone: phone,
            beneficiary_language: language,
            vehicle_id: Some(vehicle_id),
            vehicle: Json(facts),
            place: self.place.map(|place| Json(place.into())),
            answers: Json(self.answers.map(|answers| answers.0).unwrap_or_default()),
            notes_for_mechanic: self.notes_for_mechanic.map(|text| text.0),
            internal_notes: self.internal_notes.map(|text| text.0),
            texts,
            offer: None,
            offered_until: None,
            created_at: now,
            updated_at: now,
            closed_at: None,
        };
        (row, self.job)
    }
}

/// Answers to the questions of a category, by the questions' keys: at most 30, which is the most questions that there can be.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, try_from(BTreeMap<String, Value>) = CaseAnswers::new -> Invalid)]
#[schema(example = json!({"wheels_turn": true}))]
pub struct CaseAnswers(pub BTreeMap<String, Value>);

impl CaseAnswers {
    fn new(answers: BTreeMap<String, Value>) -> Result<Self, Invalid> {
        if answers.len() <= 30 { Ok(Self(answers)) } else { Err("must be at most 30 answers".into()) }
    }
}

/// The person who is helped. They need no account.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewHelpedPerson {
    pub name: Name<100>,
    /// The mechanic calls this number, and texts go to it.
    pub phone: Phone,
    /// The language of the texts. The default is en.
    #[deserr(default)]
    pub language: Option<Language>,
}

impl From<DriverRow> for NewHelpedPerson {
    fn from(row: DriverRow) -> Self {
        Self { name: Name(row.name), phone: Phone(row.phone), language: Some(Language(row.language)) }
    }
}

/// The vehicle of a case: one of the organisation's vehicles by its id, or a vehicle with its type and registration number, which
/// is added to them.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewCaseVehicle {
    /// A vehicle of `GET /partner/vehicles`, given without `vehicle_type`, `registration_number`, `make`, `model` and `color`.
    #[deserr(default)]
    pub id: Option<Id>,
    #[deserr(default)]
    pub vehicle_type: Option<VehicleKind>,
    #[deserr(default)]
    pub registration_number: Option<RegistrationNumber>,
    #[deserr(default)]
    pub make: Option<Text<1, 60>>,
    #[deserr(default)]
    pub model: Option<Text<1, 60>>,
    #[deserr(default)]
    pub color: Option<Text<1, 30>>,
    #[deserr(default)]
    pub vin: Option<Vin>,
    /// The kilometres that it has been driven so far.
    #[deserr(default)]
    pub odometer_km: Option<WholeNumber<0, 10_000_000>>,
    #[deserr(default)]
    pub fuel: Option<FuelType>,
    #[deserr(default)]
    pub drive: Option<DriveType>,
    /// Its weight, by which a tow truck is chosen.
    #[deserr(default)]
    pub weight_kg: Option<WholeNumber<1, 100_000>>,
}

/// The vehicle of a case, as it is found or added.
#[derive(Debug)]
pub enum ChosenVehicle {
    Known(Id),
    Described(Box<NewVehicle>),
}

impl NewCaseVehicle {
    /// Returns the vehicle, or adds its faults to `faults`.
    pub fn chosen(&self, faults: &mut ValidationErrors) -> Option<ChosenVehicle> {
        let described = [
            ("vehicle_type", self.vehicle_type.is_some()),
            ("registration_number", self.registration_number.is_some()),
            ("make", self.make.is_some()),
            ("model", self.model.is_some()),
            ("color", self.color.is_some()),
        ];
        if let Some(id) = self.id {
            for (field, _) in described.into_iter().filter(|(_, is_given)| *is_given) {
                faults.add(format!("vehicle.{field}"), "can't be given together with id");
            }
            return Some(ChosenVehicle::Known(id));
        }
        let (Some(vehicle_type), Some(registration_number)) =
            (self.vehicle_type, self.registration_number.clone())
        else {
            for (field, _) in described[..2].iter().filter(|(_, is_given)| !is_given) {
                faults.add(format!("vehicle.{field}"), "is required without an id");
            }
            return None;
        };
        Some(ChosenVehicle::Described(Box::new(NewVehicle {
            vehicle_type,
            make: self.make.clone(),
            model: self.model.clone(),
            registration_number,
            year: None,
            fuel_type: self.fuel,
            color: self.color.clone(),
            is_default: None,
        })))
    }

    /// Returns the facts that a case keeps about its vehicle besides the vehicle itself.
    pub fn facts(&self) -> VehicleFacts {
        VehicleFacts {
            vin: self.vin.clone(),
            odometer_km: self.odometer_km.map(|km| km.0),
            fuel: self.fuel,
            drive: self.drive,
            weight_kg: self.weight_kg.map(|kg| kg.0),
        }
    }
}

/// Facts that a case keeps about its vehicle besides the vehicle itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct VehicleFacts {
    pub vin: Option<Vin>,
    pub odometer_km: Option<i64>,
    pub fuel: Option<FuelType>,
    pub drive: Option<DriveType>,
    pub weight_kg: Option<i64>,
}

/// The place of the vehicle, and the people there.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewCasePlace {
    pub location_type: LocationType,
    /// The height of the entrance, in centimetres.
    #[deserr(default)]
    pub clearance_cm: Option<WholeNumber<50, 2_000>>,
    /// The place of the vehicle's keys.
    #[deserr(default)]
    pub keys_at: Option<Text<1, 200>>,
    /// Whether somebody is with the vehicle.
    #[deserr(default)]
    pub is_attended: Option<bool>,
    /// The person at the vehicle, if not the beneficiary.
    #[deserr(default)]
    pub pickup_contact: Option<NewCaseContact>,
    /// The person who receives the vehicle at its destination.
    #[deserr(default)]
    pub dropoff_contact: Option<NewCaseContact>,
}

/// A person at a place.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewCaseContact {
    pub name: Name<100>,
    pub phone: Phone,
}

impl From<NewCaseContact> for CaseContact {
    fn from(new: NewCaseContact) -> Self {
        Self { name: new.name.0, phone: new.phone.0 }
    }
}

impl From<NewCasePlace> for CasePlace {
    fn from(new: NewCasePlace) -> Self {
        Self {
            location_type: new.location_type,
            clearance_cm: new.clearance_cm.map(|cm| cm.0),
            keys_at: new.keys_at.map(|text| text.0),
            is_attended: new.is_attended,
            pickup_contact: new.pickup_contact.map(Into::into),
            dropoff_contact: new.dropoff_contact.map(Into::into),
        }
    }
}

/// The place of a vehicle, and the people there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CasePlace {
    pub location_type: LocationType,
    /// The height of the entrance, in centimetres; null if it was not given.
    pub clearance_cm: Option<i64>,
    /// The place of the vehicle's keys.
    pub keys_at: Option<String>,
    /// Whether somebody is with the vehicle; null if nobody said.
    pub is_attended: Option<bool>,
    /// The person at the vehicle; null if that is the beneficiary.
    pub pickup_contact: Option<CaseContact>,
    /// The person who receives the vehicle at its destination.
    pub dropoff_contact: Option<CaseContact>,
}

/// A person at a place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CaseContact {
    pub name: String,
    #[schema(example = "+919876543210")]
    pub phone: String,
}

/// A job of a case.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewCaseJob {
    pub service_category_slug: Text<1, 60>,
    pub pickup_address: Text<1, 500>,
    pub pickup_lat: Latitude,
    pub pickup_lng: Longitude,
    /// The place to which the vehicle is towed, if the category takes a destination.
    #[deserr(default)]
    pub destination: Option<NewDestination>,
    #[deserr(default)]
    pub description: Option<Text<1, 2000>>,
    #[deserr(default)]
    pub urgency: Option<Urgency>,
    /// When help should come; dispatch begins some time before. If left out: now.
    #[deserr(default)]
    pub scheduled_for: Option<Timestamp>,
}

/// The reason for which a partner cancels a job.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct CancelAccountJob {
    /// The default is other.
    #[deserr(default)]
    pub reason_code: Option<CancelReason>,
    #[deserr(default)]
    pub reason: Option<Text<1, 500>>,
}

/// The reason for which a partner refuses the proposed time of arrival.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct RefusePromise {
    pub reason: Text<1, 500>,
}

/// An extension of the promised time of arrival, with its reason. The partner sees both.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ExtendPromise {
    /// The minutes that are added to the promised time.
    pub minutes: WholeNumber<1, 240>,
    pub reason: Text<1, 500>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_answers_than_a_category_can_have_questions_are_refused() {
        let answers = |count: i32| (0..count).map(|key| (format!("q{key}"), Value::Null)).collect();
        assert!(CaseAnswers::new(answers(30)).is_ok());
        assert!(CaseAnswers::new(answers(31)).is_err());
    }
}
