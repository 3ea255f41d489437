use std::fmt;

use futures_util::future::BoxFuture;

use super::{SmsError, TextMessage};

/// Hands text messages over. An implementation has its own time limit, sends the same message at most twice, and writes neither
/// the number nor the text anywhere.
pub trait SmsSender: Send + Sync + fmt::Debug {
    /// Hands a message over. `Ok` means accepted for delivery, not delivered.
    fn send<'a>(&'a self, message: &'a TextMessage) -> BoxFuture<'a, Result<(), SmsError>>;
}
