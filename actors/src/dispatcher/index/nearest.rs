//! Finds points from the nearest outwards. Pure.
//!
//! The search visits the cells of a growing disc. It orders the points of a visit by their chord (the straight line
//! through the globe, which grows with the distance) in single precision. It computes a point's exact distance when
//! the point may be the next. It yields the point when no other point can be as near, by the bounds of that
//! precision.

use std::{cmp::Ordering, collections::BinaryHeap, hash::Hash};

use super::{
    Bucket, Entry, Grid,
    globe::{CELL_M, Cell, Disc},
};
use crate::geo::Point;

const EARTH_RADIUS_M: f64 = 6_371_008.8;
/// The largest difference between a chord of two [`Unit`]s and the true one, in earth radii: 2⁻²⁵ in each of six
/// coordinates, and the rounding of the calculation itself; both at least doubled.
const ERROR: f32 = 3e-7;
const RELATIVE_ERROR: f32 = 2e-6;
/// The number of points that the first disc should hold.
const FIRST: f64 = 14.0;

/// A position as a direction from the centre of the globe: a vector of length 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit([f32; 3]);

impl Unit {
    #[inline]
    pub fn of(point: Point) -> Self {
        let (sin_lat, cos_lat) = point.lat.to_radians().sin_cos();
        let (sin_lng, cos_lng) = point.lng.to_radians().sin_cos();
        Self([(cos_lat * cos_lng) as f32, (cos_lat * sin_lng) as f32, sin_lat as f32])
    }

    /// Returns the squared chord to `other`, in earth radii.
    #[inline]
    fn chord2(self, other: Unit) -> f32 {
        let [x, y, z] = self.0;
        let [other_x, other_y, other_z] = other.0;
        let (x, y, z) = (x - other_x, y - other_y, z - other_z);
        x * x + y * y + z * z
    }
}

/// Returns the largest squared chord that `radius_m` may look like.
fn chord2_of(radius_m: f64) -> f32 {
    let half = radius_m / EARTH_RADIUS_M / 2.0;
    if half >= std::f64::consts::FRAC_PI_2 { f32::INFINITY } else { upper(2.0 * half.sin() as f32).powi(2) }
}

#[inline]
fn upper(chord: f32) -> f32 {
    chord * (1.0 + RELATIVE_ERROR) + ERROR
}

#[inline]
fn lower(chord: f32) -> f32 {
    chord * (1.0 - RELATIVE_ERROR) - ERROR
}

/// A point as a visit found it.
#[derive(Debug, Clone, Copy)]
struct Sighted {
    chord2: f32,
    bucket: u32,
    slot: u32,
}

/// A point with its exact distance. Ordered so that the greatest is the nearest.
#[derive(Debug)]
struct Exact<Id> {
    distance_m: f64,
    id: Id,
    sighted: Sighted,
}

impl<Id: Ord> Ord for Exact<Id> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.distance_m.total_cmp(&self.distance_m).then_with(|| other.id.cmp(&self.id))
    }
}

impl<Id: Ord> PartialOrd for Exact<Id> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<Id: Ord> PartialEq for Exact<Id> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<Id: Ord> Eq for Exact<Id> {}

/// The iterator of [`Grid::nearest`].
#[derive(Debug)]
pub(super) struct Nearest<'a, Id, Value> {
    grid: &'a Grid<Id, Value>,
    centre: Point,
    unit: Unit,
    within_m: f64,
    /// No point with a chord beyond this limit is within `within_m`.
    limit: f32,
    radius_m: f64,
    /// Every point whose squared chord may be less than this has been sighted.
    complete: f32,
    /// Sighted, nearest last.
    near: Vec<Sighted>,
    exact: BinaryHeap<Exact<Id>>,
    is_everything_seen: bool,
}

impl<'a, Id: Copy + Eq + Hash + Ord, Value> Nearest<'a, Id, Value> {
    pub fn all_at_once(grid: &'a Grid<Id, Value>, centre: Point, within_m: f64) -> Self {
        Self::new(grid, centre, within_m, within_m)
    }

    pub fn step_by_step(grid: &'a Grid<Id, Value>, centre: Point, within_m: f64) -> Self {
        // This assumes that every cell has as many points as the centre's own. A wrong guess costs another step.
        let bucket = grid.cells.get(&Cell::of(centre)).map(|bucket| &grid.buckets[*bucket as usize]);
        let in_cell = bucket.map_or(0, |bucket| bucket.points.len()).max(1) as f64;
        let radius_m = CELL_M * (FIRST / in_cell / std::f64::consts::PI).sqrt();
        Self::new(grid, centre, within_m, radius_m)
    }

