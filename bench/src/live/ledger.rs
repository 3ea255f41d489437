//! The measurements and counts of a live run.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::mechanic::SentPing;
use crate::{report::Report, samples::Samples};

/// The least time between two positions of one job to one watcher: `ws.location_interval_ms`.
const SPACING: Duration = Duration::from_secs(1);

/// A duration that is measured. README.md says where each begins and ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Figure {
    JobToOffer,
    PostJob,
    Accept,
    AcceptToCustomer,
    PingToCustomer,
    PingToCustomerSpaced,
    FirstPosition,
    FirstPositionAge,
    PingAck,
    Cancel,
    StartLag,
}

impl Figure {
    const ALL: [(Self, &str); 11] = [
        (Self::JobToOffer, "POST /jobs → offer.created at the mechanic"),
        (Self::PostJob, "POST /jobs → its answer"),
        (Self::Accept, "offer.accept → its ack"),
        (Self::AcceptToCustomer, "offer.accept → job.updated at the customer"),
        (Self::PingToCustomer, "ping → location.updated, spacing not in play"),
        (Self::PingToCustomerSpaced, "ping → location.updated, held by the spacing"),
        (Self::FirstPosition, "offer.accept → first location.updated"),
        (Self::FirstPositionAge, "age of that first position"),
        (Self::PingAck, "ping → its ack"),
        (Self::Cancel, "POST /jobs/{id}/cancel → its answer"),
        (Self::StartLag, "generator: planned → request start"),
    ];
}

/// The observations of a running job.
#[derive(Debug, Default)]
struct Seen {
    offered_at: Option<Instant>,
    accept_sent_at: Option<Instant>,
    accepted: Arc<Notify>,
    /// Kept until the job ends: the ack may come before the answer that shows that the job counts.
    accept_took: Option<Duration>,
    told_customer: bool,
    /// The last position that was shown, and when.
    shown: Option<((i64, i64), Instant)>,
    /// Whether the job counts; false during the warm-up.
    counts: bool,
}

#[derive(Debug, Default)]
pub struct Ledger {
    is_counting: AtomicBool,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    jobs: HashMap<String, Seen>,
    samples: HashMap<Figure, Samples>,
    counts: BTreeMap<String, u64>,
}

impl Ledger {
    /// Opens or closes the window in which pings are measured.
    pub fn count(&self, counts: bool) {
        self.is_counting.store(counts, Ordering::Relaxed);
    }

    pub fn is_counting(&self) -> bool {
        self.is_counting.load(Ordering::Relaxed)
    }

    pub fn measure(&self, figure: Figure, took: Duration) {
        self.inner.lock().measure(figure, took);
    }

    pub fn add(&self, what: impl Into<String>) {
        *self.inner.lock().counts.entry(what.into()).or_default() += 1;
    }

    pub fn refused(&self, what: &str, code: &str) {
        self.add(format!("error: {what}: {code}"));
    }

    /// Records that a mechanic got an offer and accepts it.
    pub fn offered(&self, job: &str, now: Instant) {
        let mut inner = self.inner.lock();
        let seen = inner.jobs.entry(job.to_owned()).or_default();
        seen.offered_at.get_or_insert(now);
        seen.accept_sent_at = Some(now);
    }

    /// Records that the mechanic's accept was acknowledged.
    pub fn accepted(&self, job: &str, now: Instant) {
        let mut inner = self.inner.lock();
        let Some(seen) = inner.jobs.get_mut(job) else { return };
        seen.accepted.notify_one();
        seen.accept_took = seen.accept_sent_at.map(|sent| now - sent);
    }

    /// Records that the customer's socket said that the job was accepted.
    pub fn told_customer(&self, job: &str, now: Instant) {
        let mut inner = self.inner.lock();
        let Some(seen) = inner.jobs.get_mut(job).filter(|seen| !seen.told_customer) else { return };
        seen.told_customer = true;
        if let (true, Some(sent)) = (seen.counts, seen.accept_sent_at) {
            inner.measure(Figure::AcceptToCustomer, now - sent);
        }
    }

