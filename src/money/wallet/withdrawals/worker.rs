//! Sends the payouts that are due, and asks after those under way.

use super::{actions, queries};
use crate::{
    money::wallet::{context::WalletContext, upi::checking::lease},
    platform::error::ApiResult,
};

/// The number of payouts that are sent at once; the rest follow in the next round, without a pause.
const AT_ONCE: i64 = 8;

/// Runs one round of the worker. Returns whether there may be more to do at once. The provider is called outside any
/// transaction.
pub async fn pay_due(context: &WalletContext) -> ApiResult<bool> {
    let now = context.clock.now();
    let due = queries::take_due(&context.db, now, lease(context, now), AT_ONCE).await?;
    let sent = futures_util::future::join_all(due.iter().map(|row| actions::pay(context, row))).await;
    for error in sent.into_iter().filter_map(Result::err) {
        // The withdrawal is taken again when its lease is over.
        error.log();
    }
    Ok(due.len() as i64 == AT_ONCE)
}
