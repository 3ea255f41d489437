//! The known servers, by the report that each sends every second.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use chrono::TimeDelta;
use uuid::Uuid;

use super::messages::NodeReport;
use crate::thresholds::{self, Level};

/// A server whose last report is older than this is forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(10);
/// The maximum number of servers that are remembered; further ones are left out.
const MAX_SERVERS: usize = 1_000;

/// Returns whether a server can be ready whose clock is so far ahead of the database's.
fn is_tolerable(ahead: TimeDelta) -> bool {
    thresholds::CLOCK.level_of(ahead.abs()) < Level::Fail
}

/// The other servers. All clones share the list.
#[derive(Debug, Clone, Default)]
pub struct Nodes(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    others: Mutex<BTreeMap<Uuid, (Instant, NodeReport)>>,
    clock_ahead_ms: Mutex<Option<i64>>,
}

impl Nodes {
    pub(super) fn note(&self, report: NodeReport) {
        let mut others = self.0.others.lock().unwrap_or_else(PoisonError::into_inner);
        others.retain(|_, (heard_at, _)| heard_at.elapsed() < FORGOTTEN_AFTER);
        if others.len() < MAX_SERVERS || others.contains_key(&report.id) {
            others.insert(report.id, (Instant::now(), report));
        }
    }

    /// Returns the recent reports of other servers, with the age of each.
    pub(super) fn others(&self) -> Vec<(Duration, NodeReport)> {
        let others = self.0.others.lock().unwrap_or_else(PoisonError::into_inner);
        let heard = others.values().map(|(heard_at, report)| (heard_at.elapsed(), report.clone()));
        heard.filter(|(ago, _)| *ago < FORGOTTEN_AFTER).collect()
    }

    /// Returns the recent reports of the other servers.
    pub fn reports(&self) -> Vec<NodeReport> {
        self.others().into_iter().map(|(_, report)| report).collect()
    }

    /// Returns whether that server reported recently, and as a server that others know by its term alone.
    pub(super) fn is_of_release_0_1(&self, server: Uuid) -> bool {
        let others = self.0.others.lock().unwrap_or_else(PoisonError::into_inner);
        others.get(&server).is_some_and(|(_, report)| !report.is_known_by_id)
    }

    /// Returns whether another server could lead, by its latest report.
    pub(super) fn is_another_ready(&self) -> bool {
        self.others().iter().any(|(_, report)| {
            let is_clock_right =
                report.clock_ahead_ms.is_some_and(|ms| is_tolerable(TimeDelta::milliseconds(ms)));
            is_clock_right && !report.is_draining && !report.is_leading
        })
    }

    /// Returns the servers that reported within this time.
    pub(super) fn heard_within(&self, limit: Duration) -> Vec<Uuid> {
        let others = self.0.others.lock().unwrap_or_else(PoisonError::into_inner);
        let heard = others.iter().filter(|(_, (heard_at, _))| heard_at.elapsed() < limit);
        heard.map(|(id, _)| *id).collect()
    }

    /// Returns how far this server's clock is ahead of the database's.
    pub fn clock_ahead(&self) -> Option<TimeDelta> {
        self.clock_ahead_ms().map(TimeDelta::milliseconds)
    }

    /// Returns whether this machine's clock is right enough to serve. Servers use the database's clock for
    /// everything that becomes due, but people and providers elsewhere, and their certificates, do not.
    pub fn is_clock_right(&self) -> bool {
        self.clock_ahead().is_none_or(is_tolerable)
    }

    /// Notes the result of a look at both clocks.
    pub(super) fn set_clock_ahead(&self, ahead: TimeDelta) {
        *self.0.clock_ahead_ms.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(ahead.num_milliseconds());
    }

    fn clock_ahead_ms(&self) -> Option<i64> {
        *self.0.clock_ahead_ms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
