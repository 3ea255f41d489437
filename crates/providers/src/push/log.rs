//! The provider that pushes nothing: apps receive notifications on their sockets, and read the list.

use async_trait::async_trait;

use super::{device::PushDevice, error::PushError, message::PushMessage, provider::Push};

/// Logs that a push of a kind was made, but no text, token or name.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogPush;

#[async_trait]
impl Push for LogPush {
    async fn push(&self, device: &PushDevice, message: &PushMessage) -> Result<(), PushError> {
        tracing::info!(push.kind = message.kind, push.platform = %device.platform, "push made");
        Ok(())
    }
}