    fn new(grid: &'a Grid<Id, Value>, centre: Point, within_m: f64, radius_m: f64) -> Self {
        let mut nearest = Self {
            grid,
            centre,
            unit: Unit::of(centre),
            within_m,
            limit: chord2_of(within_m),
            radius_m: 0.0,
            complete: -1.0,
            near: Vec::new(),
            exact: BinaryHeap::new(),
            is_everything_seen: grid.is_empty() || within_m.is_nan() || within_m < 0.0,
        };
        if !nearest.is_everything_seen {
            nearest.near.reserve(4 * FIRST as usize);
            nearest.visit(radius_m);
        }
        nearest
    }

    /// Finds the points that a larger disc adds. Looking again at points that were too far before costs less than
    /// keeping them.
    fn visit(&mut self, radius_m: f64) {
        let grid = self.grid;
        self.radius_m = radius_m.min(self.within_m);
        let disc = Disc::new(self.centre, self.radius_m);
        // A disc with more cells than there are cells with points is not worth walking, so the visit looks at all
        // points instead.
        let is_wide = disc.cells_up_to(grid.cells.len()).is_none();
        self.is_everything_seen = is_wide || self.radius_m >= self.within_m;
        let before = self.complete;
        self.complete = if self.is_everything_seen { self.limit } else { chord2_of(self.radius_m) };
        if is_wide {
            for (bucket, points) in grid.buckets.iter().enumerate() {
                self.look_at(bucket as u32, points, before);
            }
        } else {
            for cell in disc.cells() {
                if let Some(bucket) = grid.cells.get(&cell) {
                    self.look_at(*bucket, &grid.buckets[*bucket as usize], before);
                }
            }
        }
        self.near.sort_unstable_by(|a, b| b.chord2.total_cmp(&a.chord2));
    }

    /// Sights the points of a bucket without a branch for each point: the processor would mispredict half of such
    /// branches.
    fn look_at(&mut self, bucket: u32, points: &Bucket<Id, Value>, before: f32) {
        let near = &mut self.near;
        let (first, mut kept) = (near.len(), near.len());
        let sighted = points.units.iter().zip(0..);
        near.extend(sighted.map(|(unit, slot)| Sighted { chord2: self.unit.chord2(*unit), bucket, slot }));
        for n in first..near.len() {
            let sighted = near[n];
            near[kept] = sighted;
            kept += usize::from((sighted.chord2 <= self.complete) & (sighted.chord2 > before));
        }
        near.truncate(kept);
    }

    fn entry(&self, sighted: Sighted) -> &'a Entry<Id, Value> {
        let grid = self.grid;
        &grid.buckets[sighted.bucket as usize].points[sighted.slot as usize]
    }

    /// Returns the point if it is within the limit. `None` may end the search, since no later point is nearer.
    fn if_within(&self, sighted: Sighted, distance_m: f64) -> Option<(Id, &'a Value, f64)> {
        let Entry { id, value, .. } = self.entry(sighted);
        (distance_m <= self.within_m).then_some((*id, value, distance_m))
    }

    /// Returns a chord below which every point has its exact distance.
    fn floor(&self) -> f32 {
        match self.near.last() {
            Some(sighted) => lower(sighted.chord2.sqrt()),
            None if self.is_everything_seen => f32::INFINITY,
            // `complete` is an upper bound, so this leaves a margin on each side.
            None => lower(lower(self.complete.sqrt())),
        }
    }
}

