//! Earnings whose clearing time is over become available.

use super::queries::{self, ClearingRow, DueEarning};
use crate::{
    accounting::ledger::{self, Account, EntryKind, LedgerEntry},
    money::wallet::WalletContext,
    platform::error::{ApiError, ApiResult, commit_error},
};

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
            match clear(context, row).await {
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

/// What the earning holds goes first to what the mechanic owes, the rest becomes available.
async fn clear(context: &WalletContext, due: &DueEarning) -> ApiResult<bool> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    if !queries::lock_undisputed(&mut tx, due.job_id, due.payment_id).await? {
        return Ok(false);
    }
    let Some(earning) = queries::lock_earning(&mut tx, due.id).await? else { return Ok(false) };
    let (mechanic, held) = (earning.mechanic_profile_id, earning.held_paise);
    let owed = ledger::lock_balances(&mut tx, mechanic).await?.owed_paise.min(held);
    let entry = LedgerEntry {
        kind: EntryKind::Clear,
        key: clearing_key(&earning),
        job_id: Some(earning.job_id),
        note: None,
        postings: vec![
            (Account::Held(mechanic), -held),
            (Account::Owed(mechanic), owed),
            (Account::Available(mechanic), held - owed),
        ],
    };
    if !ledger::post(&mut tx, &context.random, now, entry).await? {
        return Err(ApiError::internal(format!("earning {} was cleared before", due.id)));
    }
    queries::mark_cleared(&mut tx, due.id, now).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(true)
}

/// It clears once for each time that it was held: at first, and again after each dispute.
fn clearing_key(earning: &ClearingRow) -> String {
    match earning.holds {
        0 => format!("clear:{}", earning.id),
        holds => format!("clear:{}:{holds}", earning.id),
    }
}
