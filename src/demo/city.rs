//! What the people of the city share: the tally, the clock, and what is said from person to person at the roadside.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use chrono::{DateTime, Utc};
use roadcall_actors::clock::Clock;
use tokio::sync::watch;
use uuid::Uuid;

use super::{
    scenario::Scenario,
    tally::{News, Tally},
};

/// Shared by everyone in the city.
#[derive(Debug)]
pub struct City {
    pub scenario: Scenario,
    pub clock: Clock,
    tally: Mutex<Tally>,
    changes: watch::Sender<u64>,
    /// Start codes, by job, as customers tell them to the mechanic in front of them. No interface shows a mechanic
    /// the code. At most one for each customer.
    spoken: Mutex<HashMap<Uuid, String>>,
    /// Jobs whose price was handed over in notes, by the mechanic's profile who has not counted them yet.
    handed: Mutex<HashMap<Uuid, Vec<Uuid>>>,
}

impl City {
    pub fn new(scenario: Scenario, clock: Clock) -> Self {
        let tally = Mutex::new(Tally::new(clock.now()));
        Self {
            scenario,
            clock,
            tally,
            changes: watch::Sender::new(0),
            spoken: Mutex::default(),
            handed: Mutex::default(),
        }
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    pub fn tell(&self, news: News) {
        lock(&self.tally).apply(self.now(), news);
        self.changes.send_modify(|changes| *changes += 1);
    }

    pub fn trouble(&self, who: &str, what: impl ToString) {
        self.tell(News::Trouble { who: who.to_owned(), what: what.to_string() });
    }

    /// A copy of what is known now.
    pub fn tally(&self) -> Tally {
        lock(&self.tally).clone()
    }

    /// Waits until the tally is as asked, however long that takes.
    pub async fn until(&self, is_so: impl Fn(&Tally) -> bool) {
        let mut changes = self.changes.subscribe();
        while !is_so(&lock(&self.tally)) {
            if changes.changed().await.is_err() {
                return;
            }
        }
    }

    /// The customer tells the start code to whoever stands at the vehicle.
    pub fn say_code(&self, job: Uuid, code: &str) {
        lock(&self.spoken).insert(job, code.to_owned());
    }

    pub fn hear_code(&self, job: Uuid) -> Option<String> {
        lock(&self.spoken).get(&job).cloned()
    }

    /// The customer of the job gives the mechanic the notes.
    pub fn hand_cash(&self, mechanic: Uuid, job: Uuid) {
        lock(&self.handed).entry(mechanic).or_default().push(job);
    }

    /// The jobs that were paid to the mechanic in notes since the last time.
    pub fn take_cash(&self, mechanic: Uuid) -> Vec<Uuid> {
        lock(&self.handed).remove(&mechanic).unwrap_or_default()
    }

    pub fn forget_code(&self, job: Uuid) {
        lock(&self.spoken).remove(&job);
    }
}

/// Falls once, for all who hold it.
#[derive(Debug, Clone)]
pub struct Curtain(watch::Receiver<bool>);

impl Curtain {
    /// Who sends `true`, or drops the sender, lets it fall.
    pub fn new() -> (watch::Sender<bool>, Self) {
        let (sender, receiver) = watch::channel(false);
        (sender, Self(receiver))
    }

    /// Waits until it has fallen.
    pub async fn fallen(&mut self) {
        self.0.wait_for(|fallen| *fallen).await.ok();
    }
}

/// A panic in someone else's hands leaves counts that are still worth showing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
