//! Compares the index with a search of all points.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::index::Grid;
use crate::{
    geo::{Bounds, HALF_AROUND_M, Point},
    simulation::world::{CENTRE, north},
};

/// Generates points near the antimeridian, the poles, and anywhere.
fn place() -> impl Strategy<Value = Point> {
    let anywhere = (-90.0..=90.0, -180.0..=180.0);
    let antimeridian = (-60.0..=60.0, prop_oneof![179.8..=180.0, -180.0..=-179.8]);
    let poles = (prop_oneof![89.7..=90.0, -90.0..=-89.7], -180.0..=180.0);
    let city = (12.9..=13.1, 77.5..=77.7);
    prop_oneof![anywhere, antimeridian, poles, city].prop_map(|(lat, lng)| Point::new(lat, lng))
}

/// Generates offsets from a centre in degrees: from a few metres to tens of kilometres.
fn offset() -> impl Strategy<Value = (f64, f64)> {
    let by = |degrees: f64| (-degrees..=degrees, -degrees..=degrees);
    prop_oneof![by(0.3), by(0.01), by(0.000_01)]
}

fn beside(centre: Point, (lat, lng): (f64, f64)) -> Point {
    let lat = (centre.lat + lat).clamp(-90.0, 90.0);
    let stretch = 1.0 / lat.to_radians().cos().max(0.001);
    Point::new(lat, (centre.lng + lng * stretch + 540.0).rem_euclid(360.0) - 180.0)
}

#[derive(Debug, Clone)]
enum Change {
    Put(usize, Point),
    Beside(usize, (f64, f64)),
    Remove(usize),
}

fn change() -> impl Strategy<Value = Change> {
    let id = || 0_usize..80;
    prop_oneof![
        1 => (id(), place()).prop_map(|(id, point)| Change::Put(id, point)),
        3 => (id(), offset()).prop_map(|(id, offset)| Change::Beside(id, offset)),
        2 => id().prop_map(Change::Remove),
    ]
}

fn by_brute_force(points: &BTreeMap<usize, Point>, centre: Point, radius_m: f64) -> Vec<(usize, f64)> {
    let mut all: Vec<_> = points.iter().map(|(id, point)| (*id, centre.distance_m(*point))).collect();
    all.retain(|(_, distance)| *distance <= radius_m);
    all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    all
}

/// Generates a box around a place: of some metres, of a city, or of any size up to the globe.
fn bounds() -> impl Strategy<Value = Bounds> {
    let around = (place(), offset()).prop_map(|(centre, (lat, lng))| {
        let corner = |lat: f64, lng: f64| {
            ((centre.lat + lat).clamp(-90.0, 90.0), (centre.lng + lng + 540.0).rem_euclid(360.0) - 180.0)
        };
        let ((south, west), (north, east)) = (corner(-lat.abs(), -lng.abs()), corner(lat.abs(), lng.abs()));
        Bounds { west, south, east, north }
    });
    let any = (place(), place()).prop_map(|(a, b)| Bounds {
        west: a.lng,
        south: a.lat.min(b.lat),
        east: b.lng,
        north: a.lat.max(b.lat),
    });
    let globe = Just(Bounds { west: -180.0, south: -90.0, east: 180.0, north: 90.0 });
    prop_oneof![4 => around, 3 => any, 1 => globe]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn the_grid_finds_what_a_search_of_all_points_finds(
        centre in place(),
        near in proptest::collection::vec(offset(), 0..60),
        far in proptest::collection::vec(place(), 0..20),
        changes in proptest::collection::vec(change(), 0..60),
        radius_m in prop_oneof![
            0.1..100.0, 1.0..40_000.0, 1.0..40_000.0, 100_000.0..21_000_000.0, Just(HALF_AROUND_M), Just(0.0)
        ],
        taken in 0_usize..80,
    ) {
        let near = near.into_iter().map(|offset| beside(centre, offset));
        let mut points: BTreeMap<usize, Point> = near.chain(far).enumerate().collect();
        let mut grid = Grid::default();
        for (id, point) in &points {
            grid.put_with(*id, *point, *id);
        }
        for change in changes {
            match change {
                Change::Put(id, point) => {
                    points.insert(id, point);
                    grid.put_with(id, point, id);
                }
                Change::Beside(id, offset) => {
                    let point = beside(centre, offset);
                    let value = grid.relocate(id, point).copied();
                    prop_assert_eq!(value, points.get_mut(&id).map(|known| {
                        *known = point;
                        id
                    }));
                }
                Change::Remove(id) => {
                    let is_known = points.remove(&id).is_some();
                    prop_assert_eq!(grid.remove(id), is_known.then_some(id));
                }
            }
        }
        prop_assert_eq!(grid.len(), points.len());
        prop_assert_eq!(grid.iter().map(|(id, value)| (id, *value)).collect::<BTreeMap<_, _>>(),
            points.keys().map(|id| (*id, *id)).collect::<BTreeMap<_, _>>());
        prop_assert!((0..80).all(|id| grid.get(id).copied() == points.contains_key(&id).then_some(id)));
        prop_assert!(grid.nearest_with(centre, radius_m).all(|(id, value, _)| id == *value));
        for centre in points.values().copied().take(3).chain([centre]) {
            let expected = by_brute_force(&points, centre, radius_m);
            prop_assert_eq!(&grid.within(centre, radius_m), &expected);
            let first: Vec<_> = grid.nearest(centre, radius_m).take(taken).collect();
            prop_assert_eq!(&first[..], &expected[..taken.min(expected.len())]);
        }
    }

    #[test]
    fn a_box_has_what_a_search_of_all_points_finds(
        bounds in bounds(),
        near in proptest::collection::vec(offset(), 0..60),
        far in proptest::collection::vec(place(), 0..40),
        edges in proptest::collection::vec(prop_oneof![Just(-180.0), Just(180.0)], 0..4),
    ) {
        let middle = Point::new(bounds.south, bounds.west);
        let edges = edges.into_iter().map(|lng| Point::new(bounds.south, lng));
        let points = near.into_iter().map(|offset| beside(middle, offset)).chain(far).chain(edges);
        let points: BTreeMap<usize, Point> = points.enumerate().collect();
        let mut grid = Grid::default();
        points.iter().for_each(|(id, point)| grid.put(*id, *point));
        let expected: BTreeMap<usize, Point> =
            points.into_iter().filter(|(_, point)| bounds.contains(*point)).collect();
        let found: Vec<(usize, Point)> = grid.inside(bounds).collect();
        prop_assert_eq!(found.len(), expected.len(), "none twice");
        prop_assert_eq!(found.into_iter().collect::<BTreeMap<_, _>>(), expected);
    }

    #[test]
    fn a_crowded_city_is_walked_cell_by_cell(
        offsets in proptest::collection::vec((-0.05..=0.05, -0.05..=0.05), 300..600),
        (lat, lng) in (
            prop_oneof![Just(0.0), Just(13.0), Just(-60.0), Just(89.98), Just(-89.98)],
            prop_oneof![Just(77.6), Just(180.0), Just(-180.0)],
        ),
        from in (-0.06..=0.06, -0.06..=0.06),
        radius_m in 1.0..9_000.0,
        taken in 0_usize..100,
    ) {
        let middle = Point::new(lat, lng);
        let points: BTreeMap<_, _> =
            offsets.into_iter().map(|offset| beside(middle, offset)).enumerate().collect();
        let mut grid = Grid::default();
        for (id, point) in &points {
            grid.put(*id, *point);
        }
        let centre = beside(middle, from);
        let expected = by_brute_force(&points, centre, radius_m);
        prop_assert_eq!(&grid.within(centre, radius_m), &expected);
        let first: Vec<_> = grid.nearest(centre, radius_m).take(taken).collect();
        prop_assert_eq!(&first[..], &expected[..taken.min(expected.len())]);
    }
}

