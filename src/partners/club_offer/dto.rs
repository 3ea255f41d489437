//! The offers of clubs on the wire.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{ClubOffer, ClubRefusalReason, ClubStage};
use crate::http::Timestamp;

/// The help for which a club asks, and the stage of its offer.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OfferSnapshot {
    pub stage: ClubStage,
    /// Until when dispatchers can answer, or, after an acceptance, the club can confirm.
    pub offered_until: Timestamp,
    /// When a dispatcher asked the club to call; null if nobody did.
    pub call_asked_at: Option<Timestamp>,
    /// The minutes until the arrival, as they were promised; null before the acceptance.
    pub eta_min: Option<i64>,
    /// The promised time of arrival.
    pub promised_at: Option<Timestamp>,
    /// Null unless it was refused.
    pub refusal_reason: Option<ClubRefusalReason>,
    #[schema(example = "flat-tyre")]
    pub service_category_slug: String,
    pub pickup_address: String,
    pub pickup_lat: f64,
    pub pickup_lng: f64,
    /// The address to which the vehicle is towed; null if it is not towed, or the workshop was named by its id.
    pub destination_address: Option<String>,
    pub description: Option<String>,
}

impl OfferSnapshot {
    pub fn of(offer: &ClubOffer, until: DateTime<Utc>) -> Self {
        // The job was checked before it was kept.
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let job = &offer.job;
        Self {
            stage: offer.stage,
            offered_until: until.into(),
            call_asked_at: offer.call_asked_at.map(Into::into),
            eta_min: offer.eta_min,
            promised_at: offer.promised_at.map(Into::into),
            refusal_reason: offer.refusal_reason,
            service_category_slug: text(&job["service_category_slug"]).unwrap_or_default(),
            pickup_address: text(&job["pickup_address"]).unwrap_or_default(),
            pickup_lat: job["pickup_lat"].as_f64().unwrap_or_default(),
            pickup_lng: job["pickup_lng"].as_f64().unwrap_or_default(),
            destination_address: text(&job["destination"]["address"]),
            description: text(&job["description"]),
        }
    }
}
