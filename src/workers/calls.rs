//! Ends calls that nobody answered, that lasted too long, or whose job has moved on.

use std::time::Duration;

use actix_web::web::Data;

use crate::{messaging::calls, state::AppState};

/// How late a call may ring out.
const TICK: Duration = Duration::from_secs(1);

/// Runs until it is aborted.
pub async fn calls(state: Data<AppState>) {
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            () = state.call_bell.rung() => {}
        }
        match calls::end_due(&state).await {
            Ok(0) => {}
            Ok(ended) => tracing::debug!(ended, "calls ended by themselves"),
            Err(error) => {
                error.log();
                tracing::warn!("calls not ended, to be tried again");
            }
        }
    }
}
