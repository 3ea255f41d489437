//! Pays out what mechanics withdraw, and asks whose their addresses are.

use std::time::Duration;

use actix_web::web::Data;

use crate::{money::wallet, platform::error::ApiResult, state::AppState};

/// How often what is due is looked for, besides whenever a withdrawal is asked for.
const TICK: Duration = Duration::from_secs(1);

/// Runs until it is aborted. What was under way then is due again after its lease, under the same key.
pub async fn payouts(state: Data<AppState>) {
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            () = state.payout_bell.rung() => {}
        }
        // An account is looked up in between, however many withdrawals there are.
        while goes_on("withdrawals", wallet::pay_due(&state).await)
            | goes_on("address checks", wallet::check_due(&state).await)
        {}
    }
}

/// Whether there is more to do at once.
fn goes_on(what: &str, round: ApiResult<bool>) -> bool {
    round.unwrap_or_else(|error| {
        error.log();
        tracing::warn!(what, "not done, to be tried again");
        false
    })
}
