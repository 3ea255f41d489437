use deserr::Deserr;
use roadcall_actors::geo::Point;
use roadcall_http::{
    Change, CsvRow, Latitude, Longitude, Param, Patch, Phone, Text, Timestamp, ValidationErrors, Whole,
};
use roadcall_platform::{db::StoredRow, error::ApiResult};
use serde::Serialize;
use sqlx::FromRow;
use utoipa::ToSchema;
use uuid::Uuid;

/// The maximum number of workshops in an answer, and the default.
const MAX_LIMIT: i64 = 50;
const USUAL: i64 = 20;

/// `?lat=&lng=&limit=`
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NearestQuery {
    lat: Param<Latitude>,
    lng: Param<Longitude>,
    #[deserr(default)]
    limit: Option<Param<Whole>>,
}

impl NearestQuery {
    /// Returns the place and the number of workshops.
    pub(super) fn checked(self) -> ApiResult<(Point, usize)> {
        let limit = self.limit.map_or(USUAL, |limit| limit.0.0);
        let mut errors = ValidationErrors::default();
        if !(1..=MAX_LIMIT).contains(&limit) {
            errors.add("limit", format!("must be 1 to {MAX_LIMIT}"));
        }
        errors.into_result()?;
        Ok((Point::new(self.lat.0.0, self.lng.0.0), limit.unsigned_abs() as usize))
    }
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewWorkshop {
    pub name: Text<1, 100>,
    pub address: Text<1, 500>,
    pub lat: Latitude,
    pub lng: Longitude,
    #[deserr(default)]
    pub phone: Option<Phone>,
    /// True if not given.
    #[deserr(default)]
    pub is_active: Option<bool>,
}

/// The fields to change; all others stay.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct WorkshopChanges {
    #[deserr(default)]
    #[schema(value_type = Text<1, 100>, required = false)]
    pub name: Change<Text<1, 100>>,
    #[deserr(default)]
    #[schema(value_type = Text<1, 500>, required = false)]
    pub address: Change<Text<1, 500>>,
    #[deserr(default)]
    #[schema(value_type = Latitude, required = false)]
    pub lat: Change<Latitude>,
    #[deserr(default)]
    #[schema(value_type = Longitude, required = false)]
    pub lng: Change<Longitude>,
    #[deserr(default)]
    #[schema(value_type = Option<Phone>)]
    pub phone: Patch<Phone>,
    #[deserr(default)]
    #[schema(value_type = bool, required = false)]
    pub is_active: Change<bool>,
}

/// A workshop that vehicles are towed to.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema, FromRow)]
pub struct Workshop {
    pub id: Uuid,
    pub name: String,
    pub address: String,
    pub lat: f64,
    pub lng: f64,
    pub phone: Option<String>,
    /// Whether customers can choose it.
    pub is_active: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl StoredRow for Workshop {
    const TABLE: &'static str = "workshops";
}

impl CsvRow for Workshop {
    const COLUMNS: &'static [&'static str] =
        &["id", "name", "address", "lat", "lng", "phone", "is_active", "created_at", "updated_at"];
}

/// A workshop and its distance.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct NearWorkshop {
    pub id: Uuid,
    pub name: String,
    pub address: String,
    pub lat: f64,
    pub lng: f64,
    pub phone: Option<String>,
    /// The straight-line distance from the requested place, in metres.
    pub distance_m: u32,
}

impl NearWorkshop {
    pub fn of(row: Workshop, distance_m: f64) -> Self {
        Self {
            id: row.id,
            name: row.name,
            address: row.address,
            lat: row.lat,
            lng: row.lng,
            phone: row.phone,
            distance_m: distance_m.round() as u32,
        }
    }
}
