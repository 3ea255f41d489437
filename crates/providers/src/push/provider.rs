use std::fmt;

use async_trait::async_trait;

use super::{device::PushDevice, error::PushError, message::PushMessage};

/// Hands messages to apps' push services. An implementation has its own time limit, tries once, and writes neither token nor text
/// anywhere.
#[async_trait]
pub trait Push: Send + Sync + fmt::Debug {
    /// Pushes a message. `Ok` means accepted for delivery, not shown.
    async fn push(&self, device: &PushDevice, message: &PushMessage) -> Result<(), PushError>;
}
