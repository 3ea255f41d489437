//! Sockets are told of what was committed.

use std::time::Duration;

use actix_web::web::Data;

use super::{dto::Notification, queries};
use crate::{notifications::NotificationsContext, platform::error::ApiResult};

/// How often is looked, besides whenever something was noted.
const TICK: Duration = Duration::from_secs(1);
/// Between two looks, so that a busy service looks often and not always.
const PAUSE: Duration = Duration::from_millis(20);
/// Told by one look; the rest by the next, at once.
const AT_ONCE: i64 = 200;

/// Runs until it is aborted.
pub async fn announcing(context: Data<NotificationsContext>) {
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            () = context.notes.noted.woken() => {}
        }
        loop {
            let told = announce(&context).await.unwrap_or_else(|error| {
                error.log();
                tracing::warn!("sockets were not told of notifications, to be tried again");
                0
            });
            tokio::time::sleep(PAUSE).await;
            if told < AT_ONCE as usize {
                break;
            }
        }
    }
}

/// A crash from here on loses the frames, and nothing else: the rows stand in the list.
async fn announce(context: &NotificationsContext) -> ApiResult<usize> {
    let mut rows = queries::take_unannounced(&context.db, AT_ONCE).await?;
    if rows.is_empty() {
        return Ok(0);
    }
    // Rows come back in no order.
    rows.sort_by_key(|row| (row.created_at, row.id));
    let told = rows.len();
    for row in rows {
        context.sockets.notified(&Notification::from(row));
    }
    context.notes.announced.wake();
    Ok(told)
}
