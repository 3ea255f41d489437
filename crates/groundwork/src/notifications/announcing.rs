//! Sends committed notifications to open sockets.
//!
//! The worker writes nothing: each row has the transaction that wrote it, and the worker remembers up to which transaction it has
//! seen everything. Transactions do not commit in the order in which they began, so it looks again at those that had not all
//! ended, and remembers which of their rows it has sent.

use std::{collections::BTreeSet, time::Duration};

use actix_web::web::Data;
use chrono::TimeDelta;
use roadcall_platform::error::ApiResult;
use uuid::Uuid;

use super::{dto::Notification, queries, queries::WrittenRow, state::DeliveryStatus};
use crate::notifications::NotificationsContext;

/// How often the worker looks for new notifications when nothing wakes it, for example after a commit whose outcome was unknown.
const TICK: Duration = Duration::from_secs(10);
/// The pause between two looks, so that a busy service does not query without pause.
const PAUSE: Duration = Duration::from_millis(20);
/// The number of notifications sent per query.
const AT_ONCE: usize = 200;
/// Older notifications are not announced.
const MAX_AGE: TimeDelta = TimeDelta::hours(1);

/// Runs until it is aborted.
pub async fn announcing(context: Data<NotificationsContext>) {
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut seen = None;
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            () = context.wakeups.recorded.woken() => {}
        }
        loop {
            let sent = announce(&context, &mut seen).await.unwrap_or_else(|error| {
                error.log();
                tracing::warn!("notifications could not be sent to sockets; will retry");
                0
            });
            tokio::time::sleep(PAUSE).await;
            if sent < AT_ONCE {
                break;
            }
        }
    }
}

/// The notifications that were sent, by the transactions that wrote them. After a restart the worker begins with new rows: no
/// socket was open before, and older rows are in their people's lists.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    /// Everything that earlier transactions wrote was sent.
    from: i64,
    /// The sent rows of transactions from there on.
    sent: BTreeSet<(i64, Uuid)>,
}

impl Seen {
    fn new(horizon: i64) -> Self {
        Self { from: horizon, sent: BTreeSet::new() }
    }

    /// Notes that rows were sent, in the order of their transactions. `is_all`: there are no further rows.
    fn note(&mut self, rows: &[WrittenRow], is_all: bool) {
        self.sent.extend(rows.iter().map(|written| (written.written_by, written.row.id)));
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return };
        self.from = if is_all { first.horizon } else { first.horizon.min(last.written_by) };
        self.sent = self.sent.split_off(&(self.from, Uuid::nil()));
    }
}

async fn announce(context: &NotificationsContext, seen: &mut Option<Seen>) -> ApiResult<usize> {
    // Announcing does not count as work.
    let db = context.db.uncounted();
    let seen = match seen {
        Some(seen) => seen,
        None => seen.insert(Seen::new(queries::horizon(&db).await?)),
    };
    let known: Vec<Uuid> = seen.sent.iter().map(|(_, id)| *id).collect();
    let created_from = context.clock.now() - MAX_AGE;
    let mut rows = queries::written_since(&db, seen.from, created_from, &known, AT_ONCE as i64).await?;
    seen.note(&rows, rows.len() < AT_ONCE);
    rows.sort_by_key(|written| (written.row.created_at, written.row.id));
    let sent = rows.len();
    let has_pushes = rows.iter().any(|written| written.row.delivery_status == DeliveryStatus::Pending);
    let has_texts = rows.iter().any(|written| written.row.kind.is_texted());
    for written in rows {
        context.sockets.send(&Notification::from(written.row));
    }
    if has_pushes {
        context.wakeups.announced.wake();
    }
    if has_texts {
        context.wakeups.texts.wake();
    }
    Ok(sent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notifications::Kind;
    use chrono::DateTime;

    fn row(written_by: i64, id: u128, horizon: i64) -> WrittenRow {
        let row = queries::NotificationRow {
            id: Uuid::from_u128(id),
            user_id: Uuid::nil(),
            kind: Kind::JobOffer,
            reason: None,
            language: "en".to_owned(),
            data: Default::default(),
            delivery_status: DeliveryStatus::Pending,
            is_read: false,
            created_at: DateTime::UNIX_EPOCH,
        };
        WrittenRow { row, written_by, horizon }
    }

    fn sent(seen: &Seen) -> Vec<(i64, u128)> {
        seen.sent.iter().map(|(written_by, id)| (*written_by, id.as_u128())).collect()
    }

    #[test]
    fn rows_of_a_transaction_that_ended_late_are_still_found() {
        let mut seen = Seen::new(10);
        // Transaction 11 is still under way.
        seen.note(&[row(10, 1, 11), row(12, 2, 11)], true);
        assert_eq!((seen.from, sent(&seen)), (11, vec![(12, 2)]));
        seen.note(&[], true);
        assert_eq!((seen.from, sent(&seen)), (11, vec![(12, 2)]));
        seen.note(&[row(11, 3, 13)], true);
        assert_eq!((seen.from, sent(&seen)), (13, vec![]));
    }

    #[test]
    fn a_full_batch_is_continued_where_it_ended() {
        let mut seen = Seen::new(10);
        seen.note(&[row(10, 1, 20), row(14, 2, 20)], false);
        assert_eq!((seen.from, sent(&seen)), (14, vec![(14, 2)]));
        seen.note(&[row(14, 3, 21)], true);
        assert_eq!((seen.from, sent(&seen)), (21, vec![]));
    }
}
