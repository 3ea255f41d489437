//! Watched jobs: a slot for each, with the newest `seq` and the newest position.
//!
//! Senders only overwrite the slot and wake whoever watches; a watcher that is awake already is not woken twice. So
//! a watcher costs at most one message in its mailbox per job however much happens, and a wake that found the mailbox
//! full is mended by the watcher's next look at the slot.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
};

use roadcall_actors::ports::Sighting;
use uuid::Uuid;

use super::hub::{Line, Notice};

/// Every job that someone watches.
#[derive(Debug, Default, Clone)]
pub struct Watched(Arc<Mutex<HashMap<Uuid, Arc<Slot>>>>);

#[derive(Debug, Default)]
struct Slot {
    seq: AtomicI64,
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
    line: Arc<Line>,
    is_woken: AtomicBool,
    /// It is shown positions: whose they are is not.
    is_audience: AtomicBool,
}

/// One socket watches one job, until this is dropped.
#[derive(Debug)]
pub struct Watch {
    job: Uuid,
    watched: Watched,
    slot: Arc<Slot>,
    watcher: Arc<Watcher>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What the locks guard is whole between any two statements, so a panic elsewhere leaves nothing half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watched {
    /// Starts to watch. Whatever is committed from here on wakes the watcher.
    pub fn watch(&self, job: Uuid, line: Arc<Line>) -> Watch {
        let watcher =
            Arc::new(Watcher { line, is_woken: AtomicBool::new(false), is_audience: AtomicBool::new(false) });
        let mut jobs = locked(&self.0);
        let slot = jobs.entry(job).or_default().clone();
        locked(&slot.inner).watchers.push(watcher.clone());
        Watch { job, watched: self.clone(), slot, watcher }
    }

    /// The job's log grew.
    pub fn grew(&self, job: Uuid, seq: i64) {
        if let Some(slot) = self.slot(job) {
            slot.seq.fetch_max(seq, Ordering::AcqRel);
            slot.wake_all(job);
        }
    }

    /// The job's mechanic was seen.
    pub fn seen(&self, sighting: &Sighting) {
        let job = sighting.job_id.0;
        if let Some(slot) = self.slot(job) {
            slot.put(sighting.clone());
            slot.wake_all(job);
        }
    }

    /// The mechanic is not on the job any more: its position is nobody's business.
    pub fn forget_position(&self, job: Uuid) {
        if let Some(slot) = self.slot(job) {
            locked(&slot.inner).position = None;
        }
    }

    /// Tells something passing to whoever watches; a full mailbox misses it.
    pub fn tell(&self, job: Uuid, notice: impl Fn() -> Notice) {
        if let Some(slot) = self.slot(job) {
            for watcher in &locked(&slot.inner).watchers {
                watcher.line.tell_if_room(notice());
            }
        }
    }

    /// Whether anybody is shown the positions of the job's mechanic.
    pub fn has_audience(&self, job: Uuid) -> bool {
        let is_shown = |watcher: &Arc<Watcher>| watcher.is_audience.load(Ordering::Acquire);
        self.slot(job).is_some_and(|slot| locked(&slot.inner).watchers.iter().any(is_shown))
    }

    /// Jobs that are watched.
    pub fn count(&self) -> usize {
        locked(&self.0).len()
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

    fn wake_all(&self, job: Uuid) {
        for watcher in &locked(&self.inner).watchers {
            let is_woken = watcher.is_woken.swap(true, Ordering::AcqRel);
            if !is_woken && !watcher.line.tell_if_room(Notice::JobMoved(job)) {
                watcher.is_woken.store(false, Ordering::Release);
            }
        }
    }
}

impl Watch {
    /// This one is shown positions.
    pub fn join_audience(&self) {
        self.watcher.is_audience.store(true, Ordering::Release);
    }

    /// To be called before looking: what comes afterwards wakes again.
    pub fn look_again(&self) {
        self.watcher.is_woken.store(false, Ordering::Release);
    }

    /// The newest event heard of; 0 before the first.
    pub fn newest_seq(&self) -> i64 {
        self.slot.seq.load(Ordering::Acquire)
    }

    /// The newest position and its number.
    pub fn position(&self) -> Option<(u64, Sighting)> {
        let inner = locked(&self.slot.inner);
        inner.position.clone().map(|sighting| (inner.version, sighting))
    }

    /// Puts a position that was looked up where none came since.
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
