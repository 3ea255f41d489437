//! No gateway: customers pay in cash. Payments of a gateway that was used before can no longer be looked up.

use async_trait::async_trait;

use super::{Attempt, Gateway, GatewayOrder, GatewayRefund, NewGatewayOrder, NewGatewayRefund};
use crate::ProviderError;

const WHY: &str = "there is no payment gateway: gateway.provider is none";

#[derive(Debug)]
pub struct NoGateway;

/// Refuses a call that would move money: it did not happen, and never will.
fn refused<T>() -> Result<T, ProviderError> {
    Err(ProviderError::Refused { code: "none".to_owned(), description: WHY.to_owned() })
}

/// Answers a question that only a gateway could answer.
fn unavailable<T>() -> Result<T, ProviderError> {
    Err(ProviderError::Unavailable(WHY.to_owned()))
}

#[async_trait]
impl Gateway for NoGateway {
    fn name(&self) -> &'static str {
        "none"
    }

    fn key_id(&self) -> &'static str {
        ""
    }

    async fn create_order(&self, _: &NewGatewayOrder) -> Result<GatewayOrder, ProviderError> {
        refused()
    }

    async fn attempts_of(&self, _: &str) -> Result<Vec<Attempt>, ProviderError> {
        unavailable()
    }

    async fn attempt(&self, _: &str) -> Result<Option<Attempt>, ProviderError> {
        unavailable()
    }

    async fn capture(&self, _: &Attempt) -> Result<Attempt, ProviderError> {
        refused()
    }

    async fn refund(&self, _: &NewGatewayRefund) -> Result<GatewayRefund, ProviderError> {
        refused()
    }

    async fn refunds_of(&self, _: &str) -> Result<Vec<GatewayRefund>, ProviderError> {
        unavailable()
    }

    fn is_checkout_genuine(&self, _: &str, _: &str, _: &str) -> bool {
        false
    }
}
