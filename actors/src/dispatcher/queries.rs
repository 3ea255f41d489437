//! What the dispatcher is asked, and what it answers. Pure data.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::explain::Unfit;
use crate::{
    eta::TripEstimate,
    geo::{Bounds, Point, Squares},
    ids::{CategoryId, JobId, MechanicId},
    messages::Demand,
    vehicle::VehicleType,
};

/// Who could serve a pickup right now?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AvailabilityQuery {
    pub pickup: Point,
    pub vehicle_type: VehicleType,
    pub category_id: CategoryId,
    pub within_m: f64,
    /// Of the nearest, so many count.
    pub most: usize,
}

/// Which free mechanics could serve a pickup right now, nearest first?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NearestQuery {
    pub pickup: Point,
    pub vehicle_type: VehicleType,
    pub category_id: CategoryId,
    pub within_m: f64,
    /// How many of them to return.
    pub k: usize,
}

/// What does an hour of each class of mechanics cost now? The answer is empty while prices are off, and until the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PricesQuery;

/// Where had the mechanic better wait?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdviceQuery(pub MechanicId);

/// What can a customer expect who wants this?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutlookQuery {
    /// `None` if the job does not exist yet.
    pub job_id: Option<JobId>,
    pub demand: Demand,
    /// They hold an offer of the job.
    pub asked: Vec<MechanicId>,
}

/// Which mechanics are online nearest to a pickup, and what speaks against each?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CandidatesQuery {
    pub demand: Demand,
    pub within_m: f64,
    /// How many of them to return.
    pub k: usize,
}

/// A mechanic who is online, as somebody sees them who assigns a job by hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NearbyMechanic {
    pub id: MechanicId,
    /// Why dispatch would not offer them the job now; empty if it could.
    pub misfits: Vec<Unfit>,
}

/// Which mechanics are online in this box?
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FleetQuery {
    pub bounds: Bounds,
    /// Each of them, if they are no more than this.
    pub most: usize,
    /// Otherwise how many are in each of these.
    pub squares: Squares,
}

/// The answer to a [`FleetQuery`], in no particular order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Fleet {
    Each(Vec<OnlineMechanic>),
    /// Squares in which somebody is.
    Counted(Vec<FleetSquare>),
}

/// Mechanics in a square of the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FleetSquare {
    /// Row and column.
    pub place: (i64, i64),
    pub free: u32,
    pub busy: u32,
}

/// A mechanic who is online, as a map shows them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct OnlineMechanic {
    pub id: MechanicId,
    pub point: Point,
    /// Neither reserved, nor offered a job, nor on one.
    pub is_free: bool,
    /// Until when the position counts as fresh.
    pub fresh_until: DateTime<Utc>,
}

/// The answer to an [`AvailabilityQuery`]. Nothing in it depends on where in their cell a mechanic is.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Availability {
    /// At most as many as were asked for.
    pub count: usize,
    /// From the middle of the nearest mechanic's cell.
    pub nearest: Option<TripEstimate>,
    /// The middles of their cells, nearest first, one per mechanic, at most [`Availability::MAX_CELLS`].
    pub cells: Vec<Point>,
}

impl Availability {
    pub const MAX_CELLS: usize = 50;
    /// Nobody needs to know how many more there are.
    pub const MAX_COUNT: usize = 1_000;
    /// Side of a cell in metres.
    pub const CELL_M: f64 = 200.0;
}

/// What became of advice where to wait, counted since the dispatcher started. Those that `given` has more than the others together
/// still hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AdviceCounts {
    pub given: u64,
    /// They were seen there, within a kilometre of the middle, before it ended.
    pub followed: u64,
    /// It ended without that.
    pub stayed: u64,
    /// Before they were seen there, they got a job or went offline.
    pub cut_short: u64,
}

/// Figures for operators; the `u64` ones are counted since the dispatcher started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DispatcherCounts {
    pub waiting_jobs: usize,
    /// Those of them that wait because the time of the mechanics at hand is worth more.
    pub held_jobs: usize,
    pub online_mechanics: usize,
    pub free_mechanics: usize,
    /// Passes over the waiting jobs.
    pub passes: u64,
    /// Groups of competing jobs that were decided as one assignment.
    pub contested: u64,
    /// Contested groups that were not solved to the end: their answer may cost more than the optimum.
    pub bounded: u64,
    /// Contested groups that were solved on another thread, because they were large.
    pub beside: u64,
    /// Requests for ETA tables.
    pub eta_tables: u64,
    /// Choices that were dropped because the job or the mechanic changed while they were being made.
    pub stale: u64,
    pub advice: AdviceCounts,
}
