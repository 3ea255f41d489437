//! Learns from finished trips, again and again.

use std::time::Duration;

use actix_web::web::Data;

use crate::state::AppState;

/// Runs until it is aborted.
pub async fn learning(state: Data<AppState>) {
    let mut tick = tokio::time::interval(Duration::from_secs(state.settings.eta.learn_every_s));
    // The first tick is at once, and what there was to learn was learned at start.
    tick.tick().await;
    loop {
        tick.tick().await;
        if let Err(error) = state.etas.learn(&state.db, state.clock.now()).await {
            tracing::warn!(%error, "trips not learned from, to be tried again");
        }
    }
}
