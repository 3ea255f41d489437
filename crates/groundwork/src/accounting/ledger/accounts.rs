use roadcall_http::text_enum;
use uuid::Uuid;

text_enum! {
    /// An account of a mechanic, who has three.
    MechanicAccount {
        Available = "mechanic_available",
        Held = "mechanic_held",
        Owed = "mechanic_owed",
    }
}

text_enum! {
    /// The kind of event that an entry books.
    EntryKind {
        Capture = "capture",
        Cash = "cash",
        Clear = "clear",
        DisputeHold = "dispute_hold",
        Fee = "fee",
        FeeWaived = "fee_waived",
        PartnerBill = "partner_bill",
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

/// An account of the ledger. Credit is positive: money that is owed to a mechanic, or earned. Money that lies at the
/// gateway for us is negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// Money captured at the gateway, less the amounts that went back.
    GatewayClearing,
    /// Money that left through the payout provider.
    PayoutClearing,
    PlatformCommission,
    Tax,
    /// The debts of organisations for jobs on account.
    PartnersReceivable,
    /// Cancellation fees that customers owe.
    FeesReceivable,
    /// The future income from those fees, until they are paid.
    FeesUnearned,
    /// Money that was promised to customers and has not reached them yet.
    Refunds,
    /// Money that a mechanic may withdraw. Never below zero.
    Available(Uuid),
    /// Money of a mechanic within the clearing time, disputed, or on its way out. Never below zero.
    Held(Uuid),
    /// A mechanic's debt to us (commission on cash, refunds of money that was withdrawn already). Never above zero.
    Owed(Uuid),
}

impl Account {
    /// Returns the account's kind, as rows name it.
    pub fn kind(self) -> &'static str {
        match self {
            Self::GatewayClearing => "gateway_clearing",
            Self::PayoutClearing => "payout_clearing",
            Self::PlatformCommission => "platform_commission",
            Self::Tax => "tax",
            Self::PartnersReceivable => "partners_receivable",
            Self::FeesReceivable => "fees_receivable",
            Self::FeesUnearned => "fees_unearned",
            Self::Refunds => "refunds",
            Self::Available(_) => MechanicAccount::Available.as_str(),
            Self::Held(_) => MechanicAccount::Held.as_str(),
            Self::Owed(_) => MechanicAccount::Owed.as_str(),
        }
    }

    /// Returns the mechanic whose account it is; `None` for the platform's accounts.
    pub fn mechanic(self) -> Option<Uuid> {
        match self {
            Self::Available(id) | Self::Held(id) | Self::Owed(id) => Some(id),
            Self::GatewayClearing
            | Self::PayoutClearing
            | Self::PlatformCommission
            | Self::Tax
            | Self::PartnersReceivable
            | Self::FeesReceivable
            | Self::FeesUnearned
            | Self::Refunds => None,
        }
    }
}