    /// Records that the customer was shown a position; `sent` is the ping that brought it, where that is still known.
    pub fn shown(&self, job: &str, position: (i64, i64), sent: Option<SentPing>, now: Instant) {
        let mut inner = self.inner.lock();
        let Some(seen) = inner.jobs.get_mut(job) else { return };
        let before = seen.shown.replace((position, now));
        let (counts, accept_sent_at) = (seen.counts, seen.accept_sent_at);
        match (before, sent) {
            (None, sent) if counts => {
                if let Some(accept) = accept_sent_at {
                    inner.measure(Figure::FirstPosition, now - accept);
                }
                if let Some(ping) = sent {
                    inner.measure(Figure::FirstPositionAge, now - ping.at);
                }
            }
            (Some((last, last_at)), Some(ping)) if last != position && ping.counts => {
                let was_held = ping.at < last_at + SPACING;
                let figure = if was_held { Figure::PingToCustomerSpaced } else { Figure::PingToCustomer };
                inner.measure(figure, now - ping.at);
            }
            _ => {}
        }
    }

    /// Records that the job was made, and returns the notification of its acceptance.
    pub fn made(&self, job: &str, counts: bool) -> Arc<Notify> {
        let mut inner = self.inner.lock();
        let seen = inner.jobs.entry(job.to_owned()).or_default();
        seen.counts = counts;
        seen.accepted.clone()
    }

    /// Forgets a job; returns when it was first offered.
    pub fn forget(&self, job: &str) -> Option<Instant> {
        let mut inner = self.inner.lock();
        let seen = inner.jobs.remove(job)?;
        if let (true, Some(took)) = (seen.counts, seen.accept_took) {
            inner.measure(Figure::Accept, took);
        }
        seen.offered_at
    }

    pub fn report(&self, report: &mut Report) {
        let inner = self.inner.lock();
        for (figure, name) in Figure::ALL {
            report.figure(name, inner.samples.get(&figure).and_then(Samples::summary));
        }
        for (what, count) in &inner.counts {
            report.count(what, *count);
        }
    }
}

impl Inner {
    fn measure(&mut self, figure: Figure, took: Duration) {
        self.samples.entry(figure).or_default().add(took);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count_of(ledger: &Ledger, figure: Figure) -> usize {
        ledger.inner().samples.get(&figure).and_then(Samples::summary).map_or(0, |summary| summary.count)
    }

    #[test]
    fn a_ping_sent_within_the_spacing_is_measured_apart() {
        let (ledger, start) = (Ledger::default(), Instant::now());
        let at = |ms| start + Duration::from_millis(ms);
        let ping = |ms| Some(SentPing { seq: 0, position: (0, 0), at: at(ms), counts: true });
        ledger.made("a", true);
        ledger.offered("a", at(0));
        ledger.shown("a", (1, 1), ping(0), at(10));
        ledger.shown("a", (2, 2), ping(500), at(1010));
        ledger.shown("a", (2, 2), ping(500), at(2010));
        ledger.shown("a", (3, 3), ping(3100), at(3105));
        ledger.shown("other", (3, 3), ping(3100), at(3105));
        let counts = [
            Figure::FirstPosition,
            Figure::FirstPositionAge,
            Figure::PingToCustomerSpaced,
            Figure::PingToCustomer,
        ];
        assert_eq!(counts.map(|figure| count_of(&ledger, figure)), [1, 1, 1, 1]);
    }

    #[test]
    fn frames_before_the_answer_to_the_request_are_kept() {
        let (ledger, start) = (Ledger::default(), Instant::now());
        ledger.offered("a", start);
        ledger.accepted("a", start + Duration::from_millis(3));
        ledger.made("a", true);
        assert_eq!(ledger.forget("a"), Some(start));
        assert_eq!(count_of(&ledger, Figure::Accept), 1);
        assert_eq!(ledger.forget("a"), None);
    }
}
