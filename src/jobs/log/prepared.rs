//! Changes with their log entries and notifications, which are prepared before anything is sent.

use roadcall_actors::{ports::JobChange, random::Random};

use super::{
    columns::event_columns,
    offers::{OfferChanges, assigned},
    queries::EventColumns,
};
use crate::{
    jobs::queries::{JobEventRow, JobRow},
    notifications::{self, DomainEvent, NewNotifications},
};

/// A change, with its log entry and notifications.
#[derive(Debug)]
pub struct PreparedChange {
    pub change: JobChange,
    pub(super) entry: PreparedEntry,
}

/// More than the arguments for a row take, except for long texts.
const ROW_BYTES: usize = 2_000;

/// A log entry and its notifications, as they are stored.
#[derive(Debug)]
pub(super) struct PreparedEntry {
    pub event: EventColumns,
    pub notes: NewNotifications,
}

impl PreparedChange {
    pub fn new(random: &Random, change: JobChange) -> Self {
        Self { entry: PreparedEntry::of(random, &change), change }
    }

    /// Returns about how many bytes a statement has for the change.
    pub fn bytes(&self) -> usize {
        let PreparedEntry { event, notes } = &self.entry;
        let bodies: usize = notes.bodies.iter().map(String::len).sum();
        ROW_BYTES + event.data.to_string().len() + bodies
    }

    /// Returns whether the change concerns no offers and gives the job to nobody.
    pub(super) fn is_plain(&self) -> bool {
        OfferChanges::of(&self.change).is_none() && assigned(&self.change).is_none()
    }
}

impl PreparedEntry {
    pub fn of(random: &Random, change: &JobChange) -> Self {
        let by_change = DomainEvent::Job { job: &change.next, event: &change.event, by: change.by };
        let notes = notifications::prepare(random, by_change, change.at);
        Self { event: event_columns(change), notes }
    }

    /// Returns the written entry with the row after it, if it is public.
    pub fn shown(&self, row: JobRow) -> Option<JobEventRow> {
        let EventColumns { kind, is_public, data, at, .. } = &self.event;
        is_public.then(|| JobEventRow {
            seq: row.seq,
            kind: (*kind).to_owned(),
            data: data.clone(),
            at: *at,
            is_active: false,
            unpaid_since: None,
            snapshot: row,
        })
    }
}
