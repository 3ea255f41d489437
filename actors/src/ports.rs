//! What the engine asks of the world. The service implements these on Postgres and sockets, tests in memory.

use std::{collections::BTreeSet, fmt, sync::Arc};

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use uuid::Uuid;

use crate::{
    concern::Delay,
    dispatcher::explain::Explanation,
    geo::Point,
    ids::{CommandId, JobId, MechanicId, OfferId, UserId},
    job::state::{Actor, Event, Job, JobDetails},
    mechanic::state::{Fix, Mechanic, TrailPoint},
};

/// One commit to a job: its event, and the job as it is afterwards.
#[derive(Debug, Clone)]
pub struct Change {
    pub command_id: CommandId,
    pub by: Actor,
    pub at: DateTime<Utc>,
    /// The version that must stand in the row; 0 where the job is made.
    pub expected_version: i64,
    pub event: Event,
    pub next: Job,
    /// The caller's idempotency mark, to be completed in the same transaction.
    pub idempotency: Option<Uuid>,
}

/// Why a change is not committed, or may be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommitError {
    /// The row has another version: memory was stale.
    #[error("version conflict")]
    Conflict,
    /// This very command was committed before.
    #[error("already committed")]
    AlreadyCommitted,
    /// A rule of the schema refused it.
    #[error("refused by the schema: {0:?}")]
    Refused(Guard),
    /// Surely not happened.
    #[error("not committed: {0}")]
    Failed(String),
    /// May have happened.
    #[error("may have been committed: {0}")]
    Unknown(String),
}

/// The schema's own referees, each the second guard of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// A mechanic has at most one active job.
    OneActiveJobPerMechanic,
    /// A vehicle has at most one open job.
    OneOpenJobPerVehicle,
    /// A mechanic has at most one pending offer.
    OnePendingOfferPerMechanic,
    /// The offer is no longer pending.
    OfferGone,
    /// The vehicle was deleted meanwhile.
    VehicleGone,
    /// Help of this category is not offered any more.
    CategoryGone,
    /// Whoever asks was made an admin, or suspended, meanwhile.
    NotACustomer,
    /// Only a verified mechanic may become available.
    NotVerified,
    /// The caller's idempotency mark has its job already.
    MarkUsed,
}

/// A load that failed; nothing was changed.
#[derive(Debug, Clone, thiserror::Error)]
#[error("could not load: {0}")]
pub struct LoadError(pub String);

/// Where decisions are committed before memory believes them.
pub trait Journal: fmt::Debug + Send + Sync + 'static {
    /// Commits one change: state, event and offers in one transaction.
    fn commit(&self, change: Change) -> BoxFuture<'_, Result<(), CommitError>>;

    /// The job as it was committed last.
    fn load_job(&self, id: JobId) -> BoxFuture<'_, Result<Option<Job>, LoadError>>;

    /// The mechanic with its engagement (pending offer or active job) as committed.
    fn load_mechanic(&self, id: MechanicId) -> BoxFuture<'_, Result<Option<Mechanic>, LoadError>>;

    /// Whether the mechanic wants offers, and since when.
    fn save_availability(
        &self,
        id: MechanicId,
        available: bool,
        at: DateTime<Utc>,
    ) -> BoxFuture<'_, Result<(), CommitError>>;

    /// Keeps points of a trail. `Ok` means stored; a full queue or an absent database is an error, and the sender
    /// of the points sends them again.
    fn record_trail(&self, points: Vec<TrailPoint>) -> BoxFuture<'_, Result<(), LoadError>>;

    /// Keeps a mechanic's current position, latest wins; may be delayed and may be lost in a crash.
    fn record_position(&self, id: MechanicId, fix: Fix);

    /// Keeps why a job was, or was not, offered to whom; may be delayed and may be lost in a crash.
    fn record_explanation(&self, explanation: Explanation);
}

