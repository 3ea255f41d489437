//! The outside world, one folder each: the trait and its promises, the embedded default, the real one.

mod fault;
pub mod gateway;
pub mod identity;
mod money;
pub mod payouts;
mod razorpay;
pub mod routing;
pub mod sms;
pub mod storage;

pub use fault::ProviderError;
pub use money::{MoneyError, MoneyProviders};
