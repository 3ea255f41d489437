//! Tells systemd how this server is (`sd_notify`). Does nothing where nobody supervises it.

use actix_web::rt;
use roadcall_actors::protocol::CountQuery;
use sd_notify::NotifyState::{self, Ready, Status, Stopping, Watchdog};
use tokio::task::JoinHandle;

use crate::service::Service;

/// This server answers requests.
pub(super) fn serving() {
    say(&[Ready, Status("serves")]);
}

/// Another server serves; this one may take over at any time, which counts as started.
pub(super) fn standing_by() {
    say(&[Ready, Status("stands by: another server serves from this database")]);
}

pub(super) fn stopping() {
    say(&[Stopping, Status("stops: sockets are closed, requests are finished")]);
}

/// Where systemd asks for signs of life (`WatchdogSec=`), gives them as long as the main thread runs and the engine, where it runs in
/// this process, answers. Without them systemd starts the server again.
pub(super) fn report_life(service: &Service) -> Option<JoinHandle<()>> {
    let patience = sd_notify::watchdog_enabled()?;
    // Two of them may be late.
    let every = patience / 3;
    let service = service.clone();
    Some(rt::spawn(async move {
        loop {
            let is_here = service.engine.get().is_some();
            if !is_here || service.edge.engine.ask(CountQuery { within: every }).await.is_ok() {
                say(&[Watchdog]);
            }
            tokio::time::sleep(every).await;
        }
    }))
}

fn say(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "could not report the state to systemd");
    }
}
