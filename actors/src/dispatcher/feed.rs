//! Keeps the newest report of each mechanic until the dispatcher takes it in.
//!
//! Mechanics report with every position, which must not wake the dispatcher each time. It takes the feed in before
//! it looks at mechanics and at every sweep, and is woken only while a job is unmatched, since a report may help
//! that job. The number of mechanics bounds the feed.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
};

use crate::{ids::MechanicId, messages::Supply, registry::locked};

/// Reports that the dispatcher has not taken in yet.
#[derive(Debug, Default)]
pub(crate) struct SupplyFeed {
    newest: Mutex<BTreeMap<MechanicId, Option<Supply>>>,
    has_unmatched_jobs: AtomicBool,
    is_woken: AtomicBool,
}

impl SupplyFeed {
    /// Keeps a report; `None` for a mechanic that can't be matched. Returns whether the caller has to wake the dispatcher.
    pub(crate) fn put(&self, id: MechanicId, supply: Option<Supply>) -> bool {
        locked(&self.newest).insert(id, supply);
        self.has_unmatched_jobs.load(SeqCst) && !self.is_woken.swap(true, SeqCst)
    }

    /// Everything since the last time, in order of the ids.
    pub(super) fn take(&self) -> BTreeMap<MechanicId, Option<Supply>> {
        // The flag is cleared first, so that a report that comes in between wakes the dispatcher once too often
        // rather than not at all.
        self.is_woken.store(false, SeqCst);
        std::mem::take(&mut *locked(&self.newest))
    }

    /// Sets whether reports wake the dispatcher from now on. Returns whether reports are waiting that did not wake
    /// it.
    pub(super) fn wake_for_each(&self, has_unmatched_jobs: bool) -> bool {
        let had = self.has_unmatched_jobs.swap(has_unmatched_jobs, SeqCst);
        has_unmatched_jobs && !had && !locked(&self.newest).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    const ONE: MechanicId = MechanicId(Uuid::from_u128(1));
    const OTHER: MechanicId = MechanicId(Uuid::from_u128(2));

    #[test]
    fn reports_wake_the_dispatcher_once_and_only_while_a_job_is_unmatched() {
        let feed = SupplyFeed::default();
        assert!(!feed.put(ONE, None));
        assert!(feed.wake_for_each(true), "one came before");
        assert_eq!(feed.take().len(), 1);
        assert!(!feed.wake_for_each(true));
        assert!(feed.put(ONE, None));
        assert!(!feed.put(OTHER, None), "it is woken already");
        assert_eq!(feed.take().len(), 2);
        assert!(feed.put(ONE, None), "it slept again");
        assert!(!feed.wake_for_each(false));
        feed.take();
        assert!(!feed.put(ONE, None));
    }
}
