//! The organisation that ordered a job, on the wire.

use roadcall_actors::offer::{OrderedVehicle, PartnerOrder, PlaceContact};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{http::Money, jobs::summary::offered_description};

/// The organisation that ordered a job and pays for it, and what it says about the vehicle and its place. Fields that are not
/// known, or not meant for this reader, are null.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct JobPartner {
    /// The organisation's name.
    #[schema(example = "Bharat Insurance")]
    pub name: String,
    /// The organisation's case, which `GET /admin/partner-cases/{id}` shows; only admins see its id.
    pub case_id: Option<Uuid>,
    /// The organisation's purchase order for the job.
    #[schema(example = "PO-2026-118")]
    pub purchase_order: Option<String>,
    /// The number of photos without which the work can't be completed.
    #[schema(example = 2)]
    pub photos_required: u32,
    /// Whether the mechanic sees prices. If not, each price of the job is the mechanic's share of it.
    pub shows_prices: bool,
    /// The mechanic's share of the price, after tax and commission; until the work is done, approved line items are added.
    pub earnings: Money,
    /// The part of the price that the helped person pays in cash. It is shown only in `GET /jobs/{id}`, once the work is done; null
    /// elsewhere does not mean a change.
    pub driver_pays: Option<Money>,
    /// The organisation's notes for the mechanic. An offer shows them like a customer's description.
    #[schema(example = "The gate is locked after ten.")]
    pub notes_for_mechanic: Option<String>,
    /// The kind of place: garage, basement, roadside, highway, home or other.
    #[schema(example = "basement")]
    pub location_type: Option<String>,
    /// The height of the entrance.
    #[schema(example = 190)]
    pub clearance_cm: Option<u32>,
    /// The place of the keys; only the mechanic on the job sees it.
    #[schema(example = "At the guard's desk")]
    pub keys_at: Option<String>,
    /// Whether somebody is with the vehicle.
    pub is_attended: Option<bool>,
    /// Further facts about the vehicle.
    pub vehicle: JobPartnerVehicle,
    /// The person at the vehicle. Shown, like the next one, as long as the people of a job are.
    pub pickup_contact: Option<JobPartnerContact>,
    /// The person at the destination.
    pub dropoff_contact: Option<JobPartnerContact>,
}

/// Facts about the vehicle that the catalogue does not keep.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct JobPartnerVehicle {
    /// The vehicle's identification number; only the mechanic on the job sees it.
    #[schema(example = "MA3ERLF1S00123456")]
    pub vin: Option<String>,
    /// The distance that the vehicle has been driven, in kilometres.
    #[schema(example = 48_200)]
    pub odometer_km: Option<u32>,
    /// The kind of fuel.
    #[schema(example = "diesel")]
    pub fuel: Option<String>,
    /// The driven wheels.
    #[schema(example = "front")]
    pub drive: Option<String>,
    /// The vehicle's weight.
    #[schema(example = 1_450)]
    pub weight_kg: Option<u32>,
}

/// A person at a place of the job.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct JobPartnerContact {
    #[schema(example = "Ravi Kumar")]
    pub name: String,
    /// The person's number; null unless the service shows numbers (`jobs.show_contact_numbers`).
    #[schema(example = "+919845012345")]
    pub phone: Option<String>,
}

impl JobPartner {
    /// Returns all that the order says, which does not include the case.
    pub fn of(order: &PartnerOrder, earnings: Money) -> Self {
        let PartnerOrder { place, vehicle, .. } = order.clone();
        Self {
            name: order.name.clone(),
            case_id: None,
            purchase_order: order.purchase_order.clone(),
            photos_required: order.photos_required,
            shows_prices: order.shows_prices,
            earnings,
            driver_pays: None,
            notes_for_mechanic: order.notes.clone(),
            location_type: place.location_type,
            clearance_cm: place.clearance_cm,
            keys_at: place.keys_at,
            is_attended: place.is_attended,
            vehicle: vehicle.into(),
            pickup_contact: place.pickup_contact.map(Into::into),
            dropoff_contact: place.dropoff_contact.map(Into::into),
        }
    }

    /// Returns what an offer shows: neither people nor anything by which the vehicle could be found or opened.
    pub fn offered(order: &PartnerOrder, earnings: Money) -> Self {
        let all = Self::of(order, earnings);
        let notes_for_mechanic = all.notes_for_mechanic.as_deref().map(offered_description);
        Self { notes_for_mechanic, ..all.without_access().without_contacts() }
    }

    /// Removes what only the mechanic on the job needs.
    pub(in crate::jobs) fn without_access(self) -> Self {
        Self { keys_at: None, vehicle: JobPartnerVehicle { vin: None, ..self.vehicle }, ..self }
    }

    /// Removes the people.
    pub(in crate::jobs) fn without_contacts(self) -> Self {
        Self { pickup_contact: None, dropoff_contact: None, ..self }
    }

    /// Removes the people's numbers.
    pub(in crate::jobs) fn without_numbers(self) -> Self {
        let nameless = |contact: JobPartnerContact| JobPartnerContact { phone: None, ..contact };
        let (pickup_contact, dropoff_contact) =
            (self.pickup_contact.map(nameless), self.dropoff_contact.map(nameless));
        Self { pickup_contact, dropoff_contact, ..self }
    }

    /// Removes everything about the place, the vehicle and the people, as in a mechanic's old jobs.
    pub fn roughly(self) -> Self {
        let vehicle = OrderedVehicle::default().into();
        let (notes_for_mechanic, location_type, clearance_cm, is_attended) = (None, None, None, None);
        let past = Self { notes_for_mechanic, location_type, clearance_cm, is_attended, vehicle, ..self };
        past.without_access().without_contacts()
    }
}

impl From<OrderedVehicle> for JobPartnerVehicle {
    fn from(vehicle: OrderedVehicle) -> Self {
        let OrderedVehicle { vin, odometer_km, fuel, drive, weight_kg } = vehicle;
        Self { vin, odometer_km, fuel, drive, weight_kg }
    }
}

impl From<PlaceContact> for JobPartnerContact {
    fn from(contact: PlaceContact) -> Self {
        Self { name: contact.name, phone: Some(contact.phone) }
    }
}
