//! The city on a plane, so that a distance costs a square root. Pure.

use roadcall_actors::geo::Point;

use crate::city;

/// Metres of a degree of latitude on the sphere of [`Point::distance_m`].
const DEGREE_M: f64 = 6_371_008.8 * std::f64::consts::PI / 180.0;
/// The least ratio of the chord through the sphere to a great circle within 300 km.
const CHORD: f64 = 0.9998;

/// A place in metres east and north of the middle of the city.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    pub x: f64,
    pub y: f64,
}

/// A plane on which no distance is longer than on the globe: degrees of longitude are taken where they are shortest.
#[derive(Debug, Clone, Copy)]
pub struct Plane {
    centre: Point,
    degree_east_m: f64,
    degree_north_m: f64,
    /// No distance on the globe is longer than this many times the distance on the plane.
    pub stretch: f64,
}

impl Plane {
    /// Builds the plane for these points, and all that are at most `radius_m` from the centre.
    pub fn around(centre: Point, radius_m: f64, points: impl Iterator<Item = Point>) -> Self {
        let city = radius_m / DEGREE_M * 1.01;
        let reach = points.map(|point| (point.lat - centre.lat).abs()).fold(city, f64::max);
        let (least, most) = ((centre.lat.abs() - reach).max(0.0), (centre.lat.abs() + reach).min(89.0));
        let (longest, shortest) = (least.to_radians().cos(), most.to_radians().cos());
        Self {
            centre,
            degree_east_m: DEGREE_M * CHORD * shortest,
            degree_north_m: DEGREE_M * CHORD,
            stretch: longest / shortest / CHORD,
        }
    }

    pub fn place(&self, point: Point) -> Place {
        Place {
            x: city::wrapped(point.lng - self.centre.lng) * self.degree_east_m,
            y: (point.lat - self.centre.lat) * self.degree_north_m,
        }
    }
}

impl Place {
    pub fn distance_m(self, to: Place) -> f64 {
        let (x, y) = (to.x - self.x, to.y - self.y);
        (x * x + y * y).sqrt()
    }

    /// Returns the place at this share (0 to 1) of the way to `to`.
    pub fn toward(self, to: Place, share: f64) -> Place {
        Place { x: self.x + (to.x - self.x) * share, y: self.y + (to.y - self.y) * share }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn the_plane_is_never_longer_than_the_globe_and_hardly_shorter() {
        for lat in [-52.0, 0.0, 12.97, 59.0] {
            let centre = Point::new(lat, 77.6);
            let points: Vec<Point> =
                (0..60).map(|n| city::near(centre, 20_000.0, Rng::new(4).number(n))).collect();
            let plane = Plane::around(centre, 20_000.0, points.iter().copied());
            for (one, other) in points.iter().flat_map(|one| points.iter().map(move |other| (*one, *other))) {
                let (flat, round) = (plane.place(one).distance_m(plane.place(other)), one.distance_m(other));
                assert!(flat <= round + 1e-6 && flat * plane.stretch >= round - 1e-6, "{flat} {round}");
            }
            assert!(plane.stretch < 1.03, "{}", plane.stretch);
        }
    }
}
