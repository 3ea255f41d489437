//! The actions on a whole wallet: clearing its earnings, and closing it.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    context::WalletContext,
    queries::{self, ClearingRow, DueEarning},
    upi, withdrawals,
};
use crate::{
    accounting::ledger::{self, Account, Balances, EntryKind, LedgerEntry},
    http::Money,
    platform::error::{ApiError, ApiResult, Code, commit_error},
};

/// Clears an earning: its held amount pays the mechanic's debts first, and the rest becomes available. Returns false if
/// the earning is contested, on hold, or already cleared.
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

/// Returns the key of the booking: an earning clears once for each time that it was held, at first and after each
/// dispute.
fn clearing_key(earning: &ClearingRow) -> String {
    match earning.holds {
        0 => format!("clear:{}", earning.id),
        holds => format!("clear:{}:{holds}", earning.id),
    }
}

/// Closes a mechanic's wallet when their account is anonymised, and removes their UPI accounts. Refuses with 409 while
/// there is money in it; debts don't matter.
pub async fn close(
    tx: &mut PgConnection,
    context: &WalletContext,
    mechanic_profile_id: Uuid,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let least_paise = context.wallet_settings.min_withdrawal_paise;
    let balances = ledger::lock_balances(tx, mechanic_profile_id).await?;
    let under_way_paise = withdrawals::queries::sums(&mut *tx, mechanic_profile_id).await?.under_way_paise;
    if let Some(why) = refusal_to_close(balances, under_way_paise, least_paise) {
        return Err(ApiError::new(Code::Conflict, why));
    }
    upi::queries::anonymise(tx, mechanic_profile_id, now).await?;
    Ok(withdrawals::queries::anonymise(tx, mechanic_profile_id).await?)
}

/// Returns the reason why a wallet can't be closed yet, with its mechanic's next step; `None` if it is empty.
fn refusal_to_close(balances: Balances, under_way_paise: i64, min_withdrawal_paise: i64) -> Option<String> {
    if balances.available_paise == 0 && balances.held_paise == 0 {
        return None;
    }
    let withdrawable_paise = balances.withdrawable_paise();
    if withdrawable_paise >= min_withdrawal_paise {
        return Some("There is still money in the wallet. Withdraw it first.".to_owned());
    }
    if under_way_paise > 0 {
        return Some("A withdrawal is on its way. Try again when it has arrived.".to_owned());
    }
    if balances.held_paise > 0 || withdrawable_paise == 0 {
        let why = "There is still money in the wallet. It is held or owed, and can't be withdrawn yet. Try again when \
            your last jobs have cleared.";
        return Some(why.to_owned());
    }
    let (left, min) = (Money(withdrawable_paise), Money(min_withdrawal_paise));
    Some(format!(
        "There is still {left} in the wallet, less than the smallest withdrawal of {min}. Withdraw it when you have \
            earned more, or contact us."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_to_close_a_wallet_names_the_next_step() {
        // Columns: the available, held and owed amounts, and the part of the held amount that is on its way out.
        let table = [
            ((0, 0, 0), 0, None),
            ((0, 0, 500), 0, None),
            ((100, 0, 0), 0, Some("Withdraw it first.")),
            ((100, 70, 0), 70, Some("Withdraw it first.")),
            ((0, 70, 0), 70, Some("on its way")),
            ((99, 90, 0), 70, Some("on its way")),
            ((0, 90, 0), 0, Some("held or owed")),
            ((99, 90, 0), 0, Some("held or owed")),
            ((100, 0, 100), 0, Some("held or owed")),
            ((99, 0, 0), 0, Some("0.99 in the wallet, less than the smallest withdrawal of 1.00")),
            ((150, 0, 51), 0, Some("0.99 in the wallet, less than the smallest withdrawal of 1.00")),
        ];
        for ((available_paise, held_paise, owed_paise), under_way_paise, said) in table {
            let balances = Balances { available_paise, held_paise, owed_paise };
            let why = refusal_to_close(balances, under_way_paise, 100);
            let is_right = match (&why, said) {
                (None, None) => true,
                (Some(why), Some(said)) => why.contains(said),
                (None, Some(_)) | (Some(_), None) => false,
            };
            assert!(is_right, "{balances:?}, {under_way_paise} on its way: {why:?}");
        }
    }
}
