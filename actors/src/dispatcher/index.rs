//! Who is near: a grid of moving points on the globe. Pure.
//!
//! The globe is cut into bands of latitude, each band into cells of about the same width, so that a cell is as
//! large at 60° as at the equator, the antimeridian is an edge like any other, and a pole is a band of one cell.
//! A move within a cell touches one entry.

use std::{collections::HashMap, hash::Hash};

use crate::geo::Point;

/// Metres of a degree on a great circle (mean earth radius 6,371,008.8 m).
const DEGREE_M: f64 = 111_195.079_734;
/// Height and, at its wider edge, width of a cell in degrees of a great circle: about 2.2 km.
const CELL_DEG: f64 = 0.02;
const BANDS: i32 = 9000;

/// Points by id, found by nearness.
#[derive(Debug, Clone)]
pub struct Grid<Id> {
    points: HashMap<Id, (Point, Cell)>,
    cells: HashMap<Cell, Vec<Id>>,
}

type Cell = (i32, i32);

impl<Id: Copy + Eq + Hash + Ord> Default for Grid<Id> {
    fn default() -> Self {
        Self { points: HashMap::new(), cells: HashMap::new() }
    }
}

impl<Id: Copy + Eq + Hash + Ord> Grid<Id> {
    /// Puts `id` at `point`, wherever it was before.
    pub fn put(&mut self, id: Id, point: Point) {
        let cell = cell_of(point);
        match self.points.insert(id, (point, cell)) {
            Some((_, old)) if old == cell => {}
            before => {
                if let Some((_, old)) = before {
                    self.leave(id, old);
                }
                self.cells.entry(cell).or_default().push(id);
            }
        }
    }

    pub fn remove(&mut self, id: Id) {
        if let Some((_, cell)) = self.points.remove(&id) {
            self.leave(id, cell);
        }
    }

    pub fn len(&self) -> usize {
        self.points.len()
    }

    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Every point within `radius_m` of `centre` with its distance in metres, nearest first, ties by id.
    pub fn within(&self, centre: Point, radius_m: f64) -> Vec<(Id, f64)> {
        // A circle of more cells than there are points is not worth walking.
        let mut cells = cells_within(centre, radius_m).map(|(_, columns)| columns.len());
        let is_wide = cells.try_fold(0, |sum, n| Some(sum + n).filter(|sum| *sum <= self.len())).is_none();
        let mut found =
            if is_wide { self.among_all(centre, radius_m) } else { self.in_cells(centre, radius_m) };
        found.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        found
    }

    fn among_all(&self, centre: Point, radius_m: f64) -> Vec<(Id, f64)> {
        let all = self.points.iter().map(|(id, (point, _))| (*id, centre.distance_m(*point)));
        all.filter(|(_, distance)| *distance <= radius_m).collect()
    }

    pub(super) fn in_cells(&self, centre: Point, radius_m: f64) -> Vec<(Id, f64)> {
        let mut found = Vec::new();
        for (band, cells) in cells_within(centre, radius_m) {
            let width = cells_in_band(band);
            for column in cells {
                let Some(ids) = self.cells.get(&(band, column.rem_euclid(width))) else { continue };
                for id in ids {
                    let distance = centre.distance_m(self.points[id].0);
                    if distance <= radius_m {
                        found.push((*id, distance));
                    }
                }
            }
        }
        found
    }

    fn leave(&mut self, id: Id, cell: Cell) {
        if let Some(ids) = self.cells.get_mut(&cell) {
            ids.retain(|other| *other != id);
            if ids.is_empty() {
                self.cells.remove(&cell);
            }
        }
    }
}

fn cell_of(point: Point) -> Cell {
    let band = band_of(point.lat);
    (band, column_of(point.lng, cells_in_band(band)))
}

fn band_of(lat: f64) -> i32 {
    (((lat + 90.0) / CELL_DEG).floor() as i32).clamp(0, BANDS - 1)
}

fn column_of(lng: f64, cells: i32) -> i32 {
    (((lng + 180.0) / 360.0 * f64::from(cells)).floor() as i32).rem_euclid(cells)
}

/// Cells around the globe in a band: as many as its wider edge holds.
fn cells_in_band(band: i32) -> i32 {
    let south = f64::from(band) * CELL_DEG - 90.0;
    let nearest_equator = if south < 0.0 { (south + CELL_DEG).min(0.0) } else { south };
    ((360.0 * nearest_equator.to_radians().cos() / CELL_DEG).floor() as i32).max(1)
}

/// Bands and, in each, the columns that a circle may touch (unwrapped; never more than once around).
fn cells_within(centre: Point, radius_m: f64) -> impl Iterator<Item = (i32, std::ops::Range<i32>)> {
    // A hair more than asked: rounding must not lose a point on the rim.
    let radius_deg = radius_m / DEGREE_M * 1.001 + 1e-9;
    let (south, north) = (centre.lat - radius_deg, centre.lat + radius_deg);
    let reaches_pole = south <= -90.0 || north >= 90.0;
    // The widest a circle gets in longitude: asin(sin r / cos lat).
    let ratio = radius_deg.to_radians().sin() / centre.lat.to_radians().cos();
    let half_deg =
        if reaches_pole || radius_deg >= 90.0 || ratio >= 1.0 { 180.0 } else { ratio.asin().to_degrees() };
    (band_of(south)..=band_of(north)).map(move |band| {
        let cells = cells_in_band(band);
        let per_deg = f64::from(cells) / 360.0;
        if half_deg >= 180.0 {
            return (band, 0..cells);
        }
        let west = ((centre.lng - half_deg + 180.0) * per_deg).floor() as i32;
        let east = ((centre.lng + half_deg + 180.0) * per_deg).floor() as i32;
        (band, west..(east + 1).min(west + cells))
    })
}
