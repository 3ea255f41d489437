//! Sends committed notifications to open sockets.

use std::time::Duration;

use actix_web::web::Data;

use super::{dto::Notification, queries};
use crate::{notifications::NotificationsContext, platform::error::ApiResult};

/// How often the worker looks for new notifications when nothing wakes it.
const TICK: Duration = Duration::from_secs(1);
/// Between two looks, so that a busy service does not query without pause.
const PAUSE: Duration = Duration::from_millis(20);
/// Sent per query.
const AT_ONCE: i64 = 200;

/// Runs until it is aborted.
pub async fn announcing(context: Data<NotificationsContext>) {
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            () = context.wakeups.recorded.woken() => {}
        }
        loop {
            let sent = announce(&context).await.unwrap_or_else(|error| {
                error.log();
                tracing::warn!("notifications could not be sent to sockets; will retry");
                0
            });
            tokio::time::sleep(PAUSE).await;
            if sent < AT_ONCE as usize {
                break;
            }
        }
    }
}

/// A crash after the update loses these frames; the rows stay in the person's list.
async fn announce(context: &NotificationsContext) -> ApiResult<usize> {
    let mut rows = queries::take_unannounced(&context.db, AT_ONCE).await?;
    if rows.is_empty() {
        return Ok(0);
    }
    // `returning` gives no order.
    rows.sort_by_key(|row| (row.created_at, row.id));
    let sent = rows.len();
    for row in rows {
        context.sockets.send(&Notification::from(row));
    }
    context.wakeups.announced.wake();
    Ok(sent)
}
