//! Asks the provider about the accounts whose check is due.

use super::{actions, checking::lease, queries};
use crate::{money::wallet::context::WalletContext, platform::error::ApiResult};

/// The number of accounts that are asked about at once; the next round, right after, takes the rest.
const AT_ONCE: i64 = 8;

/// Runs one round of the worker. Returns whether there may be more to do right away.
pub async fn check_due(context: &WalletContext) -> ApiResult<bool> {
    let now = context.clock.now();
    let due = queries::take_due(&context.db, now, lease(context, now), AT_ONCE).await?;
    let asked = futures_util::future::join_all(due.iter().map(|row| actions::ask(context, row))).await;
    for error in asked.into_iter().filter_map(Result::err) {
        error.log();
    }
    Ok(due.len() as i64 == AT_ONCE)
}
