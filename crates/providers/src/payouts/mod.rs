//! Money out: payouts to UPI addresses (VPAs), and who owns such an address.

mod by_hand;
mod razorpay;
mod settings;

use async_trait::async_trait;
use uuid::Uuid;

pub use by_hand::PayoutsByHand;
pub use razorpay::RazorpayPayouts;
pub use settings::{PayoutProvider, PayoutSettings};

use super::ProviderError;

/// An address whose owner is to be looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewValidation {
    /// Our UPI account's id; the same id asks once.
    pub upi_account_id: Uuid,
    pub vpa: String,
    pub holder_name: String,
}

/// The result of a look-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validation {
    /// The provider's id of the validation.
    pub id: String,
    /// The account that payouts to the address are made to; `None` if the provider has no such accounts.
    pub fund_account_id: Option<String>,
    pub outcome: ValidationOutcome,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValidationOutcome {
    /// The answer is outstanding: a webhook `fund_account.validation.*` or a later check brings it.
    Pending,
    /// The address exists and is registered to this name.
    Active { name_at_bank: String },
    /// The address does not exist.
    Invalid,
    /// The provider does not look up owners: an admin decides.
    NobodyKnows,
}

/// How far a payout has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PayoutStatus {
    /// Accepted but not finished: queued, pending or processing.
    Pending,
    Processed,
    /// Failed, rejected or cancelled: no money left.
    Failed,
    /// The money came back after it had left.
    Reversed,
}

impl PayoutStatus {
    /// Reads the provider's word; an unknown word is `None`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "queued" | "pending" | "processing" | "scheduled" => Some(Self::Pending),
            "processed" => Some(Self::Processed),
            "failed" | "rejected" | "cancelled" => Some(Self::Failed),
            "reversed" => Some(Self::Reversed),
            _ => None,
        }
    }
}

/// A payout to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPayout {
    /// Our withdrawal's id: the reference, and the idempotency key.
    pub withdrawal_id: Uuid,
    pub vpa: String,
    pub holder_name: String,
    pub fund_account_id: Option<String>,
    pub amount_paise: i64,
    pub currency: String,
}

/// A payout at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payout {
    pub id: String,
    /// Our withdrawal's id, where the payout is ours.
    pub withdrawal_id: Option<Uuid>,
    pub amount_paise: i64,
    pub status: PayoutStatus,
    /// The bank's reference (UTR), once there is one.
    pub utr: Option<String>,
    /// Why it failed, in the provider's words.
    pub failure: Option<String>,
}

/// A payout provider. Every call has its own time limit, and none is repeated inside: the caller knows better when.
#[async_trait]
pub trait Payouts: Send + Sync + std::fmt::Debug {
    /// Returns the provider's name in rows and answers: "sandbox", "razorpay" or "none".
    fn name(&self) -> &'static str;

    /// Asks who owns an address.
    async fn validate(&self, new: &NewValidation) -> Result<Validation, ProviderError>;

    /// Returns the result of a validation so far.
    async fn validation(&self, id: &str) -> Result<Option<Validation>, ProviderError>;

    /// Pays out, once per `withdrawal_id` however often it is called: a repeated call returns the payout in its present state.
    async fn pay_out(&self, new: &NewPayout) -> Result<Payout, ProviderError>;

    /// Returns a payout in its present state.
    async fn payout(&self, id: &str) -> Result<Option<Payout>, ProviderError>;
}
