//! Divides the globe into cells, and finds the cells that a circle touches. Pure.
//!
//! The globe has bands of latitude of equal height, each cut into cells of about that width, so that a cell is as
//! large at 60° as at the equator, the antimeridian is an edge like any other, and a pole is a band of few cells.

use std::{ops::RangeInclusive, sync::LazyLock};

use crate::geo::{Bounds, Point};

/// Metres per degree on a great circle (mean earth radius 6,371,008.8 m).
const DEGREE_M: f64 = 111_195.079_734;
/// The number of bands from pole to pole.
const BANDS: i32 = 20_000;
/// The height and, at its wider edge, width of a cell in degrees of a great circle: about 1 km.
const CELL_DEG: f64 = 180.0 / BANDS as f64;
/// The height of a cell in metres.
pub(super) const CELL_M: f64 = CELL_DEG * DEGREE_M;

/// How much wider than requested a disc is, in addition to a thousandth. Its cells must contain every point that a
/// chord in single precision may place within the radius. That bound is 1.9 m beyond the true chord, and so is the
/// bound of the chord that it is compared with.
const RIM_M: f64 = 5.0;

/// The number of cells around the globe in each band: as many as its wider edge holds.
static COLUMNS: LazyLock<Vec<i32>> = LazyLock::new(|| {
    let columns = |band: i32| {
        let south = f64::from(band) * CELL_DEG - 90.0;
        let nearest_equator = if south < 0.0 { (south + CELL_DEG).min(0.0) } else { south };
        ((360.0 * nearest_equator.to_radians().cos() / CELL_DEG).floor() as i32).max(1)
    };
    (0..BANDS).map(columns).collect()
});

/// A cell of the globe: its band and its column, in one word that hashes fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Cell(u64);

impl Cell {
    fn new(band: i32, column: i32) -> Self {
        Self(((band as u64) << 32) | column as u64)
    }

    #[inline]
    pub fn of(point: Point) -> Self {
        let band = band_of(point.lat);
        let columns = columns_of(band);
        Self::new(band, wrapped(column_of(point.lng, columns), columns))
    }
}

#[inline]
fn band_of(lat: f64) -> i32 {
    (((lat + 90.0) / CELL_DEG).floor() as i32).clamp(0, BANDS - 1)
}

#[inline]
fn columns_of(band: i32) -> i32 {
    COLUMNS[band as usize]
}

/// Returns the column without wrapping: west of -180° it is negative.
#[inline]
fn column_of(lng: f64, columns: i32) -> i32 {
    ((lng + 180.0) / 360.0 * f64::from(columns)).floor() as i32
}

/// A superset of the cells that a circle touches: one run of columns in each band.
#[derive(Debug, Clone, Copy)]
pub(super) struct Disc {
    south: i32,
    north: i32,
    lng: f64,
    /// The extent to the west and to the east; 180 and more means all around.
    half_deg: f64,
}

impl Disc {
    pub fn new(centre: Point, radius_m: f64) -> Self {
        let radius_deg = (radius_m * 1.001 + RIM_M) / DEGREE_M;
        let (south, north) = (centre.lat - radius_deg, centre.lat + radius_deg);
        let reaches_pole = south <= -90.0 || north >= 90.0;
        // The widest extent of a circle in longitude is asin(sin r / cos lat).
        let ratio = radius_deg.to_radians().sin() / centre.lat.to_radians().cos();
        let is_around = reaches_pole || radius_deg >= 90.0 || ratio >= 1.0;
        let half_deg = if is_around { 180.0 } else { ratio.asin().to_degrees() };
        Self { south: band_of(south), north: band_of(north), lng: centre.lng, half_deg }
    }

    /// Returns the number of cells, or `None` if there are more than `limit`.
    pub fn cells_up_to(&self, limit: usize) -> Option<usize> {
        count_up_to(limit, (self.south..=self.north).map(|band| self.run(band)))
    }

    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (self.south..=self.north).flat_map(move |band| self.run(band).cells(band))
    }

    #[inline]
    fn run(&self, band: i32) -> Run {
        let columns = columns_of(band);
        let west = column_of(self.lng - self.half_deg, columns);
        let len = if self.half_deg >= 180.0 {
            columns
        } else {
            (column_of(self.lng + self.half_deg, columns) - west + 1).min(columns)
        };
        Run { start: west, len, columns }
    }
}

