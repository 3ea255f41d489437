//! Records the reports to apps and watchers.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{
    ids::{JobId, OfferId},
    ports::{Announcement, Nudge, OfferStatus, Outbound},
};

/// The number of reports kept unless [`Recorder::keep`] changes it; the oldest are dropped first.
const REMEMBERED: usize = 100_000;

/// An [`Outbound`] that remembers every report.
#[derive(Debug, Default)]
pub struct Recorder {
    memory: Mutex<Memory>,
}

#[derive(Debug)]
struct Memory {
    reports: VecDeque<Announcement>,
    most: usize,
}

impl Recorder {
    /// Returns every report so far, the oldest first.
    pub fn all(&self) -> Vec<Announcement> {
        self.locked().reports.iter().cloned().collect()
    }

    /// Drops all reports so far.
    pub fn clear(&self) {
        self.locked().reports.clear();
    }

    /// Sets how many reports are remembered at most. With 0, which is fastest, none are.
    pub fn keep(&self, most: usize) {
        let mut memory = self.locked();
        memory.most = most;
        let surplus = memory.reports.len().saturating_sub(most);
        memory.reports.drain(..surplus);
    }

    /// Returns the nudges of the mechanics on this job, the oldest first.
    pub fn nudges(&self, id: JobId) -> Vec<Nudge> {
        let memory = self.locked();
        let of_this = memory.reports.iter().filter_map(|report| match report {
            Announcement::Nudge(nudge) if nudge.job_id == id => Some(*nudge),
            _ => None,
        });
        of_this.collect()
    }

    /// Returns the statuses that the offer's mechanic was shown, the oldest first.
    pub fn offer_updates(&self, id: OfferId) -> Vec<OfferStatus> {
        let memory = self.locked();
        let of_this = memory.reports.iter().filter_map(|report| match report {
            Announcement::Offer(card) if card.id == id => Some(card.status),
            _ => None,
        });
        of_this.collect()
    }

    /// Returns the highest `seq` that was reported to watchers of the job.
    pub fn last_seq(&self, id: JobId) -> Option<i64> {
        let memory = self.locked();
        let of_this = memory.reports.iter().filter_map(|report| match report {
            Announcement::JobChanged { job, seq } if *job == id => Some(*seq),
            _ => None,
        });
        of_this.max()
    }

    fn locked(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self { reports: VecDeque::new(), most: REMEMBERED }
    }
}

impl Outbound for Recorder {
    fn announce(&self, announcement: Announcement) {
        let mut memory = self.locked();
        if memory.most == 0 {
            return;
        }
        if memory.reports.len() == memory.most {
            memory.reports.pop_front();
        }
        memory.reports.push_back(announcement);
    }
}
