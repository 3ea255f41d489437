//! The provider for development: it sends nothing.

use async_trait::async_trait;

use super::{MailError, MailMessage, MailSender};

/// Logs that a mail was sent, but neither its text nor its recipient.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogMail;

#[async_trait]
impl MailSender for LogMail {
    async fn send(&self, message: &MailMessage) -> Result<(), MailError> {
        tracing::info!(mail.id = %message.id, mail.kind = message.kind, "mail sent");
        Ok(())
    }

    fn is_resting(&self) -> bool {
        false
    }
}
