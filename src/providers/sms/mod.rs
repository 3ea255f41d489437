//! Text messages.

mod log;
mod number;
mod twilio;

use std::sync::Arc;

use futures_util::future::BoxFuture;

pub use log::LogSms;
pub use number::TextNumber;
pub use twilio::Twilio;

use crate::platform::settings::{Settings, SmsProvider};

/// Why a message was not handed over. The text holds neither number nor code nor link.
#[derive(Debug, thiserror::Error)]
pub enum SmsError {
    /// It was not taken: nothing goes out, and nothing has to be paid.
    #[error("the message could not be handed over: {0}")]
    NotTaken(String),
    /// Whether it was taken is unknown.
    #[error("the message could not be handed over: {0}")]
    Unknown(String),
}

impl SmsError {
    /// Whether the message certainly costs nothing.
    pub fn is_free(&self) -> bool {
        matches!(self, Self::NotTaken(_))
    }
}

/// Sends one-time passwords and links. An implementation has its own time limit, sends the same message twice at most, and
/// writes neither number nor code nor link anywhere.
pub trait SmsSender: Send + Sync + std::fmt::Debug {
    /// Hands over `code` for `to`. `Ok` means accepted for delivery, not delivered.
    fn send_otp<'a>(&'a self, to: &'a TextNumber, code: &'a str) -> BoxFuture<'a, Result<(), SmsError>>;

    /// Sends the owner of `to` the link to follow a job.
    fn send_share_link<'a>(
        &'a self,
        to: &'a TextNumber,
        link: &'a str,
    ) -> BoxFuture<'a, Result<(), SmsError>>;

    /// Tells the owner of `to` that an account has another number from now on.
    fn send_number_changed<'a>(&'a self, to: &'a TextNumber) -> BoxFuture<'a, Result<(), SmsError>>;
}

/// The provider that the settings name. Makes no request.
pub fn start(settings: &Settings) -> Result<Arc<dyn SmsSender>, SmsError> {
    Ok(match settings.sms.provider {
        SmsProvider::Log => Arc::new(LogSms),
        SmsProvider::Twilio => Arc::new(Twilio::start(&settings.sms)?),
    })
}
