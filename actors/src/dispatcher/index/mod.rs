//! Finds nearby points: a grid of moving points on the globe. Pure.
//!
//! A cell stores each of its points twice: as a direction in single precision, close together in memory, which is
//! all that most of a search reads; and with id, exact position and value, which are read only for points that were
//! found. The values of neighbours are close together, too, so that a search waits for little memory, however many
//! points there are elsewhere. A move within a cell writes one entry of each.

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
const KEPT: usize = 4;

/// Points by id, each with a value, found by nearness.
#[derive(Debug, Clone)]
pub struct Grid<Id, Value = ()> {
    /// Ids are random or made by the engine itself, so a fast hash is enough.
    places: FxHashMap<Id, Place>,
    /// The position of each cell in `buckets`; cells without points are absent.
    cells: FxHashMap<Cell, u32>,
    buckets: Vec<Bucket<Id, Value>>,
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
struct Bucket<Id, Value> {
    cell: Cell,
    units: Vec<Unit>,
    points: Vec<Entry<Id, Value>>,
}

#[derive(Debug, Clone)]
struct Entry<Id, Value> {
    id: Id,
    point: Point,
    value: Value,
}

impl<Id, Value> Default for Grid<Id, Value> {
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
        self.put_with(id, point, ());
    }
}

impl<Id: Copy + Eq + Hash + Ord, Value> Grid<Id, Value> {
    /// Puts `id` at `point` with this value, and removes it from where it was before.
    pub fn put_with(&mut self, id: Id, point: Point, value: Value) {
        if let Some(held) = self.relocate(id, point) {
            *held = value;
            return;
        }
        let place = self.enter(Entry { id, point, value });
        self.places.insert(id, place);
    }

    /// Moves `id` to `point`. Returns its value, or `None` if it is not in the grid.
    pub fn relocate(&mut self, id: Id, point: Point) -> Option<&mut Value> {
        let mut place = *self.places.get(&id)?;
        if self.buckets[place.bucket as usize].cell != Cell::of(point) {
            let left = self.leave(place);
            place = self.enter(Entry { point, ..left });
            self.places.insert(id, place);
        }
        let bucket = &mut self.buckets[place.bucket as usize];
        bucket.units[place.slot as usize] = Unit::of(point);
        let entry = &mut bucket.points[place.slot as usize];
        entry.point = point;
        Some(&mut entry.value)
    }

    /// Removes `id`. Returns its value, if it was in the grid.
    pub fn remove(&mut self, id: Id) -> Option<Value> {
        let place = self.places.remove(&id)?;
        Some(self.leave(place).value)
    }

    pub fn get(&self, id: Id) -> Option<&Value> {
        let place = self.places.get(&id)?;
        Some(&self.buckets[place.bucket as usize].points[place.slot as usize].value)
    }

    /// Returns all ids with their values, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (Id, &Value)> {
        self.buckets.iter().flat_map(|bucket| &bucket.points).map(|entry| (entry.id, &entry.value))
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.buckets.iter_mut().flat_map(|bucket| &mut bucket.points).map(|entry| &mut entry.value)
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns every point within `radius_m` of `centre` with its distance in metres, nearest first, ties by id.
    pub fn within(&self, centre: Point, radius_m: f64) -> Vec<(Id, f64)> {
        if self.is_empty() {
            return Vec::new();
        }
        Nearest::all_at_once(self, centre, radius_m).map(|(id, _, distance_m)| (id, distance_m)).collect()
    }

    /// Returns the points within `within_m` of `centre` with their distances in metres, nearest first, ties by id.
    /// The iterator is lazy: taking a few points costs about as much as looking at a small multiple of them.
    pub fn nearest(&self, centre: Point, within_m: f64) -> impl Iterator<Item = (Id, f64)> {
        self.nearest_with(centre, within_m).map(|(id, _, distance_m)| (id, distance_m))
    }

    /// Returns the same points as [`Grid::nearest`], with their values.
    pub fn nearest_with(&self, centre: Point, within_m: f64) -> impl Iterator<Item = (Id, &Value, f64)> {
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
        let points = buckets.flat_map(|bucket| &bucket.points).map(|entry| (entry.id, entry.point));
        points.filter(move |(_, point)| bounds.contains(*point))
    }

    fn enter(&mut self, entry: Entry<Id, Value>) -> Place {
        let (cell, buckets, free) = (Cell::of(entry.point), &mut self.buckets, &mut self.free);
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
        kept.units.push(Unit::of(entry.point));
        kept.points.push(entry);
        Place { bucket, slot: (kept.points.len() - 1) as u32 }
    }

    fn leave(&mut self, place: Place) -> Entry<Id, Value> {
        let bucket = &mut self.buckets[place.bucket as usize];
        bucket.units.swap_remove(place.slot as usize);
        let left = bucket.points.swap_remove(place.slot as usize);
        if let Some(moved) = bucket.points.get(place.slot as usize) {
            self.places.entry(moved.id).and_modify(|other| other.slot = place.slot);
        } else if bucket.points.is_empty() {
            bucket.units.shrink_to(KEPT);
            bucket.points.shrink_to(KEPT);
            self.cells.remove(&bucket.cell);
            self.free.push(place.bucket);
        }
        left
    }
}
