//! Makes earnings available when their clearing time is over.

use super::{
    actions,
    context::WalletContext,
    queries::{self, DueEarning},
};
use crate::platform::error::ApiResult;

/// The number of earnings that one statement looks up; the rest follows right after.
const AT_ONCE: i64 = 100;

/// Runs one round of the worker: clears every earning that is due, each in a transaction of its own. A failure does not
/// stop the others, and is tried again in the next round. Returns the number of cleared earnings.
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
