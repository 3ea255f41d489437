use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{WithdrawalStatus, queries::WithdrawalRow};
use crate::http::{Id, Money, Param, Timestamp, ValidationErrors, Whole};

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewWithdrawal {
    pub amount: Money,
    /// The default account where none is given.
    #[deserr(default)]
    #[schema(value_type = Option<Uuid>)]
    pub upi_account_id: Option<Id>,
}

/// Which page.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct WithdrawalFilter {
    #[deserr(default)]
    pub page: Option<Param<Whole>>,
    #[deserr(default)]
    pub limit: Option<Param<Whole>>,
}

/// Money on its way to a mechanic, or there.
#[derive(Debug, Serialize, ToSchema)]
pub struct Withdrawal {
    pub id: Uuid,
    pub amount: Money,
    pub status: WithdrawalStatus,
    pub upi_account_id: Uuid,
    pub vpa: String,
    /// The bank's reference.
    pub utr: Option<String>,
    pub failure_reason: Option<String>,
    pub requested_at: Timestamp,
    /// When it was processed, failed or was reversed, whichever was last.
    pub settled_at: Option<Timestamp>,
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
