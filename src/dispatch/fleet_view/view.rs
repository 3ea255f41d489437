//! From who is online and which jobs are open to what a map shows. Pure.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{
    engine::OnlineMechanic,
    geo::{Bounds, Point},
};
use uuid::Uuid;

use super::{
    DETAIL_ZOOM, FleetWindow, MAX_CELLS, MAX_SHOWN,
    dto::{FleetCell, FleetCounts, FleetJob, FleetMechanic, FleetState, FleetView},
    queries::OpenJobRow,
};

impl FleetView {
    /// `open` has jobs everywhere, `online` the mechanics in the window; `fresh` is how long their positions count.
    pub(super) fn of(
        window: FleetWindow,
        online: Vec<OnlineMechanic>,
        open: &[OpenJobRow],
        fresh: TimeDelta,
        now: DateTime<Utc>,
    ) -> Self {
        let is_seen = |job: &&OpenJobRow| window.bounds.contains(pickup(job));
        let seen: Vec<&OpenJobRow> = open.iter().filter(is_seen).collect();
        let mut counts = FleetCounts::default();
        online.iter().for_each(|mechanic| counts.add_mechanic(mechanic));
        seen.iter().for_each(|job| counts.add_job(job));
        let is_aggregated = window.zoom < DETAIL_ZOOM || online.len() > MAX_SHOWN || seen.len() > MAX_SHOWN;
        let mut view = Self {
            at: now.into(),
            is_aggregated,
            counts,
            mechanics: Vec::new(),
            jobs: Vec::new(),
            cells: Vec::new(),
            details: None,
        };
        if is_aggregated {
            let cells = Cells::of(window);
            view.cells = cells.counted(&online, &seen);
        } else {
            view.mechanics = mechanics(online, open, fresh);
        }
        let mut shown = if is_aggregated { Vec::new() } else { seen };
        if window.has_details {
            let room = MAX_SHOWN - shown.len();
            let others = open.iter().filter(|job| is_aggregated || !is_seen(job));
            shown.extend(most_urgent(others.collect(), room));
        }
        view.jobs = shown.into_iter().map(FleetJob::from).collect();
        view.jobs.sort_by_key(|job| job.id);
        view
    }
}

/// Those that wait before the others, the longest wait first.
fn most_urgent(mut jobs: Vec<&OpenJobRow>, most: usize) -> Vec<&OpenJobRow> {
    if jobs.len() > most {
        jobs.sort_by_key(|job| (job.mechanic_profile_id.is_some(), job.begin_at));
        jobs.truncate(most);
    }
    jobs
}

fn pickup(job: &OpenJobRow) -> Point {
    Point::new(job.pickup_lat, job.pickup_lng)
}

/// A mechanic in the window may be on a job outside of it.
fn mechanics(online: Vec<OnlineMechanic>, open: &[OpenJobRow], fresh: TimeDelta) -> Vec<FleetMechanic> {
    let on_job = open.iter().filter_map(|job| Some((job.mechanic_profile_id?, job.id)));
    let on_job: HashMap<Uuid, Uuid> = on_job.collect();
    let shown = |mechanic: OnlineMechanic| {
        let job_id = on_job.get(&mechanic.id.0).copied().filter(|_| !mechanic.is_free);
        FleetMechanic {
            mechanic_profile_id: mechanic.id.0,
            lat: mechanic.point.lat,
            lng: mechanic.point.lng,
            state: match (mechanic.is_free, job_id) {
                (true, _) => FleetState::Free,
                (false, None) => FleetState::Offered,
                (false, Some(_)) => FleetState::Busy,
            },
            seen_at: (mechanic.fresh_until - fresh).into(),
            job_id,
        }
    };
    let mut shown: Vec<FleetMechanic> = online.into_iter().map(shown).collect();
    shown.sort_by_key(|mechanic| mechanic.mechanic_profile_id);
    shown
}

impl From<&OpenJobRow> for FleetJob {
    fn from(job: &OpenJobRow) -> Self {
        Self {
            id: job.id,
            status: job.status,
            lat: job.pickup_lat,
            lng: job.pickup_lng,
            service_category_id: job.service_category_id,
            urgency: job.urgency,
            waiting_since: job.begin_at.into(),
            mechanic_profile_id: job.mechanic_profile_id,
        }
    }
}

impl FleetCounts {
    fn add_mechanic(&mut self, mechanic: &OnlineMechanic) {
        match mechanic.is_free {
            true => self.free += 1,
            false => self.busy += 1,
        }
    }

    fn add_job(&mut self, job: &OpenJobRow) {
        match job.mechanic_profile_id {
            None => self.waiting_jobs += 1,
            Some(_) => self.active_jobs += 1,
        }
    }
}

/// The squares of a window.
#[derive(Debug, Clone, Copy)]
struct Cells {
    size: f64,
}

impl Cells {
    /// About 64 pixels: a quarter of a tile of 256, which at zoom 0 is the world. Twice as large, and so on, if the
    /// window would have too many.
    fn of(FleetWindow { bounds, zoom, .. }: FleetWindow) -> Self {
        let mut cells = Self { size: 90.0 / f64::from(1_u32 << zoom) };
        while cells.within(&bounds) > MAX_CELLS {
            cells.size *= 2.0;
        }
        cells
    }

    /// How many the box touches, at most.
    fn within(self, bounds: &Bounds) -> i64 {
        let rows = self.row(bounds.north) - self.row(bounds.south) + 1;
        let columns = (bounds.width() / self.size).ceil() as i64 + 1;
        rows * columns
    }

    fn row(self, lat: f64) -> i64 {
        ((lat + 90.0) / self.size).floor() as i64
    }

    /// The pole is in the last row, and 180° east is 180° west.
    fn place(self, point: Point) -> (i64, i64) {
        let rows = (180.0 / self.size).ceil() as i64;
        let column = ((point.lng + 180.0) / self.size).floor() as i64;
        (self.row(point.lat).min(rows - 1), column.rem_euclid((360.0 / self.size).ceil() as i64))
    }

    fn counted(self, online: &[OnlineMechanic], seen: &[&OpenJobRow]) -> Vec<FleetCell> {
        let mut counts: BTreeMap<(i64, i64), FleetCounts> = BTreeMap::new();
        for mechanic in online {
            counts.entry(self.place(mechanic.point)).or_default().add_mechanic(mechanic);
        }
        for job in seen {
            counts.entry(self.place(pickup(job))).or_default().add_job(job);
        }
        let cell = |((row, column), counts): ((i64, i64), FleetCounts)| {
            let middle = |index: i64| (index as f64 + 0.5) * self.size;
            FleetCell {
                lat: middle(row) - 90.0,
                lng: middle(column) - 180.0,
                size_degrees: self.size,
                counts,
            }
        };
        counts.into_iter().map(cell).collect()
    }
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
