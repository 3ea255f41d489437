//! Creates several jobs at once.

pub(super) mod queries;

use roadcall_actors::{
    job::state::{Event, JobDetails},
    ports::JobChange,
};

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