/// The cells that a box touches: one run of columns in each band.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoxCells(Bounds);

impl BoxCells {
    pub fn of(bounds: Bounds) -> Self {
        Self(bounds)
    }

    /// Returns the number of cells, or `None` if there are more than `limit`.
    pub fn up_to(self, limit: usize) -> Option<usize> {
        count_up_to(limit, self.bands().map(|band| self.run(band)))
    }

    pub fn cells(self) -> impl Iterator<Item = Cell> {
        self.bands().flat_map(move |band| self.run(band).cells(band))
    }

    fn bands(self) -> RangeInclusive<i32> {
        band_of(self.0.south)..=band_of(self.0.north)
    }

    fn run(self, band: i32) -> Run {
        let columns = columns_of(band);
        let (west, east) = (column_of(self.0.west, columns), column_of(self.0.east, columns));
        let east = if self.0.crosses_date_line() { east + columns } else { east };
        Run { start: west, len: (east - west + 1).min(columns), columns }
    }
}

/// Adjacent columns of a band; `start` is not wrapped.
#[derive(Debug, Clone, Copy)]
struct Run {
    start: i32,
    len: i32,
    columns: i32,
}

impl Run {
    fn cells(self, band: i32) -> impl Iterator<Item = Cell> {
        let Run { start, len, columns } = self;
        (start..start + len).map(move |column| Cell::new(band, wrapped(column, columns)))
    }
}

fn count_up_to(limit: usize, mut runs: impl Iterator<Item = Run>) -> Option<usize> {
    runs.try_fold(0, |sum, run| {
        let sum = sum + run.len as usize;
        (sum <= limit).then_some(sum)
    })
}

/// Wraps a column around the globe. Most columns need no division.
fn wrapped(column: i32, columns: i32) -> i32 {
    if (0..columns).contains(&column) { column } else { column.rem_euclid(columns) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_has_as_many_cells_as_fit_on_both_sides_of_the_equator() {
        for band in 0..BANDS {
            let (south, columns) = (f64::from(band) * CELL_DEG - 90.0, columns_of(band));
            let nearest_equator = south.abs().min((south + CELL_DEG).abs());
            let fit = 360.0 * nearest_equator.to_radians().cos() / CELL_DEG;
            assert!((f64::from(columns) - fit.max(1.0)).abs() <= 1.001, "{band}: {columns} of {fit}");
            assert!((columns - columns_of(BANDS - 1 - band)).abs() <= 1, "{band}");
        }
    }

    #[test]
    fn cells_are_counted_up_to_a_limit() {
        let disc = Disc::new(Point::new(12.97, 77.59), 3_000.0);
        let count = disc.cells().count();
        assert!((28..60).contains(&count), "{count}");
        assert_eq!(
            [count, count + 1, count - 1].map(|limit| disc.cells_up_to(limit)),
            [Some(count), Some(count), None]
        );
        let bounds = Bounds { west: 77.5, south: 12.9, east: 77.6, north: 13.0 };
        let cells = BoxCells::of(bounds);
        let count = cells.cells().count();
        assert_eq!([count, count - 1].map(|limit| cells.up_to(limit)), [Some(count), None]);
        // The box measures 11.1 km by 10.8 km.
        assert!((120..=13 * 12).contains(&count), "{count}");
        let across = BoxCells::of(Bounds { west: 179.95, east: -179.95, ..bounds });
        assert!(across.cells().count().abs_diff(count) <= 13, "{}", across.cells().count());
        let one = Bounds { west: 77.5, south: 12.9, east: 77.5, north: 12.9 };
        assert!(BoxCells::of(one).cells().eq([Cell::of(Point::new(12.9, 77.5))]));
    }

    #[test]
    fn the_poles_and_the_date_line_are_in_cells() {
        assert_eq!([-90.0, -89.999, 0.0, 89.999, 90.0].map(band_of), [0, 0, BANDS / 2, BANDS - 1, BANDS - 1]);
        assert_eq!(Cell::of(Point::new(12.0, 180.0)), Cell::of(Point::new(12.0, -180.0)));
        assert_ne!(Cell::of(Point::new(12.0, 179.9)), Cell::of(Point::new(12.0, -179.9)));
    }
}