/// Someone is told something. Must not block and may drop: whatever matters stands in the journal.
pub trait Outbound: fmt::Debug + Send + Sync + 'static {
    /// A job's log grew to `seq`: watchers read on from what they have.
    fn job_changed(&self, job: JobId, seq: i64);
    /// An offer was made, or ended, for a mechanic.
    fn offer_changed(&self, card: &OfferCard);
    /// A round of offers went out.
    fn dispatch_progress(&self, progress: &DispatchProgress);
    /// The assigned mechanic's position, as fresh as it gets.
    fn located(&self, sighting: &Sighting);
    /// How often the mechanic's app shall send.
    fn location_rate(&self, mechanic: UserId, interval_s: u32);
    /// Something is wrong with the mechanic on its way to the job: its app shall ask about it.
    fn nudge(&self, nudge: &Nudge);
    /// Whether anybody but the mechanic is shown where it is on this job. Asked, not told: so no word can be lost.
    fn is_watched(&self, job: JobId) -> bool;
    /// The mechanic got this job (`true`) or lost it (`false`): its sockets follow.
    fn assigned(&self, mechanic: UserId, job: JobId, is_on_it: bool);
}

/// An estimate of the way to the pickup.
pub trait Eta: fmt::Debug + Send + Sync + 'static {
    /// Of a mechanic that sets out at `at`. Called often and within a match, so it must not wait for anything.
    fn estimate(&self, from: Point, to: Point, at: DateTime<Utc>) -> Estimate;

    /// Of many ways (from, to) at once, asked before a match is decided. May wait for somebody else, within a time
    /// limit of its own, and always answers: as many estimates as ways, in their order, of whatever source is left.
    /// `None` where [`Eta::estimate`] knows as much, and nothing is to be waited for.
    fn table(&self, ways: Vec<(Point, Point)>, at: DateTime<Utc>) -> Option<BoxFuture<'_, Vec<Estimate>>> {
        let _ = (ways, at);
        None
    }
}

/// How long and how far it is to a pickup.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub eta_s: u32,
    /// What the source itself says, before the service corrects it: what corrections are learned from.
    pub base_s: u32,
    /// Straight line, in metres, whatever the source.
    pub distance_m: u32,
    /// Where the estimate comes from, one of [`crate::eta::SOURCES`].
    pub source: &'static str,
}

impl Estimate {
    /// As the source says it.
    pub fn plain(seconds: f64, distance_m: f64, source: &'static str) -> Self {
        // Casts of floats saturate, so an absurd distance can't wrap.
        let eta_s = seconds.round() as u32;
        Self { eta_s, base_s: eta_s, distance_m: distance_m.round() as u32, source }
    }
}

/// Offers show the pickup rounded to about this many metres: the exact one is for the assigned mechanic alone.
pub const OFFERED_PICKUP_GRID_M: f64 = 100.0;

/// An offer as its mechanic may see it.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferCard {
    pub id: OfferId,
    pub job_id: JobId,
    pub mechanic_id: MechanicId,
    pub mechanic_user: UserId,
    pub status: OfferStatus,
    pub round: u32,
    pub distance_m: u32,
    pub eta_s: u32,
    pub eta_source: &'static str,
    pub estimated_price_paise: i64,
    pub category: Uuid,
    pub vehicle_type: crate::vehicle::VehicleType,
    /// Rounded to [`OFFERED_PICKUP_GRID_M`].
    pub pickup: Point,
    pub urgency: crate::job::state::Urgency,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// Where an offer stands. All but pending are final.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfferStatus {
    Pending,
    Accepted,
    Declined,
    Expired,
    Revoked,
}

impl OfferStatus {
    /// The value on the wire and in rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Accepted => "accepted",
            Self::Declined => "declined",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
        }
    }
}

/// A round of offers as the customer hears of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DispatchProgress {
    pub job_id: JobId,
    pub customer: UserId,
    pub round: u32,
    pub radius_m: f64,
    pub mechanics_offered: u32,
}

/// The assigned mechanic of a job was seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    pub job_id: JobId,
    pub mechanic_id: MechanicId,
    pub fix: Fix,
    /// To the pickup; `None` once arrived.
    pub estimate: Option<Estimate>,
}

/// A mechanic on its way that something is wrong with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nudge {
    pub mechanic: UserId,
    pub job_id: JobId,
    pub delay: Delay,
}

/// The world as one bundle.
#[derive(Debug, Clone)]
pub struct Ports {
    pub journal: Arc<dyn Journal>,
    pub outbound: Arc<dyn Outbound>,
    pub eta: Arc<dyn Eta>,
}

/// What a new job is made of.
#[derive(Debug, Clone)]
pub struct NewJob {
    pub id: JobId,
    pub spec: crate::job::state::JobSpec,
    pub details: JobDetails,
    /// Mechanics that must not be offered it, e.g. the customer itself.
    pub excluded: BTreeSet<MechanicId>,
    pub idempotency: Option<Uuid>,
}
