//! Lines along roads: where a place is on a line, and the rest of the line from there. Pure.

use roadcall_base::geo::Point;

/// The metres in a degree of latitude.
const DEGREE_M: f64 = 111_195.0;
/// A road may come back along itself, and a position is only approximate. Of two places on a line that are about as near, the
/// first one counts: the driver has yet to reach the other.
const ABOUT_M: f64 = 25.0;

/// A place on a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnLine {
    pub off_m: f64,
    place: Point,
    /// The index of the line's next point.
    next: usize,
}

/// Returns the nearest place on the line; `None` for a line with fewer than two points.
pub fn nearest(line: &[Point], place: Point) -> Option<OnLine> {
    let found: Vec<OnLine> = line
        .windows(2)
        .enumerate()
        .filter_map(|(index, pair)| Some(on_segment(*pair.first()?, *pair.last()?, index + 1, place)))
        .collect();
    let least_m = found.iter().map(|found| found.off_m).fold(f64::INFINITY, f64::min);
    let from = found.iter().position(|found| found.off_m <= least_m + ABOUT_M)?;
    // From there, follow the line for as long as it comes nearer.
    let ahead = found.get(from..)?;
    let last = ahead.windows(2).position(|pair| pair.first().map(off) < pair.last().map(off));
    ahead.get(last.unwrap_or(ahead.len() - 1)).copied()
}

fn off(found: &OnLine) -> f64 {
    found.off_m
}

fn on_segment(from: Point, to: Point, next: usize, place: Point) -> OnLine {
    let flat = |point: Point| {
        let north = (point.lat - place.lat) * DEGREE_M;
        (north, (point.lng - place.lng) * DEGREE_M * place.lat.to_radians().cos())
    };
    let ((ay, ax), (by, bx)) = (flat(from), flat(to));
    let (dy, dx) = (by - ay, bx - ax);
    let squared = dy * dy + dx * dx;
    let share = if squared > 0.0 { (-(ay * dy + ax * dx) / squared).clamp(0.0, 1.0) } else { 0.0 };
    let off_m = (ay + dy * share).hypot(ax + dx * share);
    OnLine { off_m, place: between(from, to, share), next }
}

fn between(from: Point, to: Point, share: f64) -> Point {
    Point::new(from.lat + (to.lat - from.lat) * share, from.lng + (to.lng - from.lng) * share)
}

/// Returns the line from a place on it to its end.
pub fn rest(line: &[Point], from: OnLine) -> Vec<Point> {
    let ahead = line.get(from.next..).unwrap_or_default();
    std::iter::once(from.place).chain(ahead.iter().copied()).collect()
}

pub fn length_m(line: &[Point]) -> f64 {
    line.iter().zip(line.iter().skip(1)).map(|(from, to)| from.distance_m(*to)).sum()
}

/// Returns the line without this much of its end; empty if it is no longer than that.
pub fn without_end(line: &[Point], metres: f64) -> Vec<Point> {
    let mut left_m = length_m(line) - metres;
    let mut kept: Vec<Point> = line.first().copied().filter(|_| left_m > 0.0).into_iter().collect();
    for (from, to) in line.iter().zip(line.iter().skip(1)) {
        let step_m = from.distance_m(*to);
        if left_m <= 0.0 {
            break;
        }
        kept.push(if step_m <= left_m { *to } else { between(*from, *to, left_m / step_m) });
        left_m -= step_m;
    }
    kept
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    /// Returns the point so many metres north and east of a place in Bengaluru.
    fn at(north_m: f64, east_m: f64) -> Point {
        let lat = 12.97_f64;
        Point::new(lat + north_m / DEGREE_M, 77.59 + east_m / (DEGREE_M * lat.to_radians().cos()))
    }

    fn left_m(line: &[Point], place: Point) -> f64 {
        length_m(&rest(line, nearest(line, place).unwrap()))
    }

    #[test]
    fn the_rest_of_a_line_begins_beside_the_place() {
        let line = [at(0.0, 0.0), at(0.0, 400.0), at(300.0, 400.0)];
        let found = nearest(&line, at(-20.0, 100.0)).unwrap();
        assert!((found.off_m - 20.0).abs() < 0.1, "{found:?}");
        for (place, expected) in [
            (at(-20.0, 100.0), 600.0),
            (at(0.0, -50.0), 700.0),
            (at(100.0, 410.0), 200.0),
            (at(900.0, 400.0), 0.0),
        ] {
            let left = left_m(&line, place);
            assert!((left - expected).abs() < 2.0, "{left} instead of {expected}");
        }
    }

    #[test]
    fn where_a_line_runs_beside_itself_the_driver_is_on_its_first_part() {
        let line = [at(0.0, 0.0), at(0.0, 1_000.0), at(12.0, 1_000.0), at(12.0, 0.0)];
        let left = left_m(&line, at(9.0, 100.0));
        assert!((left - 1_912.0).abs() < 5.0, "{left}");
    }

    #[test]
    fn a_line_of_fewer_than_two_points_has_no_place() {
        assert_eq!(nearest(&[], at(0.0, 0.0)), None);
        assert_eq!(nearest(&[at(0.0, 0.0)], at(0.0, 0.0)), None);
    }

    proptest! {
        #[test]
        fn the_end_is_cut_to_the_metre_and_a_short_line_is_gone(
            steps in vec((-300.0..300.0_f64, -300.0..300.0_f64), 2..20), cut_m in 1.0..900.0_f64,
        ) {
            let line: Vec<Point> = steps.into_iter().map(|(north, east)| at(north, east)).collect();
            let (whole_m, kept) = (length_m(&line), without_end(&line, cut_m));
            if whole_m <= cut_m {
                prop_assert!(kept.is_empty());
            } else {
                prop_assert!((length_m(&kept) - (whole_m - cut_m)).abs() < 0.5);
                prop_assert!(kept.len() >= 2);
            }
        }

        #[test]
        fn the_rest_is_never_longer_and_starts_as_far_off_as_it_says(
            steps in vec((-300.0..300.0_f64, -300.0..300.0_f64), 2..20),
            north in -400.0..400.0_f64, east in -400.0..400.0_f64,
        ) {
            let line: Vec<Point> = steps.into_iter().map(|(north, east)| at(north, east)).collect();
            let found = nearest(&line, at(north, east)).unwrap();
            let rest = rest(&line, found);
            prop_assert!(length_m(&rest) <= length_m(&line) + 0.5);
            prop_assert!((rest[0].distance_m(at(north, east)) - found.off_m).abs() < 1.0);
            prop_assert_eq!(rest.last(), line.last());
        }
    }
}
