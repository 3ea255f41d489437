use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::{PaymentRefundRow, ReleaseRow};
use crate::{
    accounting::ledger::{EntryKind, LineRow, MechanicAccount},
    http::{Between, Money, Timestamp, list_filter, text_enum},
};

/// A mechanic's balances and totals.
#[derive(Debug, Serialize, ToSchema)]
pub struct Wallet {
    pub available: Money,
    /// Money within the clearing time, disputed, or on its way out.
    pub held: Money,
    /// Commission on cash, or a refund of money that was withdrawn already; taken off the next earnings.
    pub owed: Money,
    /// The available amount less the owed amount, at least zero.
    pub withdrawable: Money,
    pub currency: String,
    /// The part of the held amount that is on its way out.
    pub pending_withdrawals: Money,
    /// The mechanic's shares of all payments, cash included, less refunds.
    pub lifetime_earned: Money,
    pub lifetime_withdrawn: Money,
    /// The first part of the held amount that only waits for its clearing time; null without such a part.
    pub next_release: Option<NextRelease>,
}

/// The first held earning that only waits for its clearing time. It leaves out withdrawals on their way, and everything
/// that waits for a decision: earnings from a disputed job, from a payment that the customer's bank wants back, from a
/// contested fee, and from a tow that may be reviewed for longer than its clearing time.
#[derive(Debug, Serialize, ToSchema)]
pub struct NextRelease {
    /// The held amount; the mechanic's debts at that time are taken off it first.
    pub amount: Money,
    /// When it clears. A dispute or a chargeback that begins before then holds it longer.
    pub at: Timestamp,
}

impl From<ReleaseRow> for NextRelease {
    fn from(row: ReleaseRow) -> Self {
        Self { amount: Money(row.held_paise), at: row.clears_at.into() }
    }
}

text_enum! {
    /// An account of a mechanic.
    WalletAccount {
        Available = "available",
        Held = "held",
        Owed = "owed",
    }
}

impl WalletAccount {
    fn of(account: MechanicAccount) -> Self {
        match account {
            MechanicAccount::Available => Self::Available,
            MechanicAccount::Held => Self::Held,
            MechanicAccount::Owed => Self::Owed,
        }
    }
}

/// One line of a mechanic's accounts.
#[derive(Debug, Serialize, ToSchema)]
pub struct WalletTransaction {
    /// The id of the entry. An entry that moves an amount from one account to another has a line for each.
    pub id: Uuid,
    pub kind: EntryKind,
    pub account: WalletAccount,
    /// The amount: above zero if it adds to the account. Debts are below zero.
    pub amount: Money,
    pub job_id: Option<Uuid>,
    pub note: Option<String>,
    pub at: Timestamp,
}

impl From<LineRow> for WalletTransaction {
    fn from(row: LineRow) -> Self {
        Self {
            id: row.transaction_id,
            kind: row.kind,
            account: WalletAccount::of(row.account),
            amount: Money(row.amount_paise),
            job_id: row.job_id,
            note: row.note,
            at: row.at.into(),
        }
    }
}

list_filter! {
    /// The filter of the list of wallet transactions.
    TransactionFilter {
        /// Booked in this time.
        booked: Between,
    }
}

text_enum! {
    /// The progress of a refund.
    PaymentRefundStatus {
        Pending = "pending",
        Processed = "processed",
        Failed = "failed",
    }
}

text_enum! {
    /// The origin of a refund: an admin, a resolved dispute, a capture beyond the amount due, somebody at the gateway,
    /// or the customer's bank.
    RefundSource {
        Admin = "admin",
        Dispute = "dispute",
        Surplus = "surplus",
        Gateway = "gateway",
        Chargeback = "chargeback",
    }
}

/// A refund to a customer.
#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentRefund {
    pub id: Uuid,
    pub payment_id: Uuid,
    pub amount: Money,
    pub status: PaymentRefundStatus,
    pub source: RefundSource,
    pub reason: Option<String>,
    pub created_at: Timestamp,
    pub settled_at: Option<Timestamp>,
}

impl From<PaymentRefundRow> for PaymentRefund {
    fn from(row: PaymentRefundRow) -> Self {
        Self {
            id: row.id,
            payment_id: row.payment_id,
            amount: Money(row.amount_paise),
            status: row.status,
            source: row.source,
            reason: row.reason,
            created_at: row.created_at.into(),
            settled_at: row.settled_at.map(Into::into),
        }
    }
}
