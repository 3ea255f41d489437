//! Text messages.

mod encoding;
mod handing_over;
mod http;
mod log;
mod number;
mod twilio;

use std::{fmt, sync::Arc};

use futures_util::future::BoxFuture;
use uuid::Uuid;

pub use encoding::segments;
pub use http::HttpSms;
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

    /// What went wrong, in the words of the provider's answer: a status, a number of an error.
    pub fn reason(&self) -> &str {
        match self {
            Self::NotTaken(why) | Self::Unknown(why) => why,
        }
    }
}

/// What a text message says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    Otp,
    Share,
    NumberChanged,
    /// Of a job, and so on: a mechanic was found.
    Found,
    Arrived,
    /// The mechanic can't come.
    Released,
    Cancelled,
}

impl TextKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Otp => "otp",
            Self::Share => "share",
            Self::NumberChanged => "number_changed",
            Self::Found => "found",
            Self::Arrived => "arrived",
            Self::Released => "released",
            Self::Cancelled => "cancelled",
        }
    }

    /// How settings name the text in this language, and without one the text that is the same for everybody.
    pub fn key(self, language: Option<&str>) -> String {
        language.map_or_else(|| self.as_str().to_owned(), |language| format!("{}_{language}", self.as_str()))
    }
}

/// A text for a phone.
#[derive(Clone)]
pub struct TextMessage {
    /// Ours, the same in a repetition.
    pub id: Uuid,
    pub to: TextNumber,
    pub kind: TextKind,
    /// en, hi or kn, where the text is in the reader's language.
    pub language: Option<&'static str>,
    pub text: String,
}

impl fmt::Debug for TextMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextMessage").field("id", &self.id).field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// Hands text messages over. An implementation has its own time limit, sends the same message twice at most, and writes neither
/// number nor text anywhere.
pub trait SmsSender: Send + Sync + fmt::Debug {
    /// `Ok` means accepted for delivery, not delivered.
    fn send<'a>(&'a self, message: &'a TextMessage) -> BoxFuture<'a, Result<(), SmsError>>;
}

/// The provider that the settings name, and what they let messages say. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Sms {
    sender: Arc<dyn SmsSender>,
    wording: Arc<Wording>,
}

/// The texts that settings have.
#[derive(Debug)]
struct Wording {
    /// With `{code}` in it.
    otp: String,
    /// With `{link}` in it.
    share: String,
    number_changed: String,
}

impl Sms {
    /// Makes no request.
    pub fn start(settings: &Settings) -> Result<Self, SmsError> {
        let sms = &settings.sms;
        let sender: Arc<dyn SmsSender> = match sms.provider {
            SmsProvider::Log => Arc::new(LogSms),
            SmsProvider::Twilio => Arc::new(Twilio::start(sms)?),
            SmsProvider::Http => Arc::new(HttpSms::start(sms)?),
        };
        let wording = Wording {
            otp: sms.otp_text.clone(),
            share: sms.share_text.clone(),
            number_changed: sms.number_changed_text.clone(),
        };
        Ok(Self { sender, wording: Arc::new(wording) })
    }

    /// Hands over `code` for `to`.
    pub async fn send_otp(&self, id: Uuid, to: &TextNumber, code: &str) -> Result<(), SmsError> {
        self.send_common(id, to, TextKind::Otp, self.wording.otp.replace("{code}", code)).await
    }

    /// Sends the owner of `to` the link to follow a job.
    pub async fn send_share_link(&self, id: Uuid, to: &TextNumber, link: &str) -> Result<(), SmsError> {
        self.send_common(id, to, TextKind::Share, self.wording.share.replace("{link}", link)).await
    }

    /// Tells the owner of `to` that an account has another number from now on.
    pub async fn send_number_changed(&self, id: Uuid, to: &TextNumber) -> Result<(), SmsError> {
        self.send_common(id, to, TextKind::NumberChanged, self.wording.number_changed.clone()).await
    }

    /// Sends any message.
    pub async fn send(&self, message: &TextMessage) -> Result<(), SmsError> {
        self.sender.send(message).await
    }

    async fn send_common(
        &self,
        id: Uuid,
        to: &TextNumber,
        kind: TextKind,
        text: String,
    ) -> Result<(), SmsError> {
        self.send(&TextMessage { id, to: to.clone(), kind, language: None, text }).await
    }
}
