use std::fmt;

use async_trait::async_trait;

use super::{SmsError, TextMessage};

/// Hands text messages over. An implementation has its own time limit, sends the same message at most twice, and writes neither
/// the number nor the text anywhere.
#[async_trait]
pub trait SmsSender: Send + Sync + fmt::Debug {
    /// Hands a message over. `Ok` means accepted for delivery, not delivered.
    async fn send(&self, message: &TextMessage) -> Result<(), SmsError>;
}
