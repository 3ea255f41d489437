//! Moving over the map in a straight line. Pure.

use roadcall_actors::geo::Point;

/// Metres of a degree of latitude.
const DEGREE_M: f64 = 111_195.0;

/// `metres` on the way from `from` to `to`, and never past it.
pub fn toward(from: Point, to: Point, metres: f64) -> Point {
    let distance = from.distance_m(to);
    if distance <= metres || distance == 0.0 {
        return to;
    }
    // Over a few kilometres a straight line on the plane is the great circle.
    let share = metres.max(0.0) / distance;
    Point::new(from.lat + (to.lat - from.lat) * share, from.lng + (to.lng - from.lng) * share)
}

/// Degrees clockwise from north, 0 to 360, for the way from `from` to `to`.
pub fn heading(from: Point, to: Point) -> f64 {
    let east = (to.lng - from.lng) * from.lat.to_radians().cos();
    let north = to.lat - from.lat;
    east.atan2(north).to_degrees().rem_euclid(360.0)
}

/// The point so many metres north and east.
pub fn offset(from: Point, north_m: f64, east_m: f64) -> Point {
    let lat = from.lat + north_m / DEGREE_M;
    Point::new(lat, from.lng + east_m / (DEGREE_M * from.lat.to_radians().cos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MG_ROAD: Point = Point { lat: 12.9755, lng: 77.6068 };
    const DOMLUR: Point = Point { lat: 12.9609, lng: 77.6387 };

    #[test]
    fn a_step_is_as_long_as_asked_and_leads_there() {
        let step = toward(MG_ROAD, DOMLUR, 500.0);
        assert!((MG_ROAD.distance_m(step) - 500.0).abs() < 2.0);
        let left = MG_ROAD.distance_m(DOMLUR) - step.distance_m(DOMLUR);
        assert!((left - 500.0).abs() < 2.0, "{left}");
    }

    #[test]
    fn nobody_walks_past_the_goal_nor_backwards() {
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
    fn an_offset_is_as_far_as_asked() {
        let there = offset(MG_ROAD, 300.0, -400.0);
        assert!((MG_ROAD.distance_m(there) - 500.0).abs() < 2.0);
    }
}
