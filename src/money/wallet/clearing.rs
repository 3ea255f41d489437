//! Earnings whose clearing time is over become available.

use super::{
    actions,
    context::WalletContext,
    queries::{self, DueEarning},
};
use crate::platform::error::ApiResult;

/// Earnings looked up with one statement; the rest follows right after.
const AT_ONCE: i64 = 100;

/// One round of the worker: every earning that is due, each in a transaction of its own. One that fails does not stop
/// the others, and is tried again in the next round. Returns how many were cleared.
pub async fn clear_due(context: &WalletContext) -> ApiResult<u64> {
    let now = context.clock.now();
    let mut cleared = 0;
    let mut last: Option<DueEarning> = None;
    loop {
        let due = queries::due_to_clear(&context.db, now, last.as_ref(), AT_ONCE).await?;
        for row in &due {
            match actions::clear(context, row).await {
                Ok(is_cleared) => cleared += u64::from(is_cleared),
                Err(error) => {
                    error.log();
                    tracing::warn!(earning.id = %row.id, "an earning could not be cleared; trying again");
                }
            }
        }
        if (due.len() as i64) < AT_ONCE {
            return Ok(cleared);
        }
        last = due.last().copied();
    }
}
