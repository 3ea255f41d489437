//! Wakes workers when their work is due, with one statement for all of them (docs/adr/0052).
//!
//! Work that waits in the database becomes due at some moment. The view `due_work` shows the earliest moment for each queue of
//! such work. The pulse reads the view and wakes the worker of each queue whose moment has come, so that no worker has to look
//! for itself. Code that adds work due at once still wakes its worker; if that wake-up is lost, the pulse finds the work.
//!
//! The view changes only when somebody writes. On a server that is alone, the pulse reads it within a second after this
//! process has used the database, and otherwise every ten seconds, since an operator may write, too. In a cluster, the pulse
//! reads it every second.

mod queries;

use std::{mem, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_base::clock::Clock;
use tokio::time::{MissedTickBehavior, interval};

use self::queries::DueWork;
use super::{core::Core, db::Db, worker::Wakeup};

/// The longest delay until due work is found.
const BEAT: Duration = Duration::from_secs(1);
/// The number of beats after which the view is read again even if this process has not used the database.
const READ_ANYWAY: u32 = 10;

/// Work of one kind that waits in the database, and its worker.
#[derive(Debug)]
pub struct DueQueue {
    /// The queue's name in the view.
    name: &'static str,
    wakeup: Wakeup,
    /// The minimum number of beats between two wake-ups.
    pause: u32,
    /// The beats left of that pause.
    resting: u32,
    delay: TimeDelta,
    earliest: Option<DateTime<Utc>>,
}

impl DueQueue {
    /// Returns the queue with that name in the view. If its worker could not do the work yet, it is woken again after `pause`
    /// seconds.
    pub fn new(name: &'static str, wakeup: &Wakeup, pause: u32) -> Self {
        let (delay, wakeup) = (TimeDelta::zero(), wakeup.clone());
        Self { name, wakeup, pause, resting: 0, delay, earliest: None }
    }

    /// Makes the work due this long after the moment in the view.
    pub fn delayed(self, delay: TimeDelta) -> Self {
        Self { delay, ..self }
    }

    /// Wakes the worker if its work is due. Called at each beat.
    fn wake_if_due(&mut self, now: DateTime<Utc>) {
        self.resting = self.resting.saturating_sub(1);
        let is_due = self.earliest.is_some_and(|earliest| earliest <= now - self.delay);
        if is_due && self.resting == 0 {
            self.resting = self.pause;
            self.wakeup.wake();
        }
    }
}

/// Reads the view and wakes the workers of the queues.
#[derive(Debug)]
pub struct Pulse {
    db: Db,
    clock: Clock,
    queues: Vec<DueQueue>,
    reading: Reading,
}

impl Pulse {
    pub fn new(core: &Core, queues: Vec<DueQueue>) -> Self {
        let reading = Reading { others_write: core.bus.is_some(), ..Reading::default() };
        Self { db: core.db.clone(), clock: core.clock.clone(), queues, reading }
    }

    /// Runs until it is aborted.
    pub async fn run(mut self) {
        let mut beat = interval(BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            beat.tick().await;
            self.beat().await;
        }
    }

    async fn beat(&mut self) {
        // The count is read before the statement: a connection that is returned meanwhile may have written
        // rows that the statement does not see.
        let returned = self.db.returned();
        if self.reading.is_needed(returned) {
            match queries::due_work(&self.db.uncounted()).await {
                Ok(rows) => {
                    self.reading.succeeded(returned);
                    self.take(&rows);
                }
                Err(error) => self.reading.failed(&error),
            }
        }
        let now = self.clock.now();
        self.queues.iter_mut().for_each(|queue| queue.wake_if_due(now));
    }

    /// Takes the moments from the rows. Rows of queues that only a newer release knows are ignored.
    fn take(&mut self, rows: &[DueWork]) {
        for queue in &mut self.queues {
            queue.earliest = rows.iter().find(|row| row.queue == queue.name).map(|row| row.due_at);
        }
    }
}

/// Decides when to read the view.
#[derive(Debug, Default)]
struct Reading {
    /// Whether other servers write as well.
    others_write: bool,
    /// The beats until the view is read even if nothing was written.
    resting: u32,
    /// The number of connections that had been returned when the view was read.
    returned: u64,
    is_failing: bool,
}

impl Reading {
    /// Returns whether to read the view. Called at each beat.
    fn is_needed(&mut self, returned: u64) -> bool {
        self.resting = self.resting.saturating_sub(1);
        self.others_write || self.is_failing || self.resting == 0 || self.returned != returned
    }

    fn succeeded(&mut self, returned: u64) {
        (self.resting, self.returned) = (READ_ANYWAY, returned);
        if mem::take(&mut self.is_failing) {
            tracing::info!("due work can be read again");
        }
    }

    fn failed(&mut self, error: &sqlx::Error) {
        if !mem::replace(&mut self.is_failing, true) {
            tracing::warn!(%error, "due work can't be read; trying again every second");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(second)
    }

    /// Returns whether the worker was woken since the last call.
    async fn was_woken(wakeup: &Wakeup) -> bool {
        tokio::time::timeout(Duration::ZERO, wakeup.woken()).await.is_ok()
    }

    #[tokio::test]
    async fn a_worker_is_woken_when_its_moment_has_come_and_again_after_a_pause() {
        let wakeup = Wakeup::default();
        let queue = DueQueue::new("calls", &wakeup, 5).delayed(TimeDelta::seconds(60));
        let mut queue = DueQueue { earliest: Some(at(100)), ..queue };
        let mut woken = Vec::new();
        for second in 155..175 {
            queue.wake_if_due(at(second));
            if was_woken(&wakeup).await {
                woken.push(second);
            }
        }
        assert_eq!(woken, [160, 165, 170]);
        queue.earliest = None;
        (0..10).for_each(|_| queue.wake_if_due(at(1000)));
        assert!(!was_woken(&wakeup).await, "there is nothing to do");
    }

    #[test]
    fn the_view_is_read_after_the_database_was_used_and_otherwise_rarely() {
        let mut reading = Reading::default();
        let mut reads = Vec::new();
        for second in 0..40 {
            // Connections are returned in the seconds 12 to 14.
            let returned = u64::clamp(second, 11, 14);
            if reading.is_needed(returned) {
                reads.push(second);
                reading.succeeded(returned);
            }
        }
        assert_eq!(reads, [0, 10, 12, 13, 14, 24, 34]);
    }

    #[test]
    fn after_a_failure_the_view_is_read_at_each_beat() {
        let mut reading = Reading::default();
        reading.succeeded(0);
        assert!(!reading.is_needed(0));
        reading.failed(&sqlx::Error::PoolTimedOut);
        assert!(reading.is_needed(0));
        reading.succeeded(0);
        assert!(!reading.is_needed(0));
    }
}