#[test]
fn a_point_just_beyond_a_visited_disc_is_not_lost() {
    // The point is at the edge between two bands of cells.
    let edge = 12.996;
    for tenths in 5_400..6_000 {
        let beyond = Point::new(edge + 1e-7, 77.6);
        let centre = Point::new(edge - f64::from(tenths) / 10.0 / 111_195.0, 77.6);
        let mut points: BTreeMap<_, _> = (0..14).map(|id| (id, centre)).collect();
        points.insert(14, beyond);
        let mut grid = Grid::default();
        for (id, point) in &points {
            grid.put(*id, *point);
        }
        // The discs are walked, since enough cells have points.
        for far in 0..300 {
            grid.put(100 + far, Point::new(20.0 + 0.05 * far as f64, 77.6));
        }
        let found: Vec<_> = grid.nearest(centre, 4_000.0).collect();
        assert_eq!(found, by_brute_force(&points, centre, 4_000.0), "{tenths}");
    }
}

#[test]
fn the_grid_forgets_what_was_removed() {
    let mut grid = Grid::default();
    grid.put(1, CENTRE);
    grid.put(1, north(50_000.0));
    assert_eq!(grid.within(CENTRE, 10_000.0), []);
    grid.remove(1);
    grid.remove(1);
    assert!(grid.is_empty() && grid.within(north(50_000.0), 10.0).is_empty());
    assert_eq!(grid.nearest(CENTRE, 1e9).next(), None);
}

#[test]
fn points_in_one_place_come_by_id() {
    let mut grid = Grid::default();
    for id in [5, 3, 9, 1, 7] {
        grid.put(id, CENTRE);
    }
    let ids: Vec<_> = grid.nearest(north(1_000.0), 2_000.0).map(|(id, _)| id).collect();
    assert_eq!(ids, [1, 3, 5, 7, 9]);
}

#[test]
fn an_invalid_radius_finds_nobody() {
    let mut grid = Grid::default();
    grid.put(1, CENTRE);
    for radius_m in [-1.0, f64::NAN, f64::NEG_INFINITY] {
        assert_eq!(grid.within(CENTRE, radius_m), []);
    }
    assert_eq!(grid.within(CENTRE, 0.0), [(1, 0.0)]);
    assert_eq!(grid.within(CENTRE, f64::INFINITY), [(1, 0.0)]);
}
