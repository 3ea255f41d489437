//! Brings watchers of jobs up to date whom a change did not reach.

use std::time::Duration;

use actix_web::web::Data;

use crate::{state::AppState, ws};

/// How long a watcher may miss a change whose announcement was lost.
const TICK: Duration = Duration::from_secs(5);

/// Runs until it is aborted.
pub async fn watchers(state: Data<AppState>) {
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        match ws::catch_up_watchers(&state).await {
            Ok(0) => {}
            // A change that is announced at this very moment counts, too.
            Ok(behind) => tracing::debug!(behind, "watchers were behind the log"),
            Err(error) => {
                error.log();
                tracing::warn!("watchers not compared with the log, to be tried again");
            }
        }
    }
}
