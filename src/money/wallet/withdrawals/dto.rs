use std::fmt;

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{queries::WithdrawalRow, state::WithdrawalStatus};
use crate::{
    accounts::users::MechanicContact,
    http::{CsvRow, Id, Money, Text, Timestamp, ValidationErrors},
};

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewWithdrawal {
    pub amount: Money,
    /// The account to which the money goes; the default account if left out.
    #[deserr(default)]
    #[schema(value_type = Option<Uuid>)]
    pub upi_account_id: Option<Id>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct MarkWithdrawalPaid {
    /// The reference by which the payment is found at the bank; the mechanic reads it.
    pub reference: Text<1, 100>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct MarkWithdrawalFailed {
    /// The reason why it was not paid; the mechanic reads it.
    pub reason: Text<3, 300>,
}

/// A withdrawal from a mechanic's wallet.
#[derive(Serialize, ToSchema)]
pub struct Withdrawal {
    pub id: Uuid,
    pub amount: Money,
    pub status: WithdrawalStatus,
    /// The UPI account to which the money goes.
    pub upi_account_id: Uuid,
    /// The UPI address to which the money goes.
    pub vpa: String,
    /// The bank's reference.
    pub utr: Option<String>,
    /// The reason why the payout failed; null if it did not.
    pub failure_reason: Option<String>,
    pub requested_at: Timestamp,
    /// When it was processed, failed or was reversed, whichever came last.
    pub settled_at: Option<Timestamp>,
}

/// Leaves out names and addresses, which must not reach a log.
impl fmt::Debug for Withdrawal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Withdrawal")
            .field("id", &self.id)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

impl CsvRow for Withdrawal {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "amount",
        "status",
        "upi_account_id",
        "vpa",
        "utr",
        "failure_reason",
        "requested_at",
        "settled_at",
    ];
}

/// A withdrawal with its mechanic, as only admins see it.
#[derive(Serialize, ToSchema)]
pub struct WithdrawalForAdmin {
    #[serde(flatten)]
    pub withdrawal: Withdrawal,
    #[schema(example = "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01")]
    pub mechanic_profile_id: Uuid,
    #[serde(flatten)]
    pub mechanic: MechanicContact,
    /// The payee of the payout.
    #[schema(example = "Ravi Kumar")]
    pub holder_name: String,
    /// The provider's id of the payout; null until it has answered.
    #[schema(example = "pout_OX1d3kq0ZrT8aC")]
    pub payout_id: Option<String>,
    /// The number of times that the provider was asked.
    #[schema(example = 1)]
    pub attempts: i32,
    /// Whether an admin pays it and then records the payment (`POST /admin/withdrawals/{id}/mark-paid`), because the
    /// operator has no payout provider.
    #[schema(example = false)]
    pub is_to_be_paid_by_hand: bool,
}

/// Leaves out names and addresses, which must not reach a log.
impl fmt::Debug for WithdrawalForAdmin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WithdrawalForAdmin")
            .field("withdrawal", &self.withdrawal)
            .field("attempts", &self.attempts)
            .finish_non_exhaustive()
    }
}

impl CsvRow for WithdrawalForAdmin {
    const FLATTENED: &'static [&'static [&'static str]] = &[Withdrawal::COLUMNS, MechanicContact::COLUMNS];
    const COLUMNS: &'static [&'static str] =
        &["mechanic_profile_id", "holder_name", "payout_id", "attempts", "is_to_be_paid_by_hand"];
}

impl From<WithdrawalRow> for Withdrawal {
    fn from(row: WithdrawalRow) -> Self {
        Self {
            id: row.id,
            amount: Money(row.amount_paise),
            status: row.status,
            upi_account_id: row.upi_account_id,
            vpa: row.vpa,
            utr: row.utr,
            failure_reason: row.failure_reason,
            requested_at: row.requested_at.into(),
            settled_at: row.settled_at.map(Into::into),
        }
    }
}
