//! The dues of customers: for completed jobs, and in fees for cancelled ones. They are written with the completion or
//! the cancellation, in its own transaction. The bills of organisations come afterwards.

pub mod job_hook;
mod outstanding;
mod queries;

use chrono::{DateTime, Utc};
use roadcall_actors::random::Random;
use roadcall_http::Money;
use roadcall_platform::error::{ApiError, ApiResult, Code};
use sqlx::PgConnection;
use uuid::Uuid;

pub use outstanding::{check_earned, check_settled};
pub use queries::{
    FeeRow, FeeStatus, FreeJob, JobDue, NewBill, OwedFees, find, free, hold, insert_bill, lock_fees,
    lower_bill, set, settle_fee, unpaid_fees,
};

use crate::accounting::ledger::{self, Account, EntryKind};

/// The maximum number of fees that are shown, and paid together, at once.
pub const MAX_FEES: i64 = 100;

/// Charges a fee: it is owed from now on, and earned when it is paid.
pub async fn charge(
    tx: &mut PgConnection,
    random: &Random,
    fee: &FeeRow,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    queries::insert_fee(tx, fee).await?;
    let entry = ledger::LedgerEntry {
        kind: EntryKind::Fee,
        key: format!("fee:{}", fee.job_id),
        job_id: Some(fee.job_id),
        note: None,
        postings: vec![
            (Account::FeesReceivable, -fee.amount_paise),
            (Account::FeesUnearned, fee.amount_paise),
        ],
    };
    ledger::post(tx, random, at, entry).await.map(drop)
}

impl OwedFees {
    /// Returns the sum that counts towards the limit for new jobs: otherwise customers who contest every fee would
    /// never reach it.
    pub fn counted_paise(&self) -> i64 {
        self.due_paise + self.contested_paise
    }

    /// Refuses a customer who owes more than `limit_paise`, contested fees included: 409 UNPAID_FEES.
    pub fn check(&self, limit_paise: i64) -> ApiResult<()> {
        match self.refusal(limit_paise) {
            Some(message) => Err(ApiError::new(Code::UnpaidFees, message)),
            None => Ok(()),
        }
    }

    /// Returns the reason why a customer with these debts can't create a job; `None` if they are within the limit.
    fn refusal(&self, limit_paise: i64) -> Option<String> {
        if self.counted_paise() <= limit_paise {
            return None;
        }
        let (due, contested) = (Money(self.due_paise), Money(self.contested_paise));
        Some(match (self.due_paise, self.contested_paise) {
            (_, 0) => format!("Pay your cancellation fees first: {due} is due."),
            (0, _) => format!(
                "We have not decided yet about the fees of {contested} that you contest. Try again when we have, or contact us."
            ),
            // Paying the due fees would not be enough.
            (_, of_contested) if of_contested > limit_paise => format!(
                "{due} is due, and we have not decided yet about {contested} more that you contest. Try again when we have, or contact us."
            ),
            (_, _) => format!(
                "Pay your cancellation fees first: {due} is due. We have not decided yet about {contested} more that you contest."
            ),
        })
    }
}

/// Contests the fee: until an admin has decided it is not due, and the earnings from it do not clear. Returns false if
/// there is no fee; 409 INVALID_TRANSITION if it was waived. The caller holds the job's lock.
pub async fn contest(tx: &mut PgConnection, job_id: Uuid) -> ApiResult<bool> {
    let Some(fee) = queries::lock_fees(tx, &[job_id]).await?.pop() else { return Ok(false) };
    if fee.status == FeeStatus::Waived {
        return Err(ApiError::new(Code::InvalidTransition, "This fee was waived, so you owe nothing."));
    }
    queries::set_contested(tx, job_id, true).await?;
    Ok(true)
}

/// Ends the contest of the fee, which is then as it was before, and returns it; `None` if there is no fee. The caller
/// holds the job's lock.
pub async fn end_contest(tx: &mut PgConnection, job_id: Uuid) -> ApiResult<Option<FeeRow>> {
    let Some(fee) = queries::lock_fees(tx, &[job_id]).await?.pop() else { return Ok(None) };
    queries::set_contested(tx, job_id, false).await?;
    Ok(Some(FeeRow { is_contested: false, ..fee }))
}

/// Waives the fee, and returns it as it was; `None` if no fee is due.
pub async fn waive(
    tx: &mut PgConnection,
    random: &Random,
    job_id: Uuid,
    at: DateTime<Utc>,
) -> ApiResult<Option<FeeRow>> {
    let fee = queries::lock_fees(tx, &[job_id]).await?.pop().filter(FeeRow::is_due);
    let Some(fee) = fee else { return Ok(None) };
    queries::settle_fee(tx, job_id, FeeStatus::Waived, at).await?;
    let entry = ledger::LedgerEntry {
        kind: EntryKind::FeeWaived,
        key: format!("fee:{job_id}:waived"),
        job_id: Some(job_id),
        note: None,
        postings: vec![
            (Account::FeesReceivable, fee.amount_paise),
            (Account::FeesUnearned, -fee.amount_paise),
        ],
    };
    ledger::post(tx, random, at, entry).await?;
    Ok(Some(fee))
}

#[cfg(test)]
mod tests {
    use super::OwedFees;

    #[test]
    fn a_customer_is_asked_to_pay_first_only_if_that_helps() {
        let refusal = |due_paise, contested_paise| OwedFees { due_paise, contested_paise }.refusal(20_000);
        let table = [
            (20_000, 0, None),
            (5_000, 15_000, None),
            (20_001, 0, Some("Pay your cancellation fees first: 200.01 is due.")),
            (
                15_000,
                15_000,
                Some(
                    "Pay your cancellation fees first: 150.00 is due. We have not decided yet about 150.00 ",
                ),
            ),
            (15_000, 20_000, Some("Pay your cancellation fees first: 150.00 is due. ")),
            (
                15_000,
                30_000,
                Some(
                    "150.00 is due, and we have not decided yet about 300.00 more that you contest. Try again ",
                ),
            ),
            (0, 30_000, Some("We have not decided yet about the fees of 300.00 that you contest. ")),
        ];
        for (due, contested, begin) in table {
            let said = refusal(due, contested);
            match begin {
                None => assert_eq!(said, None, "{due} {contested}"),
                Some(begin) => assert!(said.is_some_and(|said| said.starts_with(begin)), "{due} {contested}"),
            }
        }
    }
}
