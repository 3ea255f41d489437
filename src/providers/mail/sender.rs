use std::fmt;

use futures_util::future::BoxFuture;

use super::{MailError, MailMessage};

/// Hands mail over. An implementation has its own time limit and bound, sends a mail once, and writes neither address nor text
/// anywhere.
pub trait MailSender: Send + Sync + fmt::Debug {
    /// `Ok` means that a server has taken it, not that it was delivered.
    fn send<'a>(&'a self, message: &'a MailMessage) -> BoxFuture<'a, Result<(), MailError>>;

    /// Whether it would send nothing for the moment.
    fn is_resting(&self) -> bool;
}
