use std::fmt;

use async_trait::async_trait;

use super::{MailError, MailMessage};

/// Hands mail over. An implementation has its own time limit and bound, sends each mail once, and writes neither the address nor
/// the text anywhere.
#[async_trait]
pub trait MailSender: Send + Sync + fmt::Debug {
    /// Hands a mail over. `Ok` means that a server has taken the mail, not that it was delivered.
    async fn send(&self, message: &MailMessage) -> Result<(), MailError>;

    /// Returns whether the sender would send nothing for the moment.
    fn is_resting(&self) -> bool;
}
