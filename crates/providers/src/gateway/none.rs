//! No gateway: customers pay in cash. Payments of a gateway that was used before can no longer be looked up.

use futures_util::future::{BoxFuture, FutureExt, ready};

use super::{Attempt, Gateway, GatewayOrder, GatewayRefund, NewGatewayOrder, NewGatewayRefund};
use crate::ProviderError;

const WHY: &str = "there is no payment gateway: gateway.provider is none";

#[derive(Debug)]
pub struct NoGateway;

/// Refuses a call that would move money: it did not happen, and never will.
fn refused<T: Send + 'static>() -> BoxFuture<'static, Result<T, ProviderError>> {
    let refusal = ProviderError::Refused { code: "none".to_owned(), description: WHY.to_owned() };
    ready(Err(refusal)).boxed()
}

/// Answers a question that only a gateway could answer.
fn unavailable<T: Send + 'static>() -> BoxFuture<'static, Result<T, ProviderError>> {
    ready(Err(ProviderError::Unavailable(WHY.to_owned()))).boxed()
}

impl Gateway for NoGateway {
    fn name(&self) -> &'static str {
        "none"
    }

    fn key_id(&self) -> &'static str {
        ""
    }

    fn create_order<'a>(
        &'a self,
        _: &'a NewGatewayOrder,
    ) -> BoxFuture<'a, Result<GatewayOrder, ProviderError>> {
        refused()
    }

    fn attempts_of<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Vec<Attempt>, ProviderError>> {
        unavailable()
    }

    fn attempt<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Option<Attempt>, ProviderError>> {
        unavailable()
    }

    fn capture<'a>(&'a self, _: &'a Attempt) -> BoxFuture<'a, Result<Attempt, ProviderError>> {
        refused()
    }

    fn refund<'a>(&'a self, _: &'a NewGatewayRefund) -> BoxFuture<'a, Result<GatewayRefund, ProviderError>> {
        refused()
    }

    fn refunds_of<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Vec<GatewayRefund>, ProviderError>> {
        unavailable()
    }

    fn is_checkout_genuine(&self, _: &str, _: &str, _: &str) -> bool {
        false
    }
}
