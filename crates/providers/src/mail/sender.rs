use std::fmt;

use futures_util::future::BoxFuture;

use super::{MailError, MailMessage};

/// Hands mail over. An implementation has its own time limit and bound, sends each mail once, and writes neither the address nor
/// the text anywhere.
pub trait MailSender: Send + Sync + fmt::Debug {
    /// Hands a mail over. `Ok` means that a server has taken the mail, not that it was delivered.
    fn send<'a>(&'a self, message: &'a MailMessage) -> BoxFuture<'a, Result<(), MailError>>;

    /// Returns whether the sender would send nothing for the moment.
    fn is_resting(&self) -> bool;
}
