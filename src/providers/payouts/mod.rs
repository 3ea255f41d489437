//! Money out: payouts to UPI addresses (VPAs), and who owns such an address.

mod by_hand;
mod razorpay;
mod settings;

use futures_util::future::BoxFuture;
use uuid::Uuid;

pub use by_hand::PayoutsByHand;
pub use razorpay::RazorpayPayouts;
pub use settings::{PayoutProvider, PayoutSettings};

use super::ProviderError;

/// Whose address to look up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewValidation {
    /// Our UPI account's id; the same id asks once.
    pub upi_account_id: Uuid,
    pub vpa: String,
    pub holder_name: String,
}

/// What is known of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validation {
    /// The provider's id of the validation.
    pub id: String,
    /// What payouts to the address are made to; `None` where the provider has no such thing.
    pub fund_account_id: Option<String>,
    pub outcome: ValidationOutcome,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValidationOutcome {
    /// Asked, not yet answered: a webhook `fund_account.validation.*` or a later check brings the answer.
    Pending,
    /// The address exists and is registered to this name.
    Active { name_at_bank: String },
    /// There is no such address.
    Invalid,
    /// No provider says whose it is: an admin decides.
    NobodyKnows,
}

/// How far a payout has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PayoutStatus {
    /// Accepted, not finished: queued, pending, processing.
    Pending,
    Processed,
    /// Failed, rejected or cancelled: no money left.
    Failed,
    /// Came back after it had left.
    Reversed,
}

impl PayoutStatus {
    /// From the provider's word; `None` for one that is not known.
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

/// A payout provider. Every call has its own time limit. None is repeated inside: the caller knows better when.
pub trait Payouts: Send + Sync + std::fmt::Debug {
    /// As in rows and answers: "sandbox", "razorpay", "none".
    fn name(&self) -> &'static str;

    /// Asks who owns an address.
    fn validate<'a>(&'a self, new: &'a NewValidation) -> BoxFuture<'a, Result<Validation, ProviderError>>;

    /// What became of a validation.
    fn validation<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<Validation>, ProviderError>>;

    /// Pays out, once per `withdrawal_id` however often it is called: the same call again answers with the payout as
    /// it stands.
    fn pay_out<'a>(&'a self, new: &'a NewPayout) -> BoxFuture<'a, Result<Payout, ProviderError>>;

    /// What became of a payout.
    fn payout<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<Payout>, ProviderError>>;
}
