//! Positions as partners get them.

use roadcall_actors::outbound::Sighting;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::Timestamp;

/// The contents of `job.position`.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PositionContent {
    /// The case of the job.
    pub case_id: Uuid,
    /// The partner's own name for the case.
    pub partner_reference: String,
    pub job_id: Uuid,
    pub lat: f64,
    pub lng: f64,
    /// The radius of the circle in which the phone believes to be, in metres; null if unknown.
    pub accuracy_m: Option<f64>,
    /// The time by the phone's clock, corrected.
    pub recorded_at: Timestamp,
    /// The estimated time to the pickup, or to the destination of a loaded vehicle, in seconds; null at the vehicle.
    pub eta_s: Option<u32>,
    /// The straight line there, in metres.
    pub distance_m: Option<u32>,
}

impl PositionContent {
    pub fn of((case_id, partner_reference): (Uuid, String), sighting: &Sighting) -> Self {
        let (fix, estimate) = (&sighting.fix, sighting.estimate.as_ref());
        Self {
            case_id,
            partner_reference,
            job_id: sighting.job_id.0,
            lat: fix.point.lat,
            lng: fix.point.lng,
            accuracy_m: fix.accuracy_m,
            recorded_at: fix.recorded_at.into(),
            eta_s: estimate.map(|estimate| estimate.eta_s),
            distance_m: estimate.map(|estimate| estimate.distance_m),
        }
    }
}
