//! Work that runs beside the requests: at intervals, or when something wakes it.

use std::{fmt::Display, sync::Arc, time::Duration};

use tokio::{
    sync::Notify,
    time::{MissedTickBehavior, interval},
};

use super::{bus::Bus, error::ApiError};

/// Wakes a worker. The worker's tasks are in the database, where the pulse (`pulse/`) finds them if a wake-up
/// is lost. A wake-up that comes while the worker is busy is kept for its next wait.
#[derive(Debug, Clone, Default)]
pub struct Wakeup {
    here: Arc<Notify>,
    /// The bus, and the subject on which other servers listen.
    elsewhere: Option<(Bus, Arc<str>)>,
}

impl Wakeup {
    /// Returns a wake-up for the worker of that name, on whichever server the worker runs.
    pub fn anywhere(bus: Option<&Bus>, worker: &str) -> Self {
        let wakeup = Self::default();
        let Some(bus) = bus else { return wakeup };
        let subject: Arc<str> = format!("wake.{worker}").into();
        bus.spawn(wake_when_told(bus.clone(), subject.clone(), wakeup.here.clone()));
        Self { elsewhere: Some((bus.clone(), subject)), ..wakeup }
    }

    pub fn wake(&self) {
        self.here.notify_one();
        if let Some((bus, subject)) = &self.elsewhere {
            bus.publish(subject, &());
        }
    }

    /// Waits for a wake-up.
    pub async fn woken(&self) {
        self.here.notified().await;
    }
}

async fn wake_when_told(bus: Bus, subject: Arc<str>, here: Arc<Notify>) {
    let Ok(mut told) = bus.subscribe(&subject).await else { return };
    // This task must not hold a clone of the bus, which would then never end.
    drop(bus);
    while told.next().await.is_some() {
        here.notify_one();
    }
}

/// Does a round of work now, then every `every`, until the future is dropped.
pub async fn repeat(every: Duration, round: impl AsyncFn()) {
    let mut tick = interval(every);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        round().await;
    }
}

/// Does a round of work at each wake-up, until the future is dropped. The pulse finds the work that is due at the start.
pub async fn repeat_when_woken(wakeup: &Wakeup, round: impl AsyncFn()) {
    loop {
        wakeup.woken().await;
        round().await;
    }
}

/// Returns how much a round did, or 0 after an error, which is logged; the next round tries again.
pub fn done<T: Default + Display + PartialEq>(what: &'static str, round: Result<T, ApiError>) -> T {
    match round {
        Ok(done) => {
            if done != T::default() {
                tracing::debug!(what, %done, "a round of work is done");
            }
            done
        }
        Err(error) => {
            error.log();
            tracing::warn!(what, "a round of work failed; will retry");
            T::default()
        }
    }
}
