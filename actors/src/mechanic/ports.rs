//! The ports through which mechanics use the service.

use std::fmt;

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;

use super::state::{Fix, Mechanic, Parked, ParkingEnd, TrailPoint};
use crate::{
    commit::{CommitError, LoadError},
    ids::MechanicId,
};

/// Loads mechanics, and keeps their availability and positions.
pub trait MechanicJournal: fmt::Debug + Send + Sync + 'static {
    /// Returns the mechanic with their engagement (pending offer or active job) as committed.
    fn load_mechanic(&self, id: MechanicId) -> BoxFuture<'_, Result<Option<Mechanic>, LoadError>>;

    /// Saves whether the mechanic wants offers, and since when.
    fn save_availability(
        &self,
        id: MechanicId,
        available: bool,
        at: DateTime<Utc>,
    ) -> BoxFuture<'_, Result<(), CommitError>>;

    /// Saves where the mechanic waits, in place of any earlier place, and that they want offers. If they no longer
    /// want offers, neither is saved.
    fn save_parking(
        &self,
        id: MechanicId,
        parked: Parked,
        label: Option<String>,
    ) -> BoxFuture<'_, Result<(), CommitError>>;

    /// Ends the mechanic's waiting at the place where they have waited since then. Unless they ended it themselves,
    /// they are notified of the reason. Does nothing if they wait elsewhere now.
    fn end_parking(
        &self,
        id: MechanicId,
        since: DateTime<Utc>,
        why: ParkingEnd,
        at: DateTime<Utc>,
    ) -> BoxFuture<'_, Result<(), CommitError>>;

    /// Keeps points of a trail. `Ok` means stored; a full queue or an unavailable database is an error, and the
    /// sender of the points sends them again.
    fn record_trail(&self, points: Vec<TrailPoint>) -> BoxFuture<'_, Result<(), LoadError>>;

    /// Keeps a mechanic's current position; the latest wins. Saving may be delayed, and may be lost in a crash.
    fn record_position(&self, id: MechanicId, fix: Fix);
}
