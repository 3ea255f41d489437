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
