//! Creates several jobs at once.

pub(super) mod queries;

use std::collections::HashSet;

use roadcall_actors::{
    job::state::{Event, JobDetails},
    ports::JobChange,
};
use uuid::Uuid;

use super::{prepared::PreparedChange, queries::EventColumns};
use crate::notifications::NewNotifications;
pub(super) use queries::insert_all;

/// A change that creates a job, with its event and notifications.
#[derive(Debug, Clone, Copy)]
pub(super) struct Creation<'a> {
    pub change: &'a JobChange,
    pub details: &'a JobDetails,
    pub event: &'a EventColumns,
    pub notes: &'a NewNotifications,
}

impl<'a> Creation<'a> {
    /// Returns `None` for a change of a job that exists.
    pub fn of(PreparedChange { change, entry }: &'a PreparedChange) -> Option<Self> {
        let Event::Created { details } = &change.event else { return None };
        Some(Self { change, details, event: &entry.event, notes: &entry.notes })
    }
}

/// Returns the creations that one statement can write: those that share no vehicle, no mark and no person with an earlier one. The
/// account of an organisation is shared.
pub(super) fn compatible<'a>(creations: impl Iterator<Item = Creation<'a>>) -> Vec<Creation<'a>> {
    let mut taken = HashSet::<Uuid>::new();
    let is_compatible = |creation: &Creation<'_>| {
        let spec = &creation.change.next.spec;
        let person = spec.on_account.is_none().then_some(spec.customer_id.0);
        let needed = [Some(spec.vehicle_id.0), creation.change.idempotency, person];
        let is_free = needed.iter().flatten().all(|id| !taken.contains(id));
        if is_free {
            taken.extend(needed.into_iter().flatten());
        }
        is_free
    };
    creations.filter(is_compatible).collect()
}
