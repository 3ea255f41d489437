//! Reports this server's state to systemd (`sd_notify`). Does nothing if nobody supervises it.

use std::{convert::Infallible, pin::pin, time::Duration};

use actix_web::rt;
use futures_util::future::{Either, select};
use roadcall_actors::protocol::CountQuery;
use sd_notify::NotifyState::{self, Ready, Status, Stopping, Watchdog};
use tokio::task::JoinHandle;

use crate::service::Service;

/// Reports that this server answers requests.
pub(super) fn serving() {
    say(&[Ready, Status("serves")]);
}

/// Reports that another server serves; this one may take over at any time, which counts as started.
pub(super) fn standing_by() {
    say(&[Ready, Status("stands by: another server serves from this database")]);
}

pub(super) fn stopping() {
    say(&[Stopping, Status("stops: sockets are closed, requests are finished")]);
}

/// Gives signs of life until the work is done, if systemd asks for them (`WatchdogSec=`): a server that waits to lead, or loads
/// what was committed, is alive as long as the main thread continues with it. Both are one task, so a thread that hangs gives
/// none.
pub(super) async fn alive_during<T>(work: impl Future<Output = T>) -> T {
    match pace() {
        Some(every) => signing(work, every, || say(&[Watchdog])).await,
        None => work.await,
    }
}

async fn signing<T>(work: impl Future<Output = T>, every: Duration, sign: impl Fn()) -> T {
    match select(pin!(work), pin!(signs(every, sign))).await {
        Either::Left((done, _)) => done,
        Either::Right((never, _)) => match never {},
    }
}

async fn signs(every: Duration, sign: impl Fn()) -> Infallible {
    loop {
        sign();
        tokio::time::sleep(every).await;
    }
}

/// Gives signs of life as long as the main thread runs and the engine, if it runs in this process, answers. Without them systemd
/// starts the server again.
pub(super) fn report_life(service: &Service) -> Option<JoinHandle<()>> {
    let every = pace()?;
    let service = service.clone();
    Some(rt::spawn(async move {
        loop {
            // A server that led before has an engine that no longer answers.
            let peers = service.edge.cluster.peers.as_ref();
            let is_here = peers.is_none_or(|peers| peers.link.is_local());
            if !is_here || service.edge.engine.ask(CountQuery { within: every }).await.is_ok() {
                say(&[Watchdog]);
            }
            tokio::time::sleep(every).await;
        }
    }))
}

/// Returns how often to give a sign of life; `None` if nobody asks for them. Two of them may be late.
fn pace() -> Option<Duration> {
    sd_notify::watchdog_enabled().map(|patience| patience / 3)
}

fn say(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "could not report the state to systemd");
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const EVERY: Duration = Duration::from_secs(20);

    #[tokio::test(start_paused = true)]
    async fn waiting_work_gives_signs_of_life_until_it_is_done() {
        let given = Cell::new(0);
        let work = async {
            tokio::time::sleep(EVERY * 3 + EVERY / 2).await;
            given.get()
        };
        assert_eq!(signing(work, EVERY, || given.set(given.get() + 1)).await, 4);
        tokio::time::sleep(EVERY * 3).await;
        assert_eq!(given.get(), 4, "it is done");
    }

    #[actix_web::test]
    async fn work_that_keeps_the_thread_gives_no_signs_of_life() {
        let (every, given) = (Duration::from_millis(1), Cell::new(0));
        let work = async {
            while given.get() < 2 {
                tokio::time::sleep(every).await;
            }
            let before = given.get();
            std::thread::sleep(every * 50);
            (before, given.get())
        };
        let (before, after) = signing(work, every, || given.set(given.get() + 1)).await;
        assert_eq!(after, before);
    }
}
