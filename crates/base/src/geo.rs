//! Positions and distances on the globe.

use geo::{Distance, Haversine, Point as GeoPoint};
use serde::{Deserialize, Serialize};

/// The distance from pole to pole: no two points are farther apart (mean earth radius 6,371,008.8 m).
pub const HALF_AROUND_M: f64 = 6_371_008.8 * std::f64::consts::PI;

/// A position in degrees (WGS 84).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub lat: f64,
    pub lng: f64,
}

impl Point {
    /// Takes a latitude from -90 to 90 and a longitude from -180 to 180; the code that reads them from input checks
    /// that.
    pub fn new(lat: f64, lng: f64) -> Self {
        Self { lat, lng }
    }

    /// Returns the great-circle distance in metres (haversine, mean earth radius).
    pub fn distance_m(self, to: Point) -> f64 {
        let distance = Haversine.distance(GeoPoint::new(self.lng, self.lat), GeoPoint::new(to.lng, to.lat));
        // For two opposite points, rounding may make a sine greater than 1.
        if distance.is_nan() { HALF_AROUND_M } else { distance }
    }

    /// Returns the cell that contains the point.
    pub fn cell(self) -> Cell {
        Cell::of(self)
    }

    /// Returns the area that contains the point.
    pub fn area(self) -> Area {
        Area::of(self)
    }

    /// Returns the centre of the point's cell in a fixed grid of about `metres` on a side, so that an exact
    /// position is not shown.
    pub fn snapped(self, metres: f64) -> Point {
        // A degree of latitude is 111.2 km; a degree of longitude shrinks with the cosine of the latitude.
        let lat_step = metres / 111_195.0;
        let lat = snap(self.lat, lat_step).clamp(-90.0, 90.0);
        let lng_step = lat_step / lat.to_radians().cos().max(0.01);
        Point { lat, lng: snap(self.lng, lng_step).clamp(-180.0, 180.0) }
    }
}

/// A part of the globe between two parallels and two meridians, edges included. If `west` is greater than `east`, it
/// crosses the date line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    pub west: f64,
    pub south: f64,
    pub east: f64,
    pub north: f64,
}

impl Bounds {
    pub fn contains(&self, point: Point) -> bool {
        let is_between = match self.crosses_date_line() {
            true => point.lng >= self.west || point.lng <= self.east,
            false => (self.west..=self.east).contains(&point.lng),
        };
        is_between && (self.south..=self.north).contains(&point.lat)
    }

    /// Returns the width in degrees, from west to east.
    pub fn width(&self) -> f64 {
        self.east - self.west + if self.crosses_date_line() { 360.0 } else { 0.0 }
    }

    pub fn crosses_date_line(&self) -> bool {
        self.west > self.east
    }
}

/// A square of the globe, with `PER_DEGREE` of them on a degree of latitude and of longitude.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square<const PER_DEGREE: i32> {
    lat: i32,
    lng: i32,
}

/// A square of about 22 km on a side: fine enough to tell one town from the next.
pub type Cell = Square<5>;

/// A square of about 2 km on a side: a part of a town.
pub type Area = Square<50>;

impl<const PER_DEGREE: i32> Square<PER_DEGREE> {
    fn of(point: Point) -> Self {
        let index = |degrees: f64| (degrees * f64::from(PER_DEGREE)).floor() as i32;
        Self { lat: index(point.lat), lng: index(point.lng) }.step(0, 0)
    }

    /// Returns the square itself, then the eight around it.
    pub fn neighbourhood(self) -> impl Iterator<Item = Self> {
        let around = (-1..=1).flat_map(|north| (-1..=1).map(move |east| (north, east)));
        let others = around.filter(|step| *step != (0, 0));
        std::iter::once((0, 0)).chain(others).map(move |(north, east)| self.step(north, east))
    }

    /// Returns the square that is this many steps away, even across the date line.
    fn step(self, north: i32, east: i32) -> Self {
        let half = 180 * PER_DEGREE;
        Self { lat: self.lat + north, lng: (self.lng + east + half).rem_euclid(2 * half) - half }
    }

    /// Returns the middle of the square.
    pub fn centre(self) -> Point {
        let middle = |index: i32| (f64::from(index) + 0.5) / f64::from(PER_DEGREE);
        Point::new(middle(self.lat), middle(self.lng))
    }
}

/// The squares of a map, counted from the south pole and from 180° west.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Squares {
    /// The side of a square.
    pub degrees: f64,
}

impl Squares {
    pub fn row(self, lat: f64) -> i64 {
        ((lat + 90.0) / self.degrees).floor() as i64
    }

    /// Returns the row and column of the square that contains a point. The pole is in the last row, and 180° east
    /// is 180° west.
    pub fn of(self, point: Point) -> (i64, i64) {
        let rows = (180.0 / self.degrees).ceil() as i64;
        let column = ((point.lng + 180.0) / self.degrees).floor() as i64;
        (self.row(point.lat).min(rows - 1), column.rem_euclid((360.0 / self.degrees).ceil() as i64))
    }

    pub fn middle(self, (row, column): (i64, i64)) -> Point {
        let middle = |index: i64| (index as f64 + 0.5) * self.degrees;
        Point::new(middle(row) - 90.0, middle(column) - 180.0)
    }
}

/// The straight line times a detour factor, at a constant speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StraightLine {
    pub detour_factor: f64,
    pub speed_mps: f64,
}

impl StraightLine {
    /// Returns the seconds for a straight line of this many metres.
    pub fn seconds(&self, distance_m: f64) -> f64 {
        distance_m * self.detour_factor / self.speed_mps
    }
}

