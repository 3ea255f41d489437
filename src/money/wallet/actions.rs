//! What happens to the whole wallet: earnings are cleared, and it is closed.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    context::WalletContext,
    queries::{self, ClearingRow, DueEarning},
    upi, withdrawals,
};
use crate::{
    accounting::ledger::{self, Account, EntryKind, LedgerEntry},
    platform::error::{ApiError, ApiResult, Code, commit_error},
};

/// What the earning holds goes first to what the mechanic owes, the rest becomes available.
pub async fn clear(context: &WalletContext, due: &DueEarning) -> ApiResult<bool> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    if !queries::lock_undisputed(&mut tx, (due.job_id, due.payment_id), now).await? {
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

/// Closes a mechanic's wallet when their account is anonymised, and removes their UPI accounts. 409 while there is money in it;
/// debts don't matter.
pub async fn close(tx: &mut PgConnection, mechanic_profile_id: Uuid, now: DateTime<Utc>) -> ApiResult<()> {
    let balances = ledger::lock_balances(tx, mechanic_profile_id).await?;
    if balances.available_paise > 0 || balances.held_paise > 0 {
        let what_next = match balances.withdrawable_paise() > 0 {
            true => "Withdraw it first.",
            false => {
                "It is held or owed, and can't be withdrawn yet. Try again when your last jobs have cleared."
            }
        };
        return Err(ApiError::new(
            Code::Conflict,
            format!("There is still money in the wallet. {what_next}"),
        ));
    }
    upi::queries::anonymise(tx, mechanic_profile_id, now).await?;
    Ok(withdrawals::queries::anonymise(tx, mechanic_profile_id).await?)
}
