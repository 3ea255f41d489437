//! Mail.

mod address;
mod error;
mod handing_over;
mod log;
mod message;
mod sender;
mod settings;
mod smtp;

use std::sync::Arc;

use roadcall_base::clock::Clock;
use roadcall_platform::settings::Environment;

pub use address::MailAddress;
pub use error::MailError;
pub use log::LogMail;
pub use message::{Attachment, MailMessage};
pub use sender::MailSender;
pub use settings::{MailProvider, MailSettings, MailTls};
pub use smtp::SmtpMail;

/// The mail sender that the settings choose. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Mail(Option<Arc<dyn MailSender>>);

impl Mail {
    /// Chooses the sender. Makes no connection.
    pub fn start(
        settings: &MailSettings,
        environment: Environment,
        clock: &Clock,
    ) -> Result<Self, MailError> {
        Ok(Self(match settings.provider_in(environment) {
            MailProvider::Off => None,
            MailProvider::Log => Some(Arc::new(LogMail)),
            MailProvider::Smtp => Some(Arc::new(SmtpMail::start(settings, clock)?)),
        }))
    }

    /// Returns whether mail is sent at all.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Returns whether the mail server failed a moment ago and is being left alone.
    pub fn is_resting(&self) -> bool {
        self.0.as_ref().is_some_and(|sender| sender.is_resting())
    }

    /// Hands a mail over.
    pub async fn send(&self, message: &MailMessage) -> Result<(), MailError> {
        match &self.0 {
            Some(sender) => sender.send(message).await,
            None => Err(MailError::Refused("no mail is sent here".to_owned())),
        }
    }
}
