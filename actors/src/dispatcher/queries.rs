//! Questions to the dispatcher and its answers. Pure data.

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

/// Asks who could serve a pickup right now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AvailabilityQuery {
    pub pickup: Point,
    pub vehicle_type: VehicleType,
    pub category_id: CategoryId,
    pub within_m: f64,
    /// How many mechanics count at most, nearest first.
    pub most: usize,
}

/// Asks which free mechanics could serve a pickup right now, nearest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NearestQuery {
    pub pickup: Point,
    pub vehicle_type: VehicleType,
    pub category_id: CategoryId,
    pub within_m: f64,
    /// How many of them to return.
    pub k: usize,
}

/// Asks what an hour of each class of mechanics costs now. The answer is empty while prices are off, and until the
/// first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PricesQuery;

/// Asks where the mechanic should wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdviceQuery(pub MechanicId);

/// Asks what a customer with this demand can expect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutlookQuery {
    /// `None` if the job does not exist yet.
    pub job_id: Option<JobId>,
    pub demand: Demand,
    /// The mechanics who hold an offer of the job.
    pub asked: Vec<MechanicId>,
}

/// Asks which mechanics are online nearest to a pickup, and what speaks against each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CandidatesQuery {
    pub demand: Demand,
    pub within_m: f64,
    /// How many of them to return.
    pub k: usize,
}

/// An online mechanic, as shown to an admin who assigns a job by hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NearbyMechanic {
    pub id: MechanicId,
    /// Why dispatch would not offer them the job now; empty if it could.
    pub misfits: Vec<Unfit>,
}

/// Asks which mechanics are online in this box.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FleetQuery {
    pub bounds: Bounds,
    /// If there are no more mechanics than this, the answer lists each of them.
    pub most: usize,
    /// Otherwise it counts them in each of these squares.
    pub squares: Squares,
}

/// The answer to a [`FleetQuery`], in no particular order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Fleet {
    Each(Vec<OnlineMechanic>),
    /// The squares that contain a mechanic.
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

/// An online mechanic, as a map shows them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct OnlineMechanic {
    pub id: MechanicId,
    pub point: Point,
    /// Whether the mechanic is neither reserved, nor offered a job, nor on one.
    pub is_free: bool,
    /// When the position ceases to count as fresh.
    pub fresh_until: DateTime<Utc>,
}

/// The answer to an [`AvailabilityQuery`]. It does not depend on where in their cell a mechanic is.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Availability {
    /// The number of mechanics, at most as many as were asked for.
    pub count: usize,
    /// The estimate from the middle of the nearest mechanic's cell.
    pub nearest: Option<TripEstimate>,
    /// The middles of their cells, nearest first, one per mechanic, at most [`Availability::MAX_CELLS`].
    pub cells: Vec<Point>,
}

impl Availability {
    pub const MAX_CELLS: usize = 50;
    /// The largest count: larger ones would help no caller.
    pub const MAX_COUNT: usize = 1_000;
    /// The side of a cell in metres.
    pub const CELL_M: f64 = 200.0;
    /// The distance in metres from the middle of a cell within which all of the cell lies.
    pub const TO_MIDDLE_M: f64 = 0.75 * Self::CELL_M;
}

/// The outcomes of advice on where to wait, counted since the dispatcher started. Advice that `given` counts and no
/// other field does still holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AdviceCounts {
    pub given: u64,
    /// The mechanic was seen there, within a kilometre of the middle, before the advice ended.
    pub followed: u64,
    /// The advice ended before the mechanic was seen there.
    pub stayed: u64,
    /// The mechanic got a job or went offline before they were seen there.
    pub cut_short: u64,
}

/// Figures for operators. The `u64` fields are counted since the dispatcher started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DispatcherCounts {
    pub waiting_jobs: usize,
    /// Jobs that wait because the time of the nearby mechanics is worth more.
    pub held_jobs: usize,
    pub online_mechanics: usize,
    pub free_mechanics: usize,
    /// Passes over the waiting jobs.
    pub passes: u64,
    /// Groups of competing jobs that were decided as one assignment.
    pub contested: u64,
    /// Contested groups that were not solved to the end: the answer may cost more than the optimum.
    pub bounded: u64,
    /// Contested groups that were solved on another thread, because they were large.
    pub beside: u64,
    /// Requests for ETA tables.
    pub eta_tables: u64,
    /// Choices that were dropped because the job or the mechanic changed while the choice was being made.
    pub stale: u64,
    pub advice: AdviceCounts,
}
