//! Cancellations and their fees.

use deserr::Deserr;
use roadcall_actors::engine::{AcceptedFee, FeeQuote, FeeReason};
use serde::Serialize;
use utoipa::ToSchema;

use super::CancelReason;
use crate::{
    http::{Money, Text, Timestamp, ValidationErrors},
    wire::Named,
};

/// The reason why the caller cancels, and the fee that they accept.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Cancel {
    pub reason_code: CancelReason,
    #[deserr(default)]
    pub reason: Option<Text<1, 500>>,
    /// The fee that the caller was shown; the answer is FEE_CHANGED if it has risen since. If a fee is due, this or `accept_fee`
    /// is required.
    #[deserr(default)]
    pub quoted_fee: Option<Money>,
    /// Whether to cancel whatever the fee is. Ignored if `quoted_fee` is given.
    #[deserr(default)]
    #[schema(required = false, default = false)]
    pub accept_fee: bool,
}

impl Cancel {
    pub fn accepted_fee(&self) -> AcceptedFee {
        match self.quoted_fee {
            Some(Money(paise)) => AcceptedFee::UpTo(paise),
            None if self.accept_fee => AcceptedFee::Any,
            None => AcceptedFee::NONE,
        }
    }
}

/// The fee for cancelling now.
#[derive(Debug, Serialize, ToSchema)]
pub struct CancellationQuote {
    pub cancellation_fee: Money,
    /// The reason for this fee.
    #[schema(value_type = String, example = "within_free_time")]
    pub reason: Named<FeeReason>,
    /// Until when cancelling is free, if that is in the future.
    pub free_until: Option<Timestamp>,
    /// How often this customer may still cancel for free soon after an acceptance; null for admins, who are not limited.
    pub free_cancellations: Option<FreeCancellations>,
}

/// Cancellations that are free because they come soon after the acceptance.
#[derive(Debug, Serialize, ToSchema)]
pub struct FreeCancellations {
    /// How many are left, including this cancellation if it is one of them.
    pub left: u32,
    /// The number of free cancellations in the period.
    pub most: u32,
    /// The number of days for which a cancellation counts.
    pub days: i64,
}

impl From<FeeQuote> for CancellationQuote {
    fn from(quote: FeeQuote) -> Self {
        Self {
            cancellation_fee: Money(quote.fee_paise),
            reason: Named(quote.reason),
            free_until: quote.free_until.map(Into::into),
            free_cancellations: None,
        }
    }
}
