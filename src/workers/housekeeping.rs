//! Forgets what nobody needs any more, and looks after what nobody has in hand. Whatever fails is tried again the next time.

use std::time::Duration;

use actix_web::web::Data;

use crate::{
    auth, bridge::recovery, calls, chat, dispatch, error::ApiError, idempotency, notifications, payments,
    ratings, shares, state::AppState, telemetry, tracking, uploads, ws,
};

/// How often limiters forget idle keys and histograms fold their samples.
const TICK: Duration = Duration::from_secs(5);
/// How often every open job gets its actor, where it has none.
const LOOK_AFTER_JOBS: Duration = Duration::from_secs(60);
/// How often rows that no rule looks at any more are deleted.
const SWEEP: Duration = Duration::from_secs(3600);
/// Rows deleted with one statement, so that none runs into its timeout; the rest waits for the next sweep.
const ROWS_AT_ONCE: i64 = 20_000;

/// Runs until it is aborted.
pub async fn housekeeping(state: Data<AppState>) {
    let mut tick = tokio::time::interval(TICK);
    let mut look_after = tokio::time::interval(LOOK_AFTER_JOBS);
    let mut sweep = tokio::time::interval(SWEEP);
    // The first tick is at once, and a start has better things to do.
    look_after.tick().await;
    sweep.tick().await;
    // What came of age while the service was down is not to stand in lists and be missing in averages for a minute more.
    told("revealed ratings", ratings::count_revealed(&state, ROWS_AT_ONCE).await);
    loop {
        tokio::select! {
            _ = tick.tick() => {
                telemetry::fold_histograms();
                state.limits.forget_idle();
                told("expired notifications", notifications::read_expired(&state, ROWS_AT_ONCE).await);
            }
            _ = look_after.tick() => {
                told("revealed ratings", ratings::count_revealed(&state, ROWS_AT_ONCE).await);
                if let Err(error) = recovery::look_after(&state.db, &state.engine).await {
                    tracing::warn!(%error, "open jobs not looked after, to be tried again");
                }
                if let Err(error) = dispatch::config::refresh(&state).await {
                    tracing::warn!(%error, "dispatch settings not looked at, to be tried again");
                }
            }
            _ = sweep.tick() => sweep_rows(&state).await,
        }
    }
}

async fn sweep_rows(state: &AppState) {
    let now = state.clock.now();
    told("signed-out devices", notifications::forget_signed_out(state).await);
    told("sign-ins", auth::sweep(&state.db, now).await);
    told("socket tickets", ws::sweep(&state.db, now).await);
    told("idempotency keys", idempotency::sweep(state, ROWS_AT_ONCE).await);
    told("webhook events", payments::sweep(state, ROWS_AT_ONCE).await);
    told("notifications", notifications::sweep(state, ROWS_AT_ONCE).await);
    told("dispatch decisions", dispatch::sweep(state, ROWS_AT_ONCE).await);
    if let Some(sandbox) = &state.sandbox {
        told("sandbox webhooks", sandbox.sweep(ROWS_AT_ONCE).await);
    }
    told("uploads", uploads::sweep(state, ROWS_AT_ONCE).await);
    told("messages never sent", chat::sweep(state, ROWS_AT_ONCE).await);
    told("share links", shares::sweep(state, ROWS_AT_ONCE).await);
    told("calls", calls::sweep(state, ROWS_AT_ONCE).await);
    told("trail points", tracking::sweep(state, ROWS_AT_ONCE).await);
}

fn told(what: &str, swept: Result<u64, impl Into<ApiError>>) {
    match swept.map_err(Into::into) {
        Ok(rows) => tracing::debug!(what, rows, "rows dealt with"),
        Err(error) => tracing::warn!(what, %error, "rows not dealt with, to be tried again"),
    }
}
