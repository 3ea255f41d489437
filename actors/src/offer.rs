//! An offer as its mechanic may see it. Pure data.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{
    geo::Point,
    ids::{JobId, MechanicId, OfferId, UserId},
    status::{OfferStatus, Urgency},
    vehicle::VehicleType,
};

/// Offers show the pickup rounded to about this many metres: only the assigned mechanic sees the exact one.
pub const OFFERED_PICKUP_GRID_M: f64 = 100.0;

/// An offer as its mechanic may see it.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferCard {
    pub id: OfferId,
    pub job_id: JobId,
    pub mechanic_id: MechanicId,
    pub mechanic_user: UserId,
    pub status: OfferStatus,
    pub round: u32,
    pub distance_m: u32,
    pub eta_s: u32,
    pub eta_source: &'static str,
    pub estimated_price_paise: i64,
    pub category: Uuid,
    pub vehicle_type: VehicleType,
    /// Rounded to [`OFFERED_PICKUP_GRID_M`].
    pub pickup: Point,
    pub urgency: Urgency,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}
