//! The outside world, one folder for each provider: the trait and its promises, the embedded default, and the real providers.
//! Above them are [`sandbox`], the embedded gateway and payout provider, and [`mails`], which keeps mail until a provider has
//! taken it.

mod breaker;
mod fault;
pub mod gateway;
pub mod identity;
pub mod mail;
pub mod mails;
mod outside;
pub mod payouts;
pub mod places;
pub mod push;
pub mod razorpay;
pub mod rooms;
pub mod routing;
pub mod sandbox;
mod sending;
pub mod sms;
pub mod storage;
pub mod webhooks;

pub use fault::ProviderError;

/// Encodes a body of `application/x-www-form-urlencoded`.
fn form(pairs: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}
