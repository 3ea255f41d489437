//! Text messages.

mod log;

use futures_util::future::BoxFuture;

pub use log::LogSms;

/// Why a message was not handed over.
#[derive(Debug, thiserror::Error)]
#[error("the message could not be handed over: {0}")]
pub struct SmsError(pub String);

/// Sends one-time passwords. An implementation has a time limit of its own, sends at most once, and writes neither
/// number nor code anywhere.
pub trait SmsSender: Send + Sync + std::fmt::Debug {
    /// Hands over `code` for `phone` (E.164). `Ok` means accepted for delivery, not delivered.
    fn send_otp<'a>(&'a self, phone: &'a str, code: &'a str) -> BoxFuture<'a, Result<(), SmsError>>;
}
