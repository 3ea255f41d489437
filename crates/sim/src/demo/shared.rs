//! The things that the people of the demo share: the statistics, the clock, and what they give each other in person.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use roadcall_actors::clock::Clock;
use tokio::sync::watch;
use uuid::Uuid;

use super::{news::News, scenario::Scenario, stats::Stats};

#[derive(Debug)]
pub struct Shared {
    pub scenario: Scenario,
    pub clock: Clock,
    stats: Mutex<Stats>,
    changes: watch::Sender<u64>,
    /// Start codes by job, which customers say to the mechanic in person: the interface shows them only to customers. There is at
    /// most one for each customer.
    start_codes: Mutex<HashMap<Uuid, String>>,
    /// Jobs paid in cash that the mechanic has not confirmed yet, by the mechanic's profile.
    cash: Mutex<HashMap<Uuid, Vec<Uuid>>>,
}

impl Shared {
    pub fn new(scenario: Scenario, clock: Clock) -> Self {
        let stats = Mutex::new(Stats::new(clock.now()));
        Self {
            scenario,
            clock,
            stats,
            changes: watch::Sender::new(0),
            start_codes: Mutex::default(),
            cash: Mutex::default(),
        }
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    pub fn report(&self, news: News) {
        self.stats.lock().apply(self.now(), news);
        self.changes.send_modify(|changes| *changes += 1);
    }

    pub fn trouble(&self, who: &str, what: impl ToString) {
        self.report(News::Trouble { who: who.to_owned(), what: what.to_string() });
    }

    /// Returns a copy of the present statistics.
    pub fn stats(&self) -> Stats {
        self.stats.lock().clone()
    }

    /// Waits until the statistics fulfil the condition, however long that takes.
    pub async fn until(&self, is_so: impl Fn(&Stats) -> bool) {
        let mut changes = self.changes.subscribe();
        while !is_so(&self.stats.lock()) {
            if changes.changed().await.is_err() {
                return;
            }
        }
    }

    /// Says the customer's start code to the mechanic.
    pub fn share_code(&self, job: Uuid, code: &str) {
        self.start_codes.lock().insert(job, code.to_owned());
    }

    pub fn start_code(&self, job: Uuid) -> Option<String> {
        self.start_codes.lock().get(&job).cloned()
    }

    /// Hands the mechanic the cash of the job's customer.
    pub fn hand_cash(&self, mechanic: Uuid, job: Uuid) {
        self.cash.lock().entry(mechanic).or_default().push(job);
    }

    /// Takes the jobs that were paid to the mechanic in cash since the last call.
    pub fn take_cash(&self, mechanic: Uuid) -> Vec<Uuid> {
        self.cash.lock().remove(&mechanic).unwrap_or_default()
    }

    pub fn forget_code(&self, job: Uuid) {
        self.start_codes.lock().remove(&job);
    }
}

/// A request to stop, for everyone who holds it.
#[derive(Debug, Clone)]
pub struct Shutdown(watch::Receiver<bool>);

impl Shutdown {
    /// Creates the request, and the sender that makes it by sending `true` or by being dropped.
    pub fn new() -> (watch::Sender<bool>, Self) {
        let (sender, receiver) = watch::channel(false);
        (sender, Self(receiver))
    }

    /// Waits for the request.
    pub async fn requested(&mut self) {
        self.0.wait_for(|is_requested| *is_requested).await.ok();
    }
}
