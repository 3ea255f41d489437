use deserr::Deserr;
use roadcall_http::{Latitude, Longitude, Text, Timestamp, ValidationErrors};
use serde::Serialize;
use utoipa::ToSchema;

use super::queries::ParkedAtRow;

/// The place where a mechanic waits for the next job.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct PlaceToWait {
    pub lat: Latitude,
    pub lng: Longitude,
    /// The mechanic's name for the place.
    #[deserr(default)]
    pub label: Option<Text<1, 80>>,
}

/// The place where a mechanic waits, with the phone in a pocket.
#[derive(Debug, Serialize, ToSchema)]
pub struct ParkedAt {
    pub lat: f64,
    pub lng: f64,
    /// The mechanic's name for the place; null if they gave none.
    pub label: Option<String>,
    pub since: Timestamp,
    /// When the waiting ends by itself.
    pub until: Timestamp,
}

impl From<ParkedAtRow> for ParkedAt {
    fn from(row: ParkedAtRow) -> Self {
        Self {
            lat: row.parked_lat,
            lng: row.parked_lng,
            label: row.parked_label,
            since: row.parked_since.into(),
            until: row.parked_until.into(),
        }
    }
}

/// Whether the caller waits somewhere.
#[derive(Debug, Serialize, ToSchema)]
pub struct MyParking {
    /// The place; null if the caller does not wait anywhere.
    pub parked: Option<ParkedAt>,
}
