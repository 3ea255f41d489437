use uuid::Uuid;

use crate::http::text_enum;

text_enum! {
    /// One of the three accounts that a mechanic has.
    MechanicAccount {
        Available = "mechanic_available",
        Held = "mechanic_held",
        Owed = "mechanic_owed",
    }
}

text_enum! {
    /// What an entry books.
    EntryKind {
        Capture = "capture",
        Cash = "cash",
        Clear = "clear",
        DisputeHold = "dispute_hold",
        Fee = "fee",
        FeeWaived = "fee_waived",
        Refund = "refund",
        RefundPaid = "refund_paid",
        RefundUndone = "refund_undone",
        WithdrawalHold = "withdrawal_hold",
        WithdrawalPaid = "withdrawal_paid",
        WithdrawalRelease = "withdrawal_release",
        WithdrawalRetaken = "withdrawal_retaken",
        WithdrawalReturned = "withdrawal_returned",
    }
}

/// Where money is. Credit is positive: what is owed to a mechanic, or earned; what lies at the gateway for us is
/// negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// Captured at the gateway, less what went back.
    GatewayClearing,
    /// What left through the payout provider.
    PayoutClearing,
    PlatformCommission,
    Tax,
    /// Cancellation fees that customers owe.
    FeesReceivable,
    /// What those fees will be once they are paid.
    FeesUnearned,
    /// Promised to customers, not yet with them.
    Refunds,
    /// May be withdrawn. Never below zero.
    Available(Uuid),
    /// Not yet: within the clearing time, disputed, or on its way out. Never below zero.
    Held(Uuid),
    /// What the mechanic owes us (commission on cash, a refund of what was withdrawn already). Never above zero.
    Owed(Uuid),
}

impl Account {
    /// The name in rows.
    pub fn kind(self) -> &'static str {
        match self {
            Self::GatewayClearing => "gateway_clearing",
            Self::PayoutClearing => "payout_clearing",
            Self::PlatformCommission => "platform_commission",
            Self::Tax => "tax",
            Self::FeesReceivable => "fees_receivable",
            Self::FeesUnearned => "fees_unearned",
            Self::Refunds => "refunds",
            Self::Available(_) => MechanicAccount::Available.as_str(),
            Self::Held(_) => MechanicAccount::Held.as_str(),
            Self::Owed(_) => MechanicAccount::Owed.as_str(),
        }
    }

    /// Whose it is.
    pub fn mechanic(self) -> Option<Uuid> {
        match self {
            Self::Available(id) | Self::Held(id) | Self::Owed(id) => Some(id),
            Self::GatewayClearing
            | Self::PayoutClearing
            | Self::PlatformCommission
            | Self::Tax
            | Self::FeesReceivable
            | Self::FeesUnearned
            | Self::Refunds => None,
        }
    }
}
