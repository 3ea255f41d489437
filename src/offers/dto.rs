//! Offers on the wire.

use deserr::Deserr;
use roadcall_actors::{
    eta,
    geo::Point,
    ports::{OFFERED_PICKUP_GRID_M, OfferCard},
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::OfferRow;
use crate::{
    catalogue::vehicles::VehicleKind,
    http::{Money, Text, Timestamp, ValidationErrors, text_enum},
    jobs::Urgency,
};

text_enum! {
    OfferStatus {
        Pending = "pending",
        Accepted = "accepted",
        Declined = "declined",
        Expired = "expired",
        Revoked = "revoked",
    }
}

/// A job that a mechanic may take.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Offer {
    pub id: Uuid,
    pub job_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub status: OfferStatus,
    pub round: u32,
    /// Straight line to the pickup in metres, rounded up to whole 100 m as the pickup is rounded.
    #[schema(multiple_of = 100)]
    pub distance_m: u32,
    /// Seconds to the pickup, in whole minutes rounded up (a multiple of 60): exact ones would undo the rounding of the pickup.
    #[schema(multiple_of = 60)]
    pub eta_s: u32,
    /// Where the ETA comes from: straight_line, straight_line_learned, osrm, osrm_learned.
    pub eta_source: &'static str,
    pub estimated_price: Money,
    pub job: OfferedJob,
    pub expires_at: Timestamp,
    pub created_at: Timestamp,
}

/// What is told of a job before it is taken: no address, no name, no phone.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OfferedJob {
    pub service_category_id: Uuid,
    pub vehicle_type: VehicleKind,
    /// The pickup, rounded to 100 m.
    pub pickup_lat: f64,
    pub pickup_lng: f64,
    pub urgency: Urgency,
}

/// Why an offer is declined; for operators alone.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Decline {
    #[deserr(default)]
    pub reason: Option<Text<1, 200>>,
}

/// Metres, rounded up as coarsely as the pickup is shown.
fn rounded_m(distance_m: u32) -> u32 {
    distance_m.div_ceil(OFFERED_DISTANCE_M).saturating_mul(OFFERED_DISTANCE_M)
}

const OFFERED_DISTANCE_M: u32 = OFFERED_PICKUP_GRID_M as u32;

impl From<OfferRow> for Offer {
    fn from(row: OfferRow) -> Self {
        let whole = |number: i32| u32::try_from(number).unwrap_or_default();
        let pickup = Point::new(row.pickup_lat, row.pickup_lng).snapped(OFFERED_PICKUP_GRID_M);
        Self {
            id: row.id,
            job_id: row.job_id,
            mechanic_profile_id: row.mechanic_profile_id,
            status: OfferStatus::parse(&row.status).unwrap_or(OfferStatus::Revoked),
            round: whole(row.round),
            distance_m: rounded_m(whole(row.distance_m)),
            eta_s: eta::in_whole_minutes(whole(row.eta_s)),
            eta_source: eta::source_named(&row.eta_source).unwrap_or(eta::STRAIGHT_LINE),
            estimated_price: Money(row.estimated_price_paise),
            job: OfferedJob {
                service_category_id: row.service_category_id,
                vehicle_type: VehicleKind::parse(&row.vehicle_type).unwrap_or(VehicleKind::FourWheeler),
                pickup_lat: pickup.lat,
                pickup_lng: pickup.lng,
                urgency: Urgency::parse(&row.urgency).unwrap_or(Urgency::Normal),
            },
            expires_at: row.expires_at.into(),
            created_at: row.created_at.into(),
        }
    }
}

impl From<&OfferCard> for Offer {
    fn from(card: &OfferCard) -> Self {
        Self {
            id: card.id.0,
            job_id: card.job_id.0,
            mechanic_profile_id: card.mechanic_id.0,
            status: OfferStatus::parse(card.status.as_str()).unwrap_or(OfferStatus::Revoked),
            round: card.round,
            distance_m: rounded_m(card.distance_m),
            eta_s: eta::in_whole_minutes(card.eta_s),
            eta_source: card.eta_source,
            estimated_price: Money(card.estimated_price_paise),
            job: OfferedJob {
                service_category_id: card.category,
                vehicle_type: card.vehicle_type.into(),
                pickup_lat: card.pickup.lat,
                pickup_lng: card.pickup.lng,
                urgency: Urgency::parse(card.urgency.as_str()).unwrap_or(Urgency::Normal),
            },
            expires_at: card.expires_at.into(),
            created_at: card.created_at.into(),
        }
    }
}
