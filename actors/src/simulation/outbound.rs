//! Records what was reported to whom.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{
    ids::{JobId, OfferId, UserId},
    ports::{Advice, DispatchProgress, Nudge, OfferCard, OfferStatus, Outbound, Outlook, Sighting},
};

/// Reports kept unless [`Recorder::keep`] says otherwise; the oldest are dropped first.
const REMEMBERED: usize = 100_000;

/// One report.
#[derive(Debug, Clone, PartialEq)]
pub enum Report {
    JobChanged { job: JobId, seq: i64 },
    Offer(OfferCard),
    Progress(DispatchProgress),
    WaitAdvised { mechanic: UserId, advice: Advice },
    Outlook { job: JobId, outlook: Outlook },
    Located(Sighting),
    Rate { mechanic: UserId, interval_s: u32 },
    Nudge(Nudge),
    Assigned { mechanic: UserId, job: JobId, is_on_it: bool },
}

/// An [`Outbound`] that remembers every report.
#[derive(Debug, Default)]
pub struct Recorder {
    memory: Mutex<Memory>,
    watched: Mutex<BTreeSet<JobId>>,
}

#[derive(Debug)]
struct Memory {
    reports: VecDeque<Report>,
    most: usize,
}

impl Recorder {
    /// Every report so far, the oldest first.
    pub fn all(&self) -> Vec<Report> {
        self.locked().reports.iter().cloned().collect()
    }

    /// Drops all reports so far.
    pub fn clear(&self) {
        self.locked().reports.clear();
    }

    /// Remembers at most this many; none at all with 0, which is fastest.
    pub fn keep(&self, most: usize) {
        let mut memory = self.locked();
        memory.most = most;
        let surplus = memory.reports.len().saturating_sub(most);
        memory.reports.drain(..surplus);
    }

    /// Sets whether somebody watches where the job's mechanic is.
    pub fn set_watched(&self, job: JobId, is_watched: bool) {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        if is_watched {
            watched.insert(job)
        } else {
            watched.remove(&job)
        };
    }

    /// What the mechanics on this job were nudged for, the oldest first.
    pub fn nudges(&self, id: JobId) -> Vec<Nudge> {
        let memory = self.locked();
        let of_this = memory.reports.iter().filter_map(|report| match report {
            Report::Nudge(nudge) if nudge.job_id == id => Some(*nudge),
            _ => None,
        });
        of_this.collect()
    }

    /// The statuses that the offer's mechanic was shown, the oldest first.
    pub fn offer_updates(&self, id: OfferId) -> Vec<OfferStatus> {
        let memory = self.locked();
        let of_this = memory.reports.iter().filter_map(|report| match report {
            Report::Offer(card) if card.id == id => Some(card.status),
            _ => None,
        });
        of_this.collect()
    }

    /// The highest `seq` that was reported to watchers of the job.
    pub fn last_seq(&self, id: JobId) -> Option<i64> {
        let memory = self.locked();
        let of_this = memory.reports.iter().filter_map(|report| match report {
            Report::JobChanged { job, seq } if *job == id => Some(*seq),
            _ => None,
        });
        of_this.max()
    }

    fn record(&self, report: impl FnOnce() -> Report) {
        let mut memory = self.locked();
        if memory.most == 0 {
            return;
        }
        if memory.reports.len() == memory.most {
            memory.reports.pop_front();
        }
        memory.reports.push_back(report());
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
    fn job_changed(&self, job: JobId, seq: i64) {
        self.record(|| Report::JobChanged { job, seq });
    }

    fn offer_changed(&self, card: &OfferCard) {
        self.record(|| Report::Offer(card.clone()));
    }

    fn dispatch_progress(&self, progress: &DispatchProgress) {
        self.record(|| Report::Progress(*progress));
    }

    fn wait_advised(&self, mechanic: UserId, advice: &Advice) {
        self.record(|| Report::WaitAdvised { mechanic, advice: *advice });
    }

    fn outlook_changed(&self, job: JobId, outlook: &Outlook) {
        self.record(|| Report::Outlook { job, outlook: *outlook });
    }

    fn located(&self, sighting: &Sighting) {
        self.record(|| Report::Located(sighting.clone()));
    }

    fn location_rate(&self, mechanic: UserId, interval_s: u32) {
        self.record(|| Report::Rate { mechanic, interval_s });
    }

    fn nudge(&self, nudge: &Nudge) {
        self.record(|| Report::Nudge(*nudge));
    }

    fn is_watched(&self, job: JobId) -> bool {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner).contains(&job)
    }

    fn assigned(&self, mechanic: UserId, job: JobId, is_on_it: bool) {
        self.record(|| Report::Assigned { mechanic, job, is_on_it });
    }
}