impl<'a, Id: Copy + Eq + Hash + Ord, Value> Iterator for Nearest<'a, Id, Value> {
    type Item = (Id, &'a Value, f64);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let floor = self.floor();
            if self.exact.peek().is_some_and(|best| upper(best.sighted.chord2.sqrt()) < floor) {
                let best = self.exact.pop()?;
                return self.if_within(best.sighted, best.distance_m);
            }
            if let Some(sighted) = self.near.pop() {
                let Entry { id, point, .. } = self.entry(sighted);
                let distance_m = self.centre.distance_m(*point);
                if self.exact.is_empty() && upper(sighted.chord2.sqrt()) < self.floor() {
                    return self.if_within(sighted, distance_m);
                }
                self.exact.push(Exact { distance_m, id: *id, sighted });
            } else if self.is_everything_seen {
                return None;
            } else {
                self.visit(self.radius_m * 2.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geo::HALF_AROUND_M;

    const CENTRE: Point = Point { lat: 12.975, lng: 77.6 };

    fn north(metres: f64) -> Point {
        Point::new(CENTRE.lat + metres / 111_195.0, CENTRE.lng)
    }

    fn grid(points: impl IntoIterator<Item = Point>) -> Grid<usize> {
        let mut grid = Grid::default();
        points.into_iter().enumerate().for_each(|(id, point)| grid.put(id, point));
        grid
    }

    /// Computes the chord in double precision from the distance.
    fn chord(distance_m: f64) -> f64 {
        2.0 * (distance_m / EARTH_RADIUS_M / 2.0).sin()
    }

    #[test]
    fn the_true_chord_is_within_the_bounds_of_the_single_precision_chord() {
        let far = [(0.0, 0.0), (-45.0, 170.0), (-12.975, -102.4), (89.99, 13.0), (60.17, -24.94)];
        let near = (0..400).map(|n| north(f64::from(n * n) / 10.0));
        for to in near.chain(far.map(|(lat, lng)| Point::new(lat, lng))) {
            let exact = chord(CENTRE.distance_m(to));
            let single = Unit::of(CENTRE).chord2(Unit::of(to)).sqrt();
            let (least, most) = (f64::from(lower(single)), f64::from(upper(single)));
            assert!(least < exact && exact < most, "{to:?}: {least} {exact} {most}");
            // The bounds differ by a metre or two and a few parts in a million; if they differed more, a search
            // would look at more points than it needs.
            assert!(most - least < 1e-6 + exact * 6e-6, "{to:?}: {least} {exact} {most}");
        }
    }

    #[test]
    fn a_limit_of_chords_lets_every_point_within_its_radius_pass_and_hardly_any_other() {
        for radius_m in [0.0, 1.0, 300.0, 40_000.0, 5e6, 0.99 * HALF_AROUND_M] {
            let (limit, exact) = (f64::from(chord2_of(radius_m)).sqrt(), chord(radius_m));
            assert!(exact < limit && limit < exact + 1e-6 + exact * 6e-6, "{radius_m}: {exact} {limit}");
        }
        assert_eq!([HALF_AROUND_M, 1e9].map(chord2_of), [f32::INFINITY; 2]);
    }

    #[test]
    fn the_first_disc_is_made_for_14_points_and_each_next_one_is_twice_as_wide() {
        for in_cell in [0, 1, 14, 200] {
            let around = (0..in_cell).map(|_| CENTRE);
            // The discs are walked, since enough cells have points.
            let elsewhere = (0..1_000).map(|n| Point::new(20.0 + 0.05 * f64::from(n), 77.6));
            let grid = grid(around.chain([north(9_000.0)]).chain(elsewhere));
            let mut nearest = Nearest::step_by_step(&grid, CENTRE, 10_000.0);
            let expected = 14.0 / f64::from(in_cell.max(1));
            // A cell is 0.009 degrees high.
            let cells = |radius_m: f64| std::f64::consts::PI * (radius_m / 1_000.755_7).powi(2);
            assert!((cells(nearest.radius_m) - expected).abs() < 1e-5, "{in_cell}: {}", nearest.radius_m);
            let first_m = nearest.radius_m;
            assert_eq!(nearest.by_ref().take(in_cell as usize + 1).count(), in_cell as usize + 1);
            let widths = (0..).map(|n| first_m * f64::from(1 << n)).find(|radius_m| *radius_m >= 9_000.0);
            assert_eq!(nearest.radius_m, widths.expect("one").min(10_000.0), "{in_cell}");
        }
    }

    #[test]
    fn points_are_ordered_by_distance_and_then_by_id() {
        let sighted = Sighted { chord2: 0.0, bucket: 0, slot: 0 };
        let exact = |distance_m, id| Exact { distance_m, id, sighted };
        let (one, later, farther) = (exact(10.0, 1), exact(10.0, 2), exact(11.0, 0));
        assert!(one == exact(10.0, 1) && one != later && one != farther);
        assert_eq!(one.partial_cmp(&later), Some(Ordering::Greater), "the greatest is the next");
        assert_eq!(later.partial_cmp(&farther), Some(Ordering::Greater));
    }

    #[test]
    fn where_few_cells_have_points_all_are_seen_at_once() {
        let grid = grid([CENTRE, north(30_000.0)]);
        let nearest = Nearest::step_by_step(&grid, CENTRE, 1e6);
        assert!(nearest.is_everything_seen && nearest.radius_m < 3_000.0);
        assert_eq!(nearest.map(|(id, ..)| id).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_point_on_the_edge_of_a_disc_is_sighted_by_one_visit() {
        let grid = grid([north(700.0)]);
        let chord2 = Unit::of(CENTRE).chord2(Unit::of(north(700.0)));
        for (before, complete, expected) in [
            (-1.0, chord2, 1),
            (-1.0, chord2.next_down(), 0),
            (chord2, f32::INFINITY, 0),
            (chord2.next_down(), f32::INFINITY, 1),
        ] {
            let mut nearest = Nearest::all_at_once(&grid, CENTRE, 0.0);
            nearest.complete = complete;
            nearest.look_at(0, &grid.buckets[0], before);
            assert_eq!(nearest.near.len(), expected, "{before} {complete}");
        }
    }
}
