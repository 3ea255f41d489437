//! No provider: admins pay by hand. Nobody looks up the owner of an address, so admins decide that, too.

use futures_util::future::{BoxFuture, FutureExt, ready};

use super::{NewPayout, NewValidation, Payout, Payouts, Validation, ValidationOutcome};
use crate::ProviderError;

#[derive(Debug)]
pub struct PayoutsByHand;

/// Answers that a payout did not happen: the service has no provider to ask.
fn nobody_pays<T: Send + 'static>() -> BoxFuture<'static, Result<T, ProviderError>> {
    let why = "there is no payout provider: payouts.provider is none".to_owned();
    ready(Err(ProviderError::Unavailable(why))).boxed()
}

impl Payouts for PayoutsByHand {
    fn name(&self) -> &'static str {
        "none"
    }

    fn validate<'a>(&'a self, new: &'a NewValidation) -> BoxFuture<'a, Result<Validation, ProviderError>> {
        let id = format!("by-hand:{}", new.upi_account_id);
        let outcome = ValidationOutcome::NobodyKnows;
        ready(Ok(Validation { id, fund_account_id: None, outcome })).boxed()
    }

    fn validation<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Option<Validation>, ProviderError>> {
        ready(Ok(None)).boxed()
    }

    fn pay_out<'a>(&'a self, _: &'a NewPayout) -> BoxFuture<'a, Result<Payout, ProviderError>> {
        nobody_pays()
    }

    fn payout<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Option<Payout>, ProviderError>> {
        nobody_pays()
    }
}
