//! Remembers who was told what.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{
    ids::{JobId, OfferId, UserId},
    ports::{DispatchProgress, Nudge, OfferCard, OfferStatus, Outbound, Sighting},
};

/// What is remembered at most, unless it was told otherwise; the oldest is forgotten.
const REMEMBERED: usize = 100_000;

/// One thing that someone was told.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    JobChanged { job: JobId, seq: i64 },
    Offer(OfferCard),
    Progress(DispatchProgress),
    Located(Sighting),
    Rate { mechanic: UserId, interval_s: u32 },
    Nudge(Nudge),
    Assigned { mechanic: UserId, job: JobId, is_on_it: bool },
}

/// An [`Outbound`] that remembers.
#[derive(Debug, Default)]
pub struct Recorder {
    memory: Mutex<Memory>,
    watched: Mutex<BTreeSet<JobId>>,
}

#[derive(Debug)]
struct Memory {
    told: VecDeque<Told>,
    most: usize,
}

impl Recorder {
    /// Everything told so far, the oldest first.
    pub fn all(&self) -> Vec<Told> {
        self.locked().told.iter().cloned().collect()
    }

    /// Forgets what was told so far.
    pub fn clear(&self) {
        self.locked().told.clear();
    }

    /// Remembers at most so many; none at all with 0, which is fastest.
    pub fn keep(&self, most: usize) {
        let mut memory = self.locked();
        memory.most = most;
        let surplus = memory.told.len().saturating_sub(most);
        memory.told.drain(..surplus);
    }

    /// Somebody begins or ceases to watch where the job's mechanic is.
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
        let of_this = memory.told.iter().filter_map(|told| match told {
            Told::Nudge(nudge) if nudge.job_id == id => Some(*nudge),
            _ => None,
        });
        of_this.collect()
    }

    /// How the offer's mechanic was told of it, the oldest first.
    pub fn offer_updates(&self, id: OfferId) -> Vec<OfferStatus> {
        let memory = self.locked();
        let of_this = memory.told.iter().filter_map(|told| match told {
            Told::Offer(card) if card.id == id => Some(card.status),
            _ => None,
        });
        of_this.collect()
    }

    /// The highest `seq` that watchers of the job were told.
    pub fn last_seq(&self, id: JobId) -> Option<i64> {
        let memory = self.locked();
        let of_this = memory.told.iter().filter_map(|told| match told {
            Told::JobChanged { job, seq } if *job == id => Some(*seq),
            _ => None,
        });
        of_this.max()
    }

    fn tell(&self, told: impl FnOnce() -> Told) {
        let mut memory = self.locked();
        if memory.most == 0 {
            return;
        }
        if memory.told.len() == memory.most {
            memory.told.pop_front();
        }
        memory.told.push_back(told());
    }

    fn locked(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self { told: VecDeque::new(), most: REMEMBERED }
    }
}

impl Outbound for Recorder {
    fn job_changed(&self, job: JobId, seq: i64) {
        self.tell(|| Told::JobChanged { job, seq });
    }

    fn offer_changed(&self, card: &OfferCard) {
        self.tell(|| Told::Offer(card.clone()));
    }

    fn dispatch_progress(&self, progress: &DispatchProgress) {
        self.tell(|| Told::Progress(*progress));
    }

    fn located(&self, sighting: &Sighting) {
        self.tell(|| Told::Located(sighting.clone()));
    }

    fn location_rate(&self, mechanic: UserId, interval_s: u32) {
        self.tell(|| Told::Rate { mechanic, interval_s });
    }

    fn nudge(&self, nudge: &Nudge) {
        self.tell(|| Told::Nudge(*nudge));
    }

    fn is_watched(&self, job: JobId) -> bool {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner).contains(&job)
    }

    fn assigned(&self, mechanic: UserId, job: JobId, is_on_it: bool) {
        self.tell(|| Told::Assigned { mechanic, job, is_on_it });
    }
}
