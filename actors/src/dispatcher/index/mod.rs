//! Finds nearby points: a grid of moving points on the globe. Pure.
//!
//! A cell stores each of its points twice: as a direction in single precision, close together in memory, which is
//! all that most of a search reads; and with id and exact position, which is read only for points that were found.
//! A move within a cell writes one entry of each.

mod globe;
mod nearest;

use std::hash::Hash;

use rustc_hash::FxHashMap;

use self::{
    globe::{BoxCells, Cell, Disc},
    nearest::{Nearest, Unit},
};
use crate::geo::{Bounds, Point};

/// The capacity that a cell keeps when it is empty, in points.
const KEPT: usize = 16;

/// Points by id, found by nearness.
#[derive(Debug, Clone)]
pub struct Grid<Id> {
    /// Ids are random or made by the engine itself, so a fast hash is enough.
    places: FxHashMap<Id, Place>,
    /// The position of each cell in `buckets`; cells without points are absent.
    cells: FxHashMap<Cell, u32>,
    buckets: Vec<Bucket<Id>>,
    /// Buckets without a cell.
    free: Vec<u32>,
}

/// The place where a point is kept.
#[derive(Debug, Clone, Copy)]
struct Place {
    bucket: u32,
    slot: u32,
}

/// The points of a cell, in two parallel lists.
#[derive(Debug, Clone)]
struct Bucket<Id> {
    cell: Cell,
    units: Vec<Unit>,
    points: Vec<(Id, Point)>,
}

impl<Id: Copy + Eq + Hash + Ord> Default for Grid<Id> {
    fn default() -> Self {
        Self {
            places: FxHashMap::default(),
            cells: FxHashMap::default(),
            buckets: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<Id: Copy + Eq + Hash + Ord> Grid<Id> {
    /// Puts `id` at `point`, and removes it from where it was before.
    pub fn put(&mut self, id: Id, point: Point) {
        let cell = Cell::of(point);
        if let Some(place) = self.places.get(&id).copied() {
            let bucket = &mut self.buckets[place.bucket as usize];
            if bucket.cell == cell {
                bucket.units[place.slot as usize] = Unit::of(point);
                bucket.points[place.slot as usize].1 = point;
                return;
            }
            self.leave(place);
        }
        let place = self.enter(cell, id, point);
        self.places.insert(id, place);
    }

    pub fn remove(&mut self, id: Id) {
        if let Some(place) = self.places.remove(&id) {
            self.leave(place);
        }
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns every point within `radius_m` of `centre` with its distance in metres, nearest first, ties by id.
    pub fn within(&self, centre: Point, radius_m: f64) -> Vec<(Id, f64)> {
        Nearest::all_at_once(self, centre, radius_m).collect()
    }

    /// Returns the points within `within_m` of `centre` with their distances in metres, nearest first, ties by id.
    /// The iterator is lazy: taking a few points costs about as much as looking at a small multiple of them.
    pub fn nearest(&self, centre: Point, within_m: f64) -> impl Iterator<Item = (Id, f64)> {
        Nearest::step_by_step(self, centre, within_m)
    }

    /// Counts the points of the cells that the circle touches: at least as many as are within the circle.
    pub fn about(&self, centre: Point, radius_m: f64) -> usize {
        let disc = Disc::new(centre, radius_m);
        if disc.cells_up_to(self.cells.len()).is_none() {
            return self.len();
        }
        let cells = disc.cells().filter_map(|cell| self.cells.get(&cell));
        cells.map(|bucket| self.buckets[*bucket as usize].points.len()).sum()
    }

    /// Returns every point in the box, in no particular order. Looks only at the box's cells, unless there are more
    /// of them than cells with points.
    pub fn inside(&self, bounds: Bounds) -> impl Iterator<Item = (Id, Point)> {
        let cells = BoxCells::of(bounds);
        let is_wide = cells.up_to(self.cells.len()).is_none();
        let (all, some) = match is_wide {
            true => (Some(self.buckets.iter()), None),
            false => (None, Some(cells.cells().filter_map(|cell| self.cells.get(&cell)))),
        };
        let some = some.into_iter().flatten().map(|bucket| &self.buckets[*bucket as usize]);
        let buckets = all.into_iter().flatten().chain(some);
        let points = buckets.flat_map(|bucket| bucket.points.iter().copied());
        points.filter(move |(_, point)| bounds.contains(*point))
    }

    fn enter(&mut self, cell: Cell, id: Id, point: Point) -> Place {
        let (buckets, free) = (&mut self.buckets, &mut self.free);
        let bucket = *self.cells.entry(cell).or_insert_with(|| match free.pop() {
            Some(bucket) => {
                buckets[bucket as usize].cell = cell;
                bucket
            }
            None => {
                buckets.push(Bucket { cell, units: Vec::new(), points: Vec::new() });
                (buckets.len() - 1) as u32
            }
        });
        let kept = &mut self.buckets[bucket as usize];
        kept.units.push(Unit::of(point));
        kept.points.push((id, point));
        Place { bucket, slot: (kept.points.len() - 1) as u32 }
    }

    fn leave(&mut self, place: Place) {
        let bucket = &mut self.buckets[place.bucket as usize];
        bucket.units.swap_remove(place.slot as usize);
        bucket.points.swap_remove(place.slot as usize);
        if let Some((moved, _)) = bucket.points.get(place.slot as usize) {
            self.places.entry(*moved).and_modify(|other| other.slot = place.slot);
        } else if bucket.points.is_empty() {
            bucket.units.shrink_to(KEPT);
            bucket.points.shrink_to(KEPT);
            self.cells.remove(&bucket.cell);
            self.free.push(place.bucket);
        }
    }
}
