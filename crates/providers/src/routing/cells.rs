//! The cells by which routes are remembered: about 150 m on a side. Pure.

use roadcall_base::geo::Point;

const SIDE_M: f64 = 150.0;
/// The metres in a degree of latitude.
const DEGREE_M: f64 = 111_195.0;

/// A cell of the globe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cell {
    band: i32,
    column: i32,
}

impl Cell {
    pub fn of(point: Point) -> Self {
        let step = SIDE_M / DEGREE_M;
        let band = (point.lat / step).floor();
        // The width is the band's, not the point's, so that all cells of a band are alike.
        let column = point.lng / (step / shrink((band + 0.5) * step));
        Self { band: band as i32, column: column.floor() as i32 }
    }

    /// Returns the eight cells around a point's cell.
    pub fn around(point: Point) -> impl Iterator<Item = Self> {
        let lat_step = SIDE_M / DEGREE_M;
        let lng_step = lat_step / shrink(point.lat);
        let offsets = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];
        offsets.into_iter().map(move |(north, east)| {
            let (lat, lng) = (f64::from(north) * lat_step, f64::from(east) * lng_step);
            Self::of(Point::new(point.lat + lat, point.lng + lng))
        })
    }
}

/// Returns by how much a degree of longitude shrinks: the cosine of the latitude.
fn shrink(lat: f64) -> f64 {
    lat.to_radians().cos().max(0.01)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn points_of_a_cell_are_near_and_a_step_away_is_a_cell_around(
            lat in -80.0..80.0_f64, lng in -179.0..179.0_f64, north in -1.0..1.0_f64, east in -1.0..1.0_f64,
        ) {
            let point = Point::new(lat, lng);
            let step = SIDE_M / DEGREE_M;
            let other = Point::new(lat + north * step, lng + east * step / shrink(lat));
            if Cell::of(point) == Cell::of(other) {
                prop_assert!(point.distance_m(other) < 1.5 * SIDE_M);
            }
            for cell in Cell::around(point) {
                prop_assert!((cell.band - Cell::of(point).band).abs() <= 1);
            }
        }
    }
}
