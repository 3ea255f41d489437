use deserr::Deserr;
use roadcall_base::geo::Point;
use roadcall_http::{Latitude, Longitude, Param, Text, ValidationErrors, Whole};
use roadcall_platform::error::ApiResult;
use roadcall_providers::places::{FoundPlace, MAX_PLACES, PlaceKind};
use serde::Serialize;
use utoipa::ToSchema;

/// The default number of places in an answer.
const USUAL_PLACES: i64 = 5;

#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct PlaceSearchQuery {
    q: Text<2, 1000>,
    #[deserr(default)]
    near_lat: Option<Param<Latitude>>,
    #[deserr(default)]
    near_lng: Option<Param<Longitude>>,
    #[deserr(default)]
    limit: Option<Param<Whole>>,
}

/// A search that can be made.
pub(super) struct PlaceSearch {
    pub text: String,
    pub near: Option<Point>,
    pub limit: usize,
}

impl PlaceSearchQuery {
    pub(super) fn checked(self) -> ApiResult<PlaceSearch> {
        let most = MAX_PLACES as i64;
        let limit = self.limit.map_or(USUAL_PLACES, |limit| limit.0.0);
        let mut errors = ValidationErrors::default();
        if !(1..=most).contains(&limit) {
            errors.add("limit", format!("must be 1 to {most}"));
        }
        let near = match (self.near_lat, self.near_lng) {
            (Some(lat), Some(lng)) => Some(Point::new(lat.0.0, lng.0.0)),
            (None, None) => None,
            (Some(_), None) => {
                errors.add("near_lng", "is required with near_lat");
                None
            }
            (None, Some(_)) => {
                errors.add("near_lat", "is required with near_lng");
                None
            }
        };
        errors.into_result()?;
        Ok(PlaceSearch { text: self.q.0, near, limit: limit.unsigned_abs() as usize })
    }
}

#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct AddressQuery {
    lat: Param<Latitude>,
    lng: Param<Longitude>,
}

impl AddressQuery {
    pub(super) fn point(&self) -> Point {
        Point::new(self.lat.0.0, self.lng.0.0)
    }
}

/// A place that has a name.
#[derive(Debug, Serialize, ToSchema)]
pub struct Place {
    pub name: String,
    /// The whole address on one line, with the name, suitable for a `pickup_address`.
    pub address: String,
    /// The latitude; five decimal places are about a metre.
    pub lat: f64,
    pub lng: f64,
    pub kind: PlaceKind,
}

impl From<FoundPlace> for Place {
    fn from(FoundPlace { name, address, at, kind }: FoundPlace) -> Self {
        let rounded = |degrees: f64| (degrees * 1e5).round() / 1e5;
        Self { name, address, lat: rounded(at.lat), lng: rounded(at.lng), kind }
    }
}

/// The places that were found, best first.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlaceList {
    pub data: Vec<Place>,
    /// The owner of the data, to be shown with it; null if it need not be shown.
    #[schema(required)]
    pub attribution: Option<String>,
}

/// The address at a point.
#[derive(Debug, Serialize, ToSchema)]
pub struct AddressAt {
    /// Null if no place is known there.
    #[schema(required)]
    pub place: Option<Place>,
    /// The owner of the data, to be shown with it; null if it need not be shown.
    #[schema(required)]
    pub attribution: Option<String>,
}
