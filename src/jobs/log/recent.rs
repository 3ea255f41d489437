//! The entries that were committed to jobs' logs a moment ago, so that the response to the command and the sockets that follow
//! the job need not read them from the database.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use moka::sync::Cache;
use roadcall_actors::job::state::Status;
use uuid::Uuid;

use crate::jobs::queries::{JobEventRow, JobRow};

/// Readers come within milliseconds; after this time, commits of other servers must be seen.
const KEPT_FOR: Duration = Duration::from_secs(2);
const MAX_JOBS: u64 = 4_000;
/// The maximum number of entries of a job; the oldest is dropped.
const MAX_ENTRIES: usize = 8;

/// The newest entries of the jobs that have just changed.
#[derive(Debug, Clone)]
pub struct RecentEntries(Cache<Uuid, Arc<VecDeque<JobEventRow>>>);

impl Default for RecentEntries {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(MAX_JOBS).time_to_live(KEPT_FOR).build())
    }
}

impl RecentEntries {
    /// Keeps the entry. Call this after the commit.
    pub fn put(&self, job_id: Uuid, entry: JobEventRow) {
        self.0.entry(job_id).and_upsert_with(|held| {
            let mut entries = held.map(|held| held.into_value()).unwrap_or_default();
            let kept = Arc::make_mut(&mut entries);
            if kept.len() == MAX_ENTRIES {
                kept.pop_front();
            }
            // Two commits may get here in reverse order.
            let place = kept.partition_point(|other| other.seq < entry.seq);
            kept.insert(place, entry);
            entries
        });
    }

    /// Returns the entries after `since` up to `newest`, if all of them are here.
    pub fn between(&self, job_id: Uuid, since: i64, newest: i64) -> Option<Vec<JobEventRow>> {
        let held = self.0.get(&job_id)?;
        let wanted = held.iter().filter(|entry| entry.seq > since && entry.seq <= newest);
        let mut found: Vec<JobEventRow> = wanted.cloned().collect();
        let newest_row = found.last().map(|entry| &entry.snapshot);
        let is_active = newest_row.is_some_and(|row| row.status.is_active());
        let unpaid = newest_row.filter(|row| row.status.0 == Status::Completed);
        let unpaid_since = unpaid.and_then(|row| row.completed_at);
        for entry in &mut found {
            (entry.is_active, entry.unpaid_since) = (is_active, unpaid_since);
        }
        let is_complete = !found.is_empty() && found.len() as i64 == newest - since;
        is_complete.then_some(found)
    }

    /// Returns the job's row as this version left it.
    pub fn row(&self, job_id: Uuid, version: i64) -> Option<JobRow> {
        let held = self.0.get(&job_id)?;
        held.iter().rev().map(|entry| &entry.snapshot).find(|row| row.version == version).cloned()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::jobs::view::tests::row;

    const JOB: Uuid = Uuid::from_u128(7);

    fn entry(seq: i64, status: &str) -> JobEventRow {
        let row = row(status);
        let completed_at = matches!(status, "completed" | "paid").then_some(row.updated_at);
        let snapshot = JobRow { seq, version: seq + 1, completed_at, ..row };
        JobEventRow {
            seq,
            kind: "job".to_owned(),
            data: Value::Null,
            at: snapshot.updated_at,
            is_active: false,
            unpaid_since: None,
            snapshot,
        }
    }

    #[test]
    fn entries_are_returned_only_if_none_is_missing() {
        let recent = RecentEntries::default();
        recent.put(JOB, entry(4, "accepted"));
        recent.put(JOB, entry(6, "arrived"));
        assert!(recent.between(JOB, 3, 6).is_none(), "5 is missing");
        recent.put(JOB, entry(5, "en_route"));
        let seqs = |since, newest| {
            let found = recent.between(JOB, since, newest);
            found.map(|found| found.into_iter().map(|entry| entry.seq).collect::<Vec<_>>())
        };
        assert_eq!(seqs(3, 6), Some(vec![4, 5, 6]));
        assert_eq!(seqs(5, 6), Some(vec![6]));
        assert_eq!(seqs(5, 7), None, "a newer one was committed elsewhere");
        assert_eq!(seqs(2, 6), None, "the first was committed elsewhere");
        assert_eq!(seqs(6, 6), None);
        assert_eq!(recent.row(JOB, 6).map(|row| row.seq), Some(5));
        assert_eq!(recent.row(JOB, 8), None);
    }

    #[test]
    fn the_newest_entry_says_whether_a_mechanic_is_on_the_job_or_waits_for_the_money() {
        let recent = RecentEntries::default();
        recent.put(JOB, entry(1, "in_progress"));
        let first = |newest| {
            let found = recent.between(JOB, 0, newest);
            found.map(|found| (found[0].is_active, found[0].unpaid_since.is_some()))
        };
        assert_eq!(first(1), Some((true, false)));
        recent.put(JOB, entry(2, "completed"));
        assert_eq!(first(2), Some((false, true)));
        recent.put(JOB, entry(3, "paid"));
        assert_eq!(first(3), Some((false, false)));
    }

    #[test]
    fn a_job_that_changes_often_keeps_its_newest_entries() {
        let recent = RecentEntries::default();
        (1..=20).for_each(|seq| recent.put(JOB, entry(seq, "dispatching")));
        assert!(recent.between(JOB, 11, 20).is_none());
        assert_eq!(recent.between(JOB, 12, 20).map(|found| found.len()), Some(8));
    }
}
