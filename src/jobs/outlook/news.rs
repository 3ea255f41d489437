//! Notifies customers whose app may be closed that their search becomes long, and once more if that changes.
//!
//! The dispatcher reports the outlook ([`LongSearches::note`]). It must not wait, so its report is only remembered, and only for
//! searches that may become long. A minute later a worker writes the notification, unless a mechanic has the job by then: a job
//! that is matched at once costs nothing here. The row in `search_news` keeps what its customer knows, so that a restart repeats
//! nothing.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{
    ids::JobId,
    ports::{Outlook, WaitReason},
};
use uuid::Uuid;

use crate::{notifications::Prospect, platform::worker::Wakeup};

/// A longer wait counts as long.
const LONG_S: u32 = 15 * 60;
/// How long a job has waited before its customer is notified, and how long news may still change before it is written.
const PATIENCE: TimeDelta = TimeDelta::seconds(60);
/// The pause after which the worker tries again after a failure.
const AGAIN_AFTER: TimeDelta = TimeDelta::seconds(10);
/// A search without news for this long is forgotten, here as in the dispatcher.
const FORGOTTEN_AFTER: TimeDelta = TimeDelta::minutes(30);
/// The maximum number of searches that are remembered. The customer of a further search is not notified.
const MAX_REMEMBERED: usize = 10_000;

/// Translates the outlook for a customer who waits.
fn prospect_of(outlook: &Outlook) -> Prospect {
    match outlook.expected_wait_s {
        Some(wait_s) if wait_s > LONG_S || outlook.reason == WaitReason::Held => Prospect::Long,
        Some(_) => Prospect::Short,
        None => Prospect::Unserved,
    }
}

/// Searches that may become long, or did.
#[derive(Debug, Clone, Default)]
pub struct LongSearches {
    searches: Arc<Mutex<Searches>>,
    begun: Wakeup,
}

/// The searches by their job's id.
#[derive(Debug, Default)]
struct Searches(HashMap<Uuid, Search>);

#[derive(Debug, Clone, Copy)]
struct Search {
    prospect: Prospect,
    /// The prospect of which the customer was notified last.
    known: Option<Prospect>,
    /// When to notify them of `prospect`; `None` if it is nothing new.
    due_at: Option<DateTime<Utc>>,
    noted_at: DateTime<Utc>,
}

impl LongSearches {
    /// Remembers the outlook on a job, as the dispatcher reports it. Never waits.
    pub fn note(&self, job: JobId, outlook: &Outlook, now: DateTime<Utc>) {
        if self.searches().note(job.0, prospect_of(outlook), now) {
            self.begun.wake();
        }
    }

    /// Forgets the search of a job that a mechanic has.
    pub fn forget(&self, job: JobId) {
        self.searches().0.remove(&job.0);
    }

    /// Waits until there is news to be written, and returns when it will be due. Only one worker waits.
    pub async fn next_due(&self) -> DateTime<Utc> {
        loop {
            if let Some(due_at) = self.earliest() {
                return due_at;
            }
            self.begun.woken().await;
        }
    }

    /// Returns when the next news is due, if there is any.
    pub fn earliest(&self) -> Option<DateTime<Utc>> {
        self.searches().0.values().filter_map(|search| search.due_at).min()
    }

    /// Takes the news that is due, and forgets old searches.
    pub(super) fn take_due(&self, now: DateTime<Utc>) -> Vec<(Uuid, Prospect)> {
        self.searches().take_due(now)
    }

    /// Records the prospect of which the customer has been notified, now or before.
    pub(super) fn set_known(&self, job: Uuid, prospect: Prospect) {
        self.searches().set_known(job, prospect);
    }

    pub(super) fn try_again(&self, job: Uuid, now: DateTime<Utc>) {
        self.searches().try_again(job, now);
    }

    fn searches(&self) -> MutexGuard<'_, Searches> {
        self.searches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Searches {
    /// Remembers the prospect, and returns whether it makes news to be written when there was none before.
    fn note(&mut self, job: Uuid, prospect: Prospect, now: DateTime<Utc>) -> bool {
        if self.0.get(&job).is_some_and(|search| !search.is_fresh(now)) {
            self.0.remove(&job);
        }
        let Some(search) = self.0.get_mut(&job) else { return self.begin(job, prospect, now) };
        let was_due = search.due_at.is_some();
        (search.prospect, search.noted_at) = (prospect, now);
        search.due_at = match search.is_news() {
            true => search.due_at.or(Some(now + PATIENCE)),
            false => None,
        };
        search.due_at.is_some() && !was_due
    }

    fn begin(&mut self, job: Uuid, prospect: Prospect, now: DateTime<Utc>) -> bool {
        if prospect == Prospect::Short {
            return false;
        }
        if self.0.len() >= MAX_REMEMBERED {
            self.0.retain(|_, search| search.is_fresh(now));
        }
        let has_room = self.0.len() < MAX_REMEMBERED;
        if has_room {
            let due_at = Some(now + PATIENCE);
            self.0.insert(job, Search { prospect, known: None, due_at, noted_at: now });
        }
        has_room
    }

    fn take_due(&mut self, now: DateTime<Utc>) -> Vec<(Uuid, Prospect)> {
        self.0.retain(|_, search| search.is_fresh(now));
        let due = self.0.iter_mut().filter(|(_, search)| search.due_at.is_some_and(|due_at| due_at <= now));
        due.map(|(job, search)| {
            search.due_at = None;
            (*job, search.prospect)
        })
        .collect()
    }

    fn set_known(&mut self, job: Uuid, prospect: Prospect) {
        if let Some(search) = self.0.get_mut(&job) {
            search.known = Some(prospect);
        }
    }

    fn try_again(&mut self, job: Uuid, now: DateTime<Utc>) {
        if let Some(search) = self.0.get_mut(&job) {
            search.due_at = Some(now + AGAIN_AFTER);
        }
    }
}

impl Search {
    fn is_fresh(&self, now: DateTime<Utc>) -> bool {
        self.due_at.is_some() || now - self.noted_at < FORGOTTEN_AFTER
    }

