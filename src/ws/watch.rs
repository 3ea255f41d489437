//! Watched jobs: a slot for each, with the newest `seq` and the newest position.
//!
//! Senders only overwrite the slot and wake its watchers; a watcher with a pending wake gets no second one. So a
//! watcher costs at most one message in its mailbox per job, however much happens. If a wake finds the mailbox full,
//! the watcher's next check of the slot makes up for it.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering},
    },
};

use roadcall_actors::ports::Sighting;
use uuid::Uuid;

use super::hub::{Connection, Notice};

/// Every job that somebody watches.
#[derive(Debug, Default, Clone)]
pub struct Watched(Arc<Mutex<HashMap<Uuid, Arc<Slot>>>>);

#[derive(Debug, Default)]
struct Slot {
    seq: AtomicI64,
    /// Counts the reports that the log grew.
    reports: AtomicU64,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    watchers: Vec<Arc<Watcher>>,
    position: Option<Sighting>,
    /// Counts the positions, so that a watcher knows which one it sent.
    version: u64,
}

#[derive(Debug)]
struct Watcher {
    connection: Arc<Connection>,
    is_woken: AtomicBool,
    /// The number of the last event that was sent to the watcher.
    sent_seq: AtomicI64,
    /// Whether the watcher is shown positions; a mechanic is not shown their own.
    is_audience: AtomicBool,
}

/// One socket's watch on one job; ends on drop.
#[derive(Debug)]
pub struct Watch {
    job: Uuid,
    watched: Watched,
    slot: Arc<Slot>,
    watcher: Arc<Watcher>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The guarded data is consistent between any two statements, so a panic elsewhere leaves it intact.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watched {
    /// Starts to watch. Every commit from here on wakes the watcher.
    pub fn watch(&self, job: Uuid, connection: Arc<Connection>) -> Watch {
        let watcher = Arc::new(Watcher {
            connection,
            is_woken: false.into(),
            sent_seq: 0.into(),
            is_audience: false.into(),
        });
        let mut jobs = locked(&self.0);
        let slot = jobs.entry(job).or_default().clone();
        locked(&slot.inner).watchers.push(watcher.clone());
        Watch { job, watched: self.clone(), slot, watcher }
    }

    /// Wakes the watchers of a job whose log grew.
    pub fn grew(&self, job: Uuid, seq: i64) {
        if let Some(slot) = self.slot(job) {
            slot.report(seq);
            slot.wake(job, |_| true);
        }
    }

    /// Wakes only the watchers that are behind `seq`, the newest event in the database, and returns how many.
    pub fn catch_up(&self, job: Uuid, seq: i64) -> usize {
        let Some(slot) = self.slot(job) else { return 0 };
        let is_behind = |watcher: &Watcher| watcher.sent_seq.load(Ordering::Acquire) < seq;
        let behind = locked(&slot.inner).watchers.iter().filter(|watcher| is_behind(watcher)).count();
        if behind > 0 {
            slot.report(seq);
            slot.wake(job, is_behind);
        }
        behind
    }

    /// Stores the new position of a job's mechanic and wakes the watchers.
    pub fn seen(&self, sighting: Sighting) {
        let job = sighting.job_id.0;
        if let Some(slot) = self.slot(job) {
            slot.put(sighting);
            slot.wake(job, |_| true);
        }
    }

    /// Stops showing the position of a mechanic who is no longer on the job.
    pub fn forget_position(&self, job: Uuid) {
        if let Some(slot) = self.slot(job) {
            locked(&slot.inner).position = None;
        }
    }

    /// Sends a notice to every watcher; a watcher with a full mailbox misses it.
    pub fn broadcast(&self, job: Uuid, notice: impl Fn() -> Notice) {
        if let Some(slot) = self.slot(job) {
            for watcher in &locked(&slot.inner).watchers {
                watcher.connection.try_send(notice());
            }
        }
    }

    /// Returns the jobs of which somebody sees the mechanic's positions.
    pub fn with_audience(&self) -> Vec<Uuid> {
        let is_shown = |watcher: &Arc<Watcher>| watcher.is_audience.load(Ordering::Acquire);
        let has_audience = |slot: &Slot| locked(&slot.inner).watchers.iter().any(is_shown);
        locked(&self.0).iter().filter(|(_, slot)| has_audience(slot)).map(|(job, _)| *job).collect()
    }

    /// Returns the number of watched jobs.
    pub fn count(&self) -> usize {
        locked(&self.0).len()
    }

    /// Returns the watched jobs.
    pub fn jobs(&self) -> Vec<Uuid> {
        locked(&self.0).keys().copied().collect()
    }

    fn slot(&self, job: Uuid) -> Option<Arc<Slot>> {
        locked(&self.0).get(&job).cloned()
    }
}

impl Slot {
    fn put(&self, sighting: Sighting) {
        let mut inner = locked(&self.inner);
        inner.version += 1;
        inner.position = Some(sighting);
    }

    fn report(&self, seq: i64) {
        self.seq.fetch_max(seq, Ordering::AcqRel);
        self.reports.fetch_add(1, Ordering::AcqRel);
    }

    fn wake(&self, job: Uuid, is_meant: impl Fn(&Watcher) -> bool) {
        for watcher in locked(&self.inner).watchers.iter().filter(|watcher| is_meant(watcher)) {
            let is_woken = watcher.is_woken.swap(true, Ordering::AcqRel);
            if !is_woken && !watcher.connection.try_send(Notice::JobMoved(job)) {
                watcher.is_woken.store(false, Ordering::Release);
            }
        }
    }
}

impl Watch {
    /// Notes that this watcher is shown positions.
    pub fn join_audience(&self) {
        self.watcher.is_audience.store(true, Ordering::Release);
    }

    /// Makes later changes wake the watcher again. Call this before checking the slot.
    pub fn look_again(&self) {
        self.watcher.is_woken.store(false, Ordering::Release);
    }

    /// Returns the number of the newest reported event; 0 before the first.
    pub fn newest_seq(&self) -> i64 {
        self.slot.seq.load(Ordering::Acquire)
    }

    /// Returns how often growth was reported. A fetch that found nothing is repeated once this number has changed.
    pub fn reports(&self) -> u64 {
        self.slot.reports.load(Ordering::Acquire)
    }

    /// Notes that the watcher has the events up to this one.
    pub fn has_sent(&self, seq: i64) {
        self.watcher.sent_seq.store(seq, Ordering::Release);
    }

    /// Returns the newest position and its number.
    pub fn position(&self) -> Option<(u64, Sighting)> {
        let inner = locked(&self.slot.inner);
        inner.position.clone().map(|sighting| (inner.version, sighting))
    }

    /// Stores a position that was looked up, unless there is one of this mechanic already.
    pub fn seed_position(&self, sighting: Sighting) {
        if self.position().is_none_or(|(_, held)| held.mechanic_id != sighting.mechanic_id) {
            self.slot.put(sighting);
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut jobs = locked(&self.watched.0);
        let mut inner = locked(&self.slot.inner);
        inner.watchers.retain(|watcher| !Arc::ptr_eq(watcher, &self.watcher));
        if inner.watchers.is_empty() {
            jobs.remove(&self.job);
        }
    }
}
