use deserr::Deserr;
use roadcall_actors::geo::Point;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    http::{Latitude, Longitude, Param, Timestamp, ValidationErrors, text_enum},
    platform::error::ApiResult,
};

/// The state of the demo city.
#[derive(Debug, Serialize, ToSchema)]
pub struct DemoState {
    /// Whether the demo city is being played.
    pub is_playing: bool,
    /// Whether it plays around another point than where the city is, because somebody asked for it from there.
    pub is_moved: bool,
    /// The middle of the city, where it plays or would play.
    pub center: DemoPlace,
    /// When it began to play; null unless it plays.
    #[schema(required)]
    pub started_at: Option<Timestamp>,
    /// The city's name.
    #[schema(example = "Bengaluru, a weekday evening")]
    pub title: String,
    /// Why it ended by itself; null if it did not.
    #[schema(required)]
    pub failure: Option<String>,
}

/// A point of the map.
#[derive(Debug, Serialize, ToSchema)]
pub struct DemoPlace {
    #[schema(example = 12.9716)]
    pub lat: f64,
    #[schema(example = 77.5946)]
    pub lng: f64,
}

/// The place of the person who asks for the city.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct PlayParams {
    #[deserr(default)]
    lat: Option<Param<Latitude>>,
    #[deserr(default)]
    lng: Option<Param<Longitude>>,
}

impl PlayParams {
    pub(super) fn point(self) -> ApiResult<Option<Point>> {
        let mut errors = ValidationErrors::default();
        match (self.lat, self.lng) {
            (Some(lat), Some(lng)) => return Ok(Some(Point::new(lat.0.0, lng.0.0))),
            (None, None) => {}
            (Some(_), None) => errors.add("lng", "is required with lat"),
            (None, Some(_)) => errors.add("lat", "is required with lng"),
        }
        errors.into_result()?;
        Ok(None)
    }
}

text_enum! {
    /// The person to sign in as: each role is one person, the same every time.
    DemoRole {
        /// A super-admin.
        Admin = "admin",
        /// Has a name and a vehicle.
        Customer = "customer",
        /// Verified, for all vehicles and every kind of help.
        Mechanic = "mechanic",
    }
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct DemoSignIn {
    #[deserr(rename = "as")]
    #[schema(rename = "as")]
    pub role: DemoRole,
}
