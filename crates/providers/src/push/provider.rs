use std::fmt;

use futures_util::future::BoxFuture;

use super::{device::PushDevice, error::PushError, message::PushMessage};

/// Hands messages to apps' push services. An implementation has its own time limit, tries once, and writes neither token nor text
/// anywhere.
pub trait Push: Send + Sync + fmt::Debug {
    /// Pushes a message. `Ok` means accepted for delivery, not shown.
    fn push<'a>(
        &'a self,
        device: &'a PushDevice,
        message: &'a PushMessage,
    ) -> BoxFuture<'a, Result<(), PushError>>;
}
