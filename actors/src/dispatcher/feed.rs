//! Keeps the newest report of each mechanic until the dispatcher takes it in.
//!
//! Mechanics report with every position, which must not wake the dispatcher each time. It takes the feed in before
//! it looks at mechanics and at every sweep, and is woken only while a job is unmatched, since a report may help
//! that job. The number of mechanics bounds the feed.

use std::{
    collections::hash_map::Entry,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
};

use rustc_hash::FxHashMap;

use crate::{ids::MechanicId, messages::SupplyReport, registry::locked};

/// The newest report of each mechanic who has reported.
pub(super) type Reports = FxHashMap<MechanicId, SupplyReport>;

/// Reports that the dispatcher has not taken in yet.
#[derive(Debug, Default)]
pub(crate) struct SupplyFeed {
    newest: Mutex<Reports>,
    has_unmatched_jobs: AtomicBool,
    is_woken: AtomicBool,
}

impl SupplyFeed {
    /// Keeps a report. Returns whether the caller has to wake the dispatcher.
    pub(crate) fn put(&self, id: MechanicId, report: SupplyReport) -> bool {
        match locked(&self.newest).entry(id) {
            Entry::Occupied(mut kept) => kept.get_mut().follow_with(report),
            Entry::Vacant(place) => {
                place.insert(report);
            }
        }
        self.has_unmatched_jobs.load(SeqCst) && !self.is_woken.swap(true, SeqCst)
    }

    /// Passes everything since the last time to `take_in`. `room` is an empty map, whose memory is used again.
    pub(super) fn take(&self, room: &mut Reports, mut take_in: impl FnMut(MechanicId, SupplyReport)) {
        // The flag is cleared first, so that a report that comes in between wakes the dispatcher once too often
        // rather than not at all.
        self.is_woken.store(false, SeqCst);
        {
            let mut newest = locked(&self.newest);
            if newest.is_empty() {
                return;
            }
            std::mem::swap(&mut *newest, room);
        }
        // Emptying a map costs as much as its room, which therefore follows the number of reports.
        let next_room = 2 * room.len();
        room.drain().for_each(|(id, report)| take_in(id, report));
        room.shrink_to(next_room);
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
    use chrono::DateTime;
    use uuid::Uuid;

    use super::*;
    use crate::geo::Point;

    const ONE: MechanicId = MechanicId(Uuid::from_u128(1));
    const OTHER: MechanicId = MechanicId(Uuid::from_u128(2));

    fn taken(feed: &SupplyFeed) -> Vec<(MechanicId, SupplyReport)> {
        let mut all = Vec::new();
        feed.take(&mut Reports::default(), |id, report| all.push((id, report)));
        all
    }

    #[test]
    fn reports_wake_the_dispatcher_once_and_only_while_a_job_is_unmatched() {
        let feed = SupplyFeed::default();
        let gone = || SupplyReport::Changed(None);
        assert!(!feed.put(ONE, gone()));
        assert!(feed.wake_for_each(true), "one came before");
        assert_eq!(taken(&feed), [(ONE, gone())]);
        assert!(!feed.wake_for_each(true));
        assert!(feed.put(ONE, gone()));
        assert!(!feed.put(OTHER, gone()), "it is woken already");
        assert_eq!(taken(&feed).len(), 2);
        assert!(feed.put(ONE, gone()), "it slept again");
        assert!(!feed.wake_for_each(false));
        taken(&feed);
        assert!(!feed.put(ONE, gone()));
    }

    #[test]
    fn the_room_of_a_crowd_is_given_back() {
        let (feed, mut room) = (SupplyFeed::default(), Reports::default());
        let moved = SupplyReport::Moved { point: Point::new(12.0, 77.0), fresh_until: DateTime::UNIX_EPOCH };
        let mut report = |mechanics: u128| {
            (0..mechanics).for_each(|n| {
                feed.put(MechanicId(Uuid::from_u128(n)), moved.clone());
            });
            let mut count = 0;
            feed.take(&mut room, |_, _| count += 1);
            assert_eq!(count, mechanics);
            room.capacity()
        };
        assert!((1_000..4_000).contains(&report(1_000)));
        report(2);
        assert!(report(2) < 10, "both maps are small again");
    }
}
