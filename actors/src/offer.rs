//! An offer as its mechanic may see it. Pure data.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    eta::EtaSource,
    geo::Point,
    ids::{JobId, MechanicId, OfferId, UserId},
    status::{OfferStatus, Urgency},
    vehicle::VehicleType,
};

/// Offers show the pickup rounded to about this many metres: only the assigned mechanic sees the exact pickup.
pub const OFFERED_PICKUP_GRID_M: f64 = 100.0;

/// The problem and the vehicle of a job, as offers show them. The engine passes them on without using them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct JobSummary {
    pub category_name: String,
    pub category_slug: String,
    pub vehicle_make: String,
    pub vehicle_model: String,
    /// The customer's words, shortened and without phone numbers.
    pub description: Option<String>,
    /// The number of photos that came with the job.
    pub photo_count: u32,
    /// The order of the organisation that pays for the job; `None` for a customer's own job.
    #[serde(default)]
    pub order: Option<Arc<PartnerOrder>>,
}

/// The order of an organisation, as far as it is for the mechanic: who they work for, and what they should know.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PartnerOrder {
    /// The organisation's name.
    pub name: String,
    pub purchase_order: Option<String>,
    /// The number of photos without which the work can't be completed.
    pub photos_required: u32,
    /// Whether the helped person and the mechanic see prices.
    pub shows_prices: bool,
    pub notes: Option<String>,
    pub place: OrderedPlace,
    pub vehicle: OrderedVehicle,
}

/// The place where the vehicle of an order stands.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OrderedPlace {
    pub location_type: Option<String>,
    pub clearance_cm: Option<u32>,
    pub keys_at: Option<String>,
    pub is_attended: Option<bool>,
    pub pickup_contact: Option<PlaceContact>,
    pub dropoff_contact: Option<PlaceContact>,
}

/// A person who is at a place of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceContact {
    pub name: String,
    pub phone: String,
}

/// The facts about the vehicle of an order that the catalogue does not keep.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OrderedVehicle {
    pub vin: Option<String>,
    pub odometer_km: Option<u32>,
    pub fuel: Option<String>,
    pub drive: Option<String>,
    pub weight_kg: Option<u32>,
}

/// The destination of a vehicle that is towed, as offers show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OfferedDestination {
    /// Rounded to [`OFFERED_PICKUP_GRID_M`].
    pub place: Point,
    /// The distance from the pickup.
    pub distance_m: u32,
    pub duration_s: u32,
    /// Set if the place is on the operator's list.
    pub workshop_name: Option<String>,
}

/// An offer as its mechanic may see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OfferCard {
    pub id: OfferId,
    pub job_id: JobId,
    pub mechanic_id: MechanicId,
    pub mechanic_user: UserId,
    pub status: OfferStatus,
    pub round: u32,
    pub distance_m: u32,
    pub eta_s: u32,
    pub eta_source: EtaSource,
    pub estimated_price_paise: i64,
    pub category: Uuid,
    pub vehicle_type: VehicleType,
    /// Rounded to [`OFFERED_PICKUP_GRID_M`].
    pub pickup: Point,
    pub destination: Option<OfferedDestination>,
    pub urgency: Urgency,
    pub summary: Arc<JobSummary>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}
