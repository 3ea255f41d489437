//! Makes earnings available when their clearing time is over.

use std::time::Duration;

use actix_web::web::Data;

use crate::{money::wallet, state::AppState};

/// How late an earning may be cleared.
const TICK: Duration = Duration::from_secs(5);

/// Runs until it is aborted.
pub async fn clearing(state: Data<AppState>) {
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        match wallet::clear_due(&state).await {
            Ok(0) => {}
            Ok(earnings) => tracing::info!(earnings, "earnings became available"),
            Err(error) => {
                error.log();
                tracing::warn!("earnings not cleared, to be tried again");
            }
        }
    }
}
