//! Work that runs beside the requests: at intervals, or when something wakes it.

use std::{fmt::Display, sync::Arc, time::Duration};

use tokio::{
    sync::Notify,
    time::{MissedTickBehavior, interval},
};

use super::{bus::Bus, error::ApiError};

/// Wakes a worker. What there is to do is in the database, where the pulse (`pulse.rs`) finds it if a wake-up is
/// lost. One that comes while the worker is busy is kept for its next wait.
#[derive(Debug, Clone, Default)]
pub struct Wakeup {
    here: Arc<Notify>,
    /// The bus, and the subject on which other servers listen.
    elsewhere: Option<(Bus, Arc<str>)>,
}

impl Wakeup {
    /// Wakes the worker of that name on whichever server it runs.
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

    /// Waits until somebody wakes.
    pub async fn woken(&self) {
        self.here.notified().await;
    }
}

async fn wake_when_told(bus: Bus, subject: Arc<str>, here: Arc<Notify>) {
    let Ok(mut told) = bus.subscribe(&subject).await else { return };
    // Not longer than the bus lasts: this task holds an end of it.
    drop(bus);
    while told.next().await.is_some() {
        here.notify_one();
    }
}

/// Does a round of work now, then every `every`. Runs until it is aborted.
pub async fn repeat(every: Duration, round: impl AsyncFn()) {
    let mut tick = interval(every);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        round().await;
    }
}

/// Runs a round of work whenever `wakeup` is woken, until it is aborted. The pulse finds what is due at the start.
pub async fn repeat_when_woken(wakeup: &Wakeup, round: impl AsyncFn()) {
    loop {
        wakeup.woken().await;
        round().await;
    }
}

/// How much a round did; 0 after an error, which is logged: the next round tries again.
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
