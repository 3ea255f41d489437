//! The provider that pushes nothing: apps receive notifications on their sockets, and read the list.

use futures_util::future::{BoxFuture, FutureExt, ready};

use super::{device::PushDevice, error::PushError, message::PushMessage, provider::Push};

/// Logs that a push of a kind was made, but no text, token or name.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogPush;

impl Push for LogPush {
    fn push<'a>(
        &'a self,
        device: &'a PushDevice,
        message: &'a PushMessage,
    ) -> BoxFuture<'a, Result<(), PushError>> {
        tracing::info!(push.kind = message.kind, push.platform = %device.platform, "push made");
        ready(Ok(())).boxed()
    }
}
