//! Subscriptions: the addresses that get events, their secrets, and how they are verified.

mod actions;
mod dto;
pub(super) mod handlers;
mod queries;
mod secrets;

pub use dto::{WebhookChallenge, WebhookTestContent};
pub(super) use queries::{Listener, SubscriptionRow, find, listeners, pause};
pub use secrets::reseal;
pub(super) use secrets::{Sealed, signing};
