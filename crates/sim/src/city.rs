//! Points of a city, and straight lines between them, across the date line too. Pure.

use std::f64::consts::TAU;

use roadcall_actors::geo::Point;

use crate::rng::Rng;

/// The length of a degree of latitude in metres.
const DEGREE_M: f64 = 111_195.0;

/// Returns the point at this share (0 to 1) of the straight line from `from` to `to`.
pub fn between(from: Point, to: Point, share: f64) -> Point {
    // Over a few kilometres a straight line on the plane is the great circle.
    let lng = wrapped(from.lng + wrapped(to.lng - from.lng) * share);
    Point::new(from.lat + (to.lat - from.lat) * share, lng)
}

/// Returns the same longitude, or difference of two, from -180 to 180 degrees.
pub fn wrapped(degrees: f64) -> f64 {
    if (-180.0..=180.0).contains(&degrees) { degrees } else { (degrees + 180.0).rem_euclid(360.0) - 180.0 }
}

/// Returns the point `metres` along the way from `from` to `to`, never past `to`.
pub fn toward(from: Point, to: Point, metres: f64) -> Point {
    let distance = from.distance_m(to);
    if distance <= metres || distance == 0.0 {
        return to;
    }
    between(from, to, metres.max(0.0) / distance)
}

/// Returns the heading of the way from `from` to `to`: degrees clockwise from north, 0 to 360.
pub fn heading(from: Point, to: Point) -> f64 {
    let east = wrapped(to.lng - from.lng) * from.lat.to_radians().cos();
    let north = to.lat - from.lat;
    east.atan2(north).to_degrees().rem_euclid(360.0)
}

/// Returns the point so many metres north and east.
pub fn offset(from: Point, north_m: f64, east_m: f64) -> Point {
    let lat = from.lat + north_m / DEGREE_M;
    Point::new(lat, wrapped(from.lng + east_m / (DEGREE_M * from.lat.to_radians().cos())))
}

/// Returns how many metres north and east of `from` a point is.
pub fn offset_of(from: Point, point: Point) -> (f64, f64) {
    let east = wrapped(point.lng - from.lng) * from.lat.to_radians().cos();
    ((point.lat - from.lat) * DEGREE_M, east * DEGREE_M)
}

/// Returns a point at most `radius_m` away, spread evenly over the disc.
pub fn near(centre: Point, radius_m: f64, rng: Rng) -> Point {
    let (radius, turn) = (radius_m * rng.number(0).share().sqrt(), TAU * rng.number(1).share());
    offset(centre, radius * turn.cos(), radius * turn.sin())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MG_ROAD: Point = Point { lat: 12.9755, lng: 77.6068 };
    const DOMLUR: Point = Point { lat: 12.9609, lng: 77.6387 };

    #[test]
    fn a_step_has_the_given_length_and_leads_towards_the_goal() {
        let step = toward(MG_ROAD, DOMLUR, 500.0);
        assert!((MG_ROAD.distance_m(step) - 500.0).abs() < 2.0);
        let left = MG_ROAD.distance_m(DOMLUR) - step.distance_m(DOMLUR);
        assert!((left - 500.0).abs() < 2.0, "{left}");
    }

    #[test]
    fn a_step_goes_neither_past_the_goal_nor_backwards() {
        assert_eq!(toward(MG_ROAD, DOMLUR, 50_000.0), DOMLUR);
        assert_eq!(toward(MG_ROAD, MG_ROAD, 10.0), MG_ROAD);
        assert_eq!(toward(MG_ROAD, DOMLUR, -5.0), MG_ROAD);
    }

    #[test]
    fn headings_go_clockwise_from_north() {
        for (north_m, east_m, degrees) in
            [(100.0, 0.0, 0.0), (0.0, 100.0, 90.0), (-100.0, 0.0, 180.0), (0.0, -100.0, 270.0)]
        {
            let found = heading(MG_ROAD, offset(MG_ROAD, north_m, east_m));
            assert!((found - degrees).abs() < 0.1, "{found} for {degrees}");
        }
    }

    #[test]
    fn an_offset_has_the_given_length() {
        let there = offset(MG_ROAD, 300.0, -400.0);
        assert!((MG_ROAD.distance_m(there) - 500.0).abs() < 2.0);
    }

    #[test]
    fn a_way_across_the_date_line_is_as_short_as_any_other() {
        let from = Point::new(-17.0, 179.999);
        let to = offset(from, 0.0, 1_000.0);
        assert!(to.lng < -179.0 && (from.distance_m(to) - 1_000.0).abs() < 2.0, "{to:?}");
        let step = toward(from, to, 500.0);
        assert!((from.distance_m(step) - 500.0).abs() < 2.0, "{step:?}");
        assert!((heading(from, to) - 90.0).abs() < 0.1);
        let (north_m, east_m) = offset_of(from, to);
        assert!(north_m.abs() < 1.0 && (east_m - 1_000.0).abs() < 1.0, "{north_m} {east_m}");
    }

    #[test]
    fn points_near_a_centre_stay_within_the_radius() {
        for n in 0..200 {
            let point = near(MG_ROAD, 600.0, Rng::new(1).number(n));
            assert!(point.distance_m(MG_ROAD) <= 601.0);
        }
    }
}