fn snap(degrees: f64, step: f64) -> f64 {
    // Six places are 0.1 m: enough, and short on the wire.
    (((degrees / step).floor() + 0.5) * step * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_degree_of_latitude_is_about_111_km() {
        let distance = Point::new(12.0, 77.0).distance_m(Point::new(13.0, 77.0));
        assert!((distance - 111_195.0).abs() < 50.0, "{distance}");
    }

    #[test]
    fn distances_cross_the_antimeridian() {
        let distance = Point::new(0.0, 179.999).distance_m(Point::new(0.0, -179.999));
        assert!(distance < 250.0, "{distance}");
    }

    #[test]
    fn a_cell_has_its_neighbours_across_the_date_line_too() {
        let east = Point::new(0.05, 179.95).cell();
        let west = Point::new(0.05, -179.95).cell();
        assert!(east.neighbourhood().any(|cell| cell == west));
        assert_eq!(east.neighbourhood().count(), 9);
        assert!(Point::new(0.1, 179.9).distance_m(east.centre()) < 1.0);
    }

    #[test]
    fn opposite_points_are_half_the_globe_apart() {
        for tenth in -900..=900 {
            let lat = f64::from(tenth) / 10.0;
            let distance = Point::new(lat, 0.0).distance_m(Point::new(-lat, 180.0));
            assert!((distance - HALF_AROUND_M).abs() < 1.0, "{lat}: {distance}");
        }
    }

    #[test]
    fn a_snapped_position_is_near_and_shared_by_its_cell() {
        let point = Point::new(12.971_599, 77.594_566);
        let snapped = point.snapped(200.0);
        assert!(point.distance_m(snapped) < 150.0);
        assert_eq!(snapped, Point::new(12.971_650, 77.594_600).snapped(200.0));
    }

    #[test]
    fn a_snapped_position_is_the_middle_of_its_cell_wherever_that_is_on_the_globe() {
        for ((lat, lng), metres, (to_lat, to_lng)) in [
            ((12.971_599, 77.594_566), 200.0, (12.970_907, 77.593_884)),
            ((60.17, -24.94), 200.0, (60.170_871, -24.941_209)),
            ((-33.86, 151.2), 1_000.0, (-33.863_933, 151.198_545)),
            // At the poles and the date line, the middle would be beyond the edge.
            ((89.999_9, 179.9), 5_000.0, (89.999_55, 180.0)),
            ((-89.999_9, -179.9), 5_000.0, (-89.999_55, -180.0)),
        ] {
            assert_eq!(Point::new(lat, lng).snapped(metres), Point::new(to_lat, to_lng), "{lat} {lng}");
        }
    }

    #[test]
    fn the_squares_around_one_come_from_the_south_and_from_the_west() {
        let places = |square: Cell| {
            let centres = square.neighbourhood().map(Cell::centre);
            centres.map(|Point { lat, lng }| [lat, lng].map(|degrees| (degrees * 10.0).round() as i32))
        };
        let around: Vec<_> = places(Point::new(12.97, 179.9).cell()).collect();
        let (south, here, north) = (127, 129, 131);
        let (west, middle, east) = (1797, 1799, -1799);
        let expected = [
            [here, middle],
            [south, west],
            [south, middle],
            [south, east],
            [here, west],
            [here, east],
            [north, west],
            [north, middle],
            [north, east],
        ];
        assert_eq!(around, expected);
    }

    #[test]
    fn a_part_of_the_map_may_lie_on_both_sides_of_the_date_line() {
        let here = Bounds { west: 10.0, south: -1.0, east: 20.0, north: 1.0 };
        let across = Bounds { west: 170.0, east: -160.0, ..here };
        assert_eq!((here.crosses_date_line(), here.width()), (false, 10.0));
        assert_eq!((across.crosses_date_line(), across.width()), (true, 30.0));
        for (lng, is_here, is_across) in [
            (9.9, false, false),
            (10.0, true, false),
            (20.0, true, false),
            (20.1, false, false),
            (169.9, false, false),
            (170.0, false, true),
            (180.0, false, true),
            (-180.0, false, true),
            (-160.0, false, true),
            (-159.9, false, false),
        ] {
            let point = Point::new(0.5, lng);
            assert_eq!((here.contains(point), across.contains(point)), (is_here, is_across), "{lng}");
            for lat in [-1.1, 1.1] {
                let outside = Point::new(lat, lng);
                assert!(!here.contains(outside) && !across.contains(outside), "{lat} {lng}");
            }
        }
    }

    #[test]
    fn squares_of_a_map_are_counted_from_the_south_and_the_west() {
        let squares = Squares { degrees: 0.5 };
        for (lat, lng, square) in [
            (-90.0, -180.0, (0, 0)),
            (-89.6, -179.6, (0, 0)),
            (-89.5, -179.5, (1, 1)),
            (12.97, 77.59, (205, 515)),
            (89.9, 179.9, (359, 719)),
            (90.0, 180.0, (359, 0)),
        ] {
            assert_eq!(squares.of(Point::new(lat, lng)), square, "{lat} {lng}");
        }
        assert_eq!(squares.middle((0, 0)), Point::new(-89.75, -179.75));
        assert_eq!(squares.middle((205, 515)), Point::new(12.75, 77.75));
        // The remainder is a square as well.
        let odd = Squares { degrees: 0.7 };
        assert_eq!(odd.of(Point::new(90.0, 179.99)), (257, 514));
        assert_eq!(odd.of(Point::new(12.97, 77.59)), (147, 367));
    }
}