    /// Returns whether the prospect is news to the customer. Help that comes soon is only news to those who expect something
    /// else.
    fn is_news(&self) -> bool {
        match self.known {
            None => self.prospect != Prospect::Short,
            Some(known) => self.prospect != known,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOB: Uuid = Uuid::nil();

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(second)
    }

    fn outlook(expected_wait_s: Option<u32>, reason: WaitReason) -> Outlook {
        Outlook { expected_wait_s, chance_permille: 500, in_time_s: 1_800, reason }
    }

    /// Returns the news that falls due at these seconds; the customer is notified of all of it.
    fn due_within(searches: &mut Searches, seconds: std::ops::RangeInclusive<i64>) -> Vec<(i64, Prospect)> {
        let mut due = Vec::new();
        for second in seconds {
            for (job, prospect) in searches.take_due(at(second)) {
                searches.set_known(job, prospect);
                due.push((second, prospect));
            }
        }
        due
    }

    #[test]
    fn a_wait_is_long_beyond_a_quarter_of_an_hour_or_while_the_job_is_held_or_not_served() {
        for (wait_s, reason, expected) in [
            (Some(900), WaitReason::Free, Prospect::Short),
            (Some(900), WaitReason::Busy, Prospect::Short),
            (Some(960), WaitReason::Busy, Prospect::Long),
            (Some(300), WaitReason::Held, Prospect::Long),
            (None, WaitReason::Declined, Prospect::Unserved),
            (None, WaitReason::NobodyOnline, Prospect::Unserved),
        ] {
            assert_eq!(prospect_of(&outlook(wait_s, reason)), expected, "{wait_s:?} {reason:?}");
        }
    }

    #[test]
    fn news_is_written_a_minute_after_it_began_and_a_lasting_prospect_only_once() {
        let mut searches = Searches::default();
        assert!(searches.note(JOB, Prospect::Long, at(0)));
        assert!(!searches.note(JOB, Prospect::Unserved, at(30)), "its minute has begun");
        assert_eq!(due_within(&mut searches, 0..=100), [(60, Prospect::Unserved)]);
        assert!(!searches.note(JOB, Prospect::Unserved, at(100)));
        assert!(searches.note(JOB, Prospect::Short, at(130)));
        assert_eq!(due_within(&mut searches, 100..=300), [(190, Prospect::Short)]);
    }

    #[test]
    fn a_prospect_that_passes_within_a_minute_is_no_news() {
        let mut searches = Searches::default();
        assert!(!searches.note(JOB, Prospect::Short, at(0)), "most jobs");
        assert!(searches.0.is_empty());
        searches.note(JOB, Prospect::Long, at(0));
        searches.note(JOB, Prospect::Short, at(59));
        assert_eq!(due_within(&mut searches, 0..=200), []);
        searches.note(JOB, Prospect::Long, at(210));
        assert_eq!(due_within(&mut searches, 200..=300), [(270, Prospect::Long)]);
    }

    #[test]
    fn a_failure_is_tried_again_and_an_old_search_is_forgotten() {
        let mut searches = Searches::default();
        searches.note(JOB, Prospect::Long, at(0));
        assert_eq!(searches.take_due(at(60)), [(JOB, Prospect::Long)]);
        searches.try_again(JOB, at(60));
        assert_eq!(due_within(&mut searches, 60..=100), [(70, Prospect::Long)]);
        assert!(!searches.note(JOB, Prospect::Long, at(1_799)));
        assert!(searches.note(JOB, Prospect::Long, at(1_799 + 1_800)), "as if it were the first");
        assert_eq!(searches.take_due(at(10_000)), [(JOB, Prospect::Long)]);
        assert_eq!(searches.take_due(at(10_000)), []);
        assert!(searches.0.is_empty());
    }

    #[test]
    fn only_a_limited_number_of_searches_is_remembered() {
        let mut searches = Searches::default();
        for number in 0..MAX_REMEMBERED as u128 {
            assert!(searches.note(Uuid::from_u128(number + 1), Prospect::Long, at(0)));
        }
        assert!(!searches.note(JOB, Prospect::Long, at(0)));
        assert_eq!(searches.0.len(), MAX_REMEMBERED);
        assert_eq!(searches.take_due(at(60)).len(), MAX_REMEMBERED);
        assert!(!searches.note(JOB, Prospect::Long, at(61)));
        assert!(searches.note(JOB, Prospect::Long, at(1_800)), "the others are forgotten");
        assert_eq!(searches.0.len(), 1);
    }
}
