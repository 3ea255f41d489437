use std::fmt;

use futures_util::future::BoxFuture;

use super::{SmsError, TextMessage};

/// Hands text messages over. An implementation has its own time limit, sends the same message twice at most, and writes neither
/// number nor text anywhere.
pub trait SmsSender: Send + Sync + fmt::Debug {
    /// `Ok` means accepted for delivery, not delivered.
    fn send<'a>(&'a self, message: &'a TextMessage) -> BoxFuture<'a, Result<(), SmsError>>;
}
