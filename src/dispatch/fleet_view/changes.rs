//! Computes the differences between two looks at a window. Pure.

use std::collections::BTreeMap;

use chrono::TimeDelta;

use super::dto::{FleetCell, FleetChanges, FleetCounts, FleetDetails, FleetGone, FleetTotals, FleetView};

/// A client that has not read for longer than this gets the whole view again.
const PAUSE: TimeDelta = TimeDelta::seconds(5);

/// The news for a client that follows a window.
#[derive(Debug, Clone, PartialEq)]
pub enum FleetNews {
    Nothing,
    Some(Box<FleetChanges>),
    /// The whole view.
    Everything,
}

impl FleetNews {
    /// Compares a look at a window with a later one, `pause` after it.
    pub fn between(before: &FleetView, after: &FleetView, pause: TimeDelta) -> Self {
        if before.is_aggregated != after.is_aggregated || pause.abs() > PAUSE {
            return Self::Everything;
        }
        FleetChanges::between(before, after).map_or(Self::Nothing, |changes| Self::Some(Box::new(changes)))
    }
}

impl FleetChanges {
    /// Returns the changes between two views of the same window and kind; `None` if they are equal.
    pub(super) fn between(before: &FleetView, after: &FleetView) -> Option<Self> {
        let of_mechanics =
            Differences::of(&before.mechanics, &after.mechanics, |mechanic| mechanic.mechanic_profile_id);
        let of_jobs = Differences::of(&before.jobs, &after.jobs, |job| job.id);
        let of_cells = Differences::of(&before.cells, &after.cells, place);
        let emptied = before.cells.iter().filter(|cell| of_cells.gone.contains(&place(cell)));
        let emptied = emptied.map(|cell| FleetCell { counts: FleetCounts::default(), ..cell.clone() });
        let changes = Self {
            counts: after.counts,
            everywhere: after.everywhere,
            mechanics: of_mechanics.changed,
            jobs: of_jobs.changed,
            gone: FleetGone { mechanics: of_mechanics.gone, jobs: of_jobs.gone },
            cells: of_cells.changed.into_iter().chain(emptied).collect(),
            details: None,
        };
        let is_empty = before.everywhere == after.everywhere
            && changes.mechanics.is_empty()
            && changes.jobs.is_empty()
            && changes.gone.mechanics.is_empty()
            && changes.gone.jobs.is_empty()
            && changes.cells.is_empty();
        (!is_empty).then_some(changes)
    }

    /// Builds changes of the details alone.
    pub fn of_details(counts: FleetCounts, everywhere: FleetTotals, details: FleetDetails) -> Self {
        Self {
            counts,
            everywhere,
            mechanics: Vec::new(),
            jobs: Vec::new(),
            gone: FleetGone { mechanics: Vec::new(), jobs: Vec::new() },
            cells: Vec::new(),
            details: Some(details),
        }
    }
}

/// Returns the middle of a cell as a key: it is the same number in every look.
fn place(cell: &FleetCell) -> (u64, u64) {
    (cell.lat.to_bits(), cell.lng.to_bits())
}

struct Differences<T, Key> {
    changed: Vec<T>,
    /// The keys that are gone, in order.
    gone: Vec<Key>,
}

impl<T: Clone + PartialEq, Key: Ord> Differences<T, Key> {
    fn of(before: &[T], after: &[T], key: impl Fn(&T) -> Key) -> Self {
        let mut left: BTreeMap<Key, &T> = before.iter().map(|item| (key(item), item)).collect();
        let changed = after.iter().filter(|item| left.remove(&key(item)) != Some(*item)).cloned().collect();
        Self { changed, gone: left.into_keys().collect() }
    }
}
