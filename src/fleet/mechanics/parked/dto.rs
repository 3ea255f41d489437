use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;

use super::queries::ParkedAtRow;
use crate::http::{Latitude, Longitude, Text, Timestamp, ValidationErrors};

/// Where a mechanic waits for the next job.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct PlaceToWait {
    pub lat: Latitude,
    pub lng: Longitude,
    /// What they call the place.
    #[deserr(default)]
    pub label: Option<Text<1, 80>>,
}

/// Where a mechanic waits, with the phone in a pocket.
#[derive(Debug, Serialize, ToSchema)]
pub struct ParkedAt {
    pub lat: f64,
    pub lng: f64,
    /// What they call the place; null if they gave no name.
    pub label: Option<String>,
    pub since: Timestamp,
    /// When it ends by itself.
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
    /// Null if they don't.
    pub parked: Option<ParkedAt>,
}
