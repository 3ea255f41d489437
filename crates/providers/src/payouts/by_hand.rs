//! No provider: admins pay by hand. Nobody looks up the owner of an address, so admins decide that, too.

use async_trait::async_trait;

use super::{NewPayout, NewValidation, Payout, Payouts, Validation, ValidationOutcome};
use crate::ProviderError;

#[derive(Debug)]
pub struct PayoutsByHand;

/// Answers that a payout did not happen: the service has no provider to ask.
fn nobody_pays<T>() -> Result<T, ProviderError> {
    let why = "there is no payout provider: payouts.provider is none".to_owned();
    Err(ProviderError::Unavailable(why))
}

#[async_trait]
impl Payouts for PayoutsByHand {
    fn name(&self) -> &'static str {
        "none"
    }

    async fn validate(&self, new: &NewValidation) -> Result<Validation, ProviderError> {
        let id = format!("by-hand:{}", new.upi_account_id);
        let outcome = ValidationOutcome::NobodyKnows;
        Ok(Validation { id, fund_account_id: None, outcome })
    }

    async fn validation(&self, _: &str) -> Result<Option<Validation>, ProviderError> {
        Ok(None)
    }

    async fn pay_out(&self, _: &NewPayout) -> Result<Payout, ProviderError> {
        nobody_pays()
    }

    async fn payout(&self, _: &str) -> Result<Option<Payout>, ProviderError> {
        nobody_pays()
    }
}
