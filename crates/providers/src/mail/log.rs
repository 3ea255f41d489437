//! The provider for development: it sends nothing.

use futures_util::future::{BoxFuture, FutureExt, ready};

use super::{MailError, MailMessage, MailSender};

/// Logs that a mail was sent, but neither its text nor its recipient.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogMail;

impl MailSender for LogMail {
    fn send<'a>(&'a self, message: &'a MailMessage) -> BoxFuture<'a, Result<(), MailError>> {
        tracing::info!(mail.id = %message.id, mail.kind = message.kind, "mail sent");
        ready(Ok(())).boxed()
    }

    fn is_resting(&self) -> bool {
        false
    }
}
