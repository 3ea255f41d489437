use deserr::Deserr;
use roadcall_actors::{engine::SupplyAvailability, eta, geo::Point};
use roadcall_http::{Id, Latitude, Longitude, Param, ValidationErrors};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{catalogue::vehicles::VehicleKind, fleet::eta::EtaSourceName};

/// Whether the mechanic wants jobs, and optionally their present position.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct AvailabilityWish {
    pub is_available: bool,
    /// The latitude of a position taken now; requires `lng`.
    #[deserr(default)]
    pub lat: Option<Latitude>,
    #[deserr(default)]
    pub lng: Option<Longitude>,
}

impl AvailabilityWish {
    /// Returns the position, or 422 if only one coordinate is given.
    pub fn position(&self) -> Result<Option<Point>, ValidationErrors> {
        let mut errors = ValidationErrors::default();
        match (self.lat, self.lng) {
            (Some(lat), Some(lng)) => return Ok(Some(Point::new(lat.0, lng.0))),
            (None, None) => return Ok(None),
            (Some(_), None) => errors.add("lng", "is required beside lat"),
            (None, Some(_)) => errors.add("lat", "is required beside lng"),
        }
        Err(errors)
    }
}

/// `?lat=&lng=&vehicle_type=&service_category_id=`
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NearbyQuery {
    pub lat: Param<Latitude>,
    pub lng: Param<Longitude>,
    pub vehicle_type: Param<VehicleKind>,
    pub service_category_id: Id,
}

/// The mechanics who could help at a place now, without revealing who they are or exactly where. Everything is computed as if
/// each mechanic were in the middle of their cell of a fixed 200 m grid, so that asking from many places reveals no more than the
/// cell.
#[derive(Debug, Serialize, ToSchema)]
pub struct NearbyMechanics {
    /// The number of mechanics, capped at 1,000.
    #[schema(maximum = 1_000)]
    pub count: u32,
    /// The seconds until the nearest could be there, in whole minutes rounded up (a multiple of 60); null if there is none.
    #[schema(multiple_of = 60)]
    pub nearest_eta_s: Option<u32>,
    /// The source of that estimate.
    pub eta_source: Option<EtaSourceName>,
    /// The centres of the cells that contain a mechanic; at most those of the nearest 50.
    pub positions: Vec<Position>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct Position {
    pub lat: f64,
    pub lng: f64,
}

impl From<SupplyAvailability> for NearbyMechanics {
    fn from(supply: SupplyAvailability) -> Self {
        // Sorted, because two mechanics in one cell need not follow each other.
        let mut cells = supply.cells;
        cells.sort_by(|a, b| a.lat.total_cmp(&b.lat).then(a.lng.total_cmp(&b.lng)));
        cells.dedup();
        Self {
            count: u32::try_from(supply.count).unwrap_or(u32::MAX),
            nearest_eta_s: supply.nearest.map(|estimate| eta::in_whole_minutes(estimate.eta_s)),
            eta_source: supply.nearest.map(|estimate| estimate.source.into()),
            positions: cells.into_iter().map(|Point { lat, lng }| Position { lat, lng }).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_mechanics_in_a_cell_are_one_position_and_the_order_reveals_no_distance() {
        let (near, far) = (Point::new(12.9716, 77.5946), Point::new(12.9, 77.5));
        let supply = SupplyAvailability { count: 3, nearest: None, cells: vec![near, far, near] };
        let shown = NearbyMechanics::from(supply);
        assert_eq!((shown.count, shown.positions.len()), (3, 2));
        assert!(shown.positions[0].lat < shown.positions[1].lat);
    }
}
