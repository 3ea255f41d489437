//! Builds the view of a map from the online mechanics and the open jobs. Pure.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{
    engine::{Fleet, FleetSquare, OnlineMechanic},
    geo::{Point, Squares},
};
use uuid::Uuid;

use super::{
    DETAIL_ZOOM, FleetWindow, MAX_CELLS, MAX_SHOWN,
    dto::{FleetCell, FleetCounts, FleetJob, FleetMechanic, FleetState, FleetTotals, FleetView},
    queries::OpenJobRow,
};

impl FleetView {
    /// Builds the view. `open` has jobs everywhere, `online` the mechanics in the window; `fresh` is how long their positions
    /// count. The caller fills in the counts `everywhere`.
    pub(super) fn of(
        window: FleetWindow,
        online: Fleet,
        open: &[OpenJobRow],
        fresh: TimeDelta,
        now: DateTime<Utc>,
    ) -> Self {
        let is_seen = |job: &&OpenJobRow| window.sees(job);
        let seen: Vec<&OpenJobRow> = open.iter().filter(is_seen).collect();
        let is_aggregated = window.most(open) == 0 || matches!(online, Fleet::Counted(_));
        let mut cells = Cells { squares: window.squares(), counts: BTreeMap::new() };
        seen.iter().for_each(|job| cells.at(pickup(job)).add_job(job));
        match &online {
            Fleet::Each(each) => {
                each.iter().for_each(|mechanic| cells.at(mechanic.point).add_mechanic(mechanic));
            }
            Fleet::Counted(squares) => squares.iter().for_each(|square| cells.add(square)),
        }
        let counts = cells.sum();
        let mut view = Self {
            at: now.into(),
            is_aggregated,
            counts,
            everywhere: FleetTotals::default(),
            mechanics: Vec::new(),
            jobs: Vec::new(),
            cells: Vec::new(),
            details: None,
        };
        match online {
            Fleet::Each(each) if !is_aggregated => view.mechanics = mechanics(each, open, fresh),
            Fleet::Each(_) | Fleet::Counted(_) => view.cells = cells.shown(),
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

/// Returns at most `most` jobs: waiting ones before the others, the longest wait first.
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

/// Adds their jobs to the mechanics; a mechanic in the window may be on a job outside of it.
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

impl FleetWindow {
    fn sees(self, job: &OpenJobRow) -> bool {
        self.bounds.contains(pickup(job))
    }

    /// Returns how many mechanics are shown one by one, at most; 0 if only counts are shown.
    pub(super) fn most(self, open: &[OpenJobRow]) -> usize {
        let are_few = open.iter().filter(|job| self.sees(job)).count() <= MAX_SHOWN;
        if self.zoom >= DETAIL_ZOOM && are_few { MAX_SHOWN } else { 0 }
    }

    /// Returns squares of about 64 pixels: a quarter of a tile of 256, which at zoom 0 is the world. The side doubles until
    /// the window has few enough.
    pub(super) fn squares(self) -> Squares {
        let mut squares = Squares { degrees: 90.0 / f64::from(1_u32 << self.zoom) };
        while self.squares_within(squares) > MAX_CELLS {
            squares.degrees *= 2.0;
        }
        squares
    }

    /// Returns how many squares the window touches, at most.
    fn squares_within(self, squares: Squares) -> i64 {
        let rows = squares.row(self.bounds.north) - squares.row(self.bounds.south) + 1;
        let columns = (self.bounds.width() / squares.degrees).ceil() as i64 + 1;
        rows * columns
    }
}

/// The counts of the squares of a window.
struct Cells {
    squares: Squares,
    counts: BTreeMap<(i64, i64), FleetCounts>,
}

impl Cells {
    fn at(&mut self, point: Point) -> &mut FleetCounts {
        self.counts.entry(self.squares.of(point)).or_default()
    }

    fn add(&mut self, square: &FleetSquare) {
        let counts = self.counts.entry(square.place).or_default();
        counts.free += square.free;
        counts.busy += square.busy;
    }

    fn sum(&self) -> FleetCounts {
        self.counts.values().fold(FleetCounts::default(), |sum, cell| FleetCounts {
            free: sum.free + cell.free,
            busy: sum.busy + cell.busy,
            waiting_jobs: sum.waiting_jobs + cell.waiting_jobs,
            active_jobs: sum.active_jobs + cell.active_jobs,
        })
    }

    fn shown(&self) -> Vec<FleetCell> {
        let cell = |(place, counts): (&(i64, i64), &FleetCounts)| {
            let Point { lat, lng } = self.squares.middle(*place);
            FleetCell { lat, lng, size_degrees: self.squares.degrees, counts: *counts }
        };
        self.counts.iter().map(cell).collect()
    }
}

#[cfg(test)]
mod tests;
