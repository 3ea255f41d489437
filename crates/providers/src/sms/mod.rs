//! Text messages.

mod encoding;
mod error;
mod handing_over;
mod http;
mod log;
mod message;
mod number;
mod sender;
mod settings;
mod twilio;

use std::sync::Arc;

use roadcall_platform::{error::ApiResult, settings::CoreSettings, telemetry};
use uuid::Uuid;

pub use encoding::segments;
pub use error::SmsError;
pub use http::HttpSms;
pub use log::LogSms;
pub use message::{TextKind, TextMessage};
pub use number::{ServedRegions, TextNumber};
pub use sender::SmsSender;
pub use settings::{
    SMS_PLACEHOLDERS, SmsHttpContent, SmsHttpMethod, SmsHttpSettings, SmsProvider, SmsSettings, TEMPLATE_KEYS,
};
pub use twilio::Twilio;

/// The provider that the settings name, and the settings' texts. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Sms {
    sender: Arc<dyn SmsSender>,
    wording: Arc<Wording>,
    served: Arc<ServedRegions>,
    settings: Arc<SmsSettings>,
}

/// The texts of the settings.
#[derive(Debug)]
struct Wording {
    /// Contains `{code}`.
    otp: String,
    /// Contains `{link}`.
    share: String,
    number_changed: String,
    /// Contains `{link}`.
    place_request: String,
}

impl Sms {
    /// Starts the provider. Makes no request.
    pub fn start(sms: &SmsSettings, core: &CoreSettings) -> Result<Self, SmsError> {
        let sender: Arc<dyn SmsSender> = match sms.provider {
            SmsProvider::Log => Arc::new(LogSms),
            SmsProvider::Twilio => Arc::new(Twilio::start(sms)?),
            SmsProvider::Http => Arc::new(HttpSms::start(sms)?),
        };
        let branded = |text: &str| text.replace("{brand}", &core.operator.brand);
        let wording = Wording {
            otp: branded(&sms.otp_text),
            share: branded(&sms.share_text),
            number_changed: branded(&sms.number_changed_text),
            place_request: branded(&sms.where_text),
        };
        let served = Arc::new(ServedRegions::of(sms, core));
        Ok(Self { sender, wording: Arc::new(wording), served, settings: Arc::new(sms.clone()) })
    }

    /// Returns whether messages are sent at all; otherwise they go to the log.
    pub fn is_sent(&self) -> bool {
        self.settings.is_sent()
    }

    /// Returns whether the text with that key can be sent: false if the gateway needs the id of a registered text, and there is
    /// none.
    pub fn may_send(&self, key: &str) -> bool {
        self.settings.may_send(key)
    }

    /// Returns the number that `phone`, in E.164, is for messages; 422 that blames `field` if none may go there.
    pub fn number(&self, field: &str, phone: &str) -> ApiResult<TextNumber> {
        TextNumber::of(&self.served, field, phone)
    }

    /// Sends `code` to the owner of `to`.
    pub async fn send_otp(&self, id: Uuid, to: &TextNumber, code: &str) -> Result<(), SmsError> {
        self.send_common(id, to, TextKind::Otp, self.wording.otp.replace("{code}", code)).await
    }

    /// Sends the owner of `to` the link to follow a job.
    pub async fn send_share_link(&self, id: Uuid, to: &TextNumber, link: &str) -> Result<(), SmsError> {
        self.send_common(id, to, TextKind::Share, self.wording.share.replace("{link}", link)).await
    }

    /// Asks the owner of `to` where they are.
    pub async fn send_place_request(&self, id: Uuid, to: &TextNumber, link: &str) -> Result<(), SmsError> {
        self.send_common(id, to, TextKind::Where, self.wording.place_request.replace("{link}", link)).await
    }

    /// Tells the owner of `to` that an account's number has changed.
    pub async fn send_number_changed(&self, id: Uuid, to: &TextNumber) -> Result<(), SmsError> {
        self.send_common(id, to, TextKind::NumberChanged, self.wording.number_changed.clone()).await
    }

    /// Sends any message.
    pub async fn send(&self, message: &TextMessage) -> Result<(), SmsError> {
        let sent = self.sender.send(message).await;
        let status = match &sent {
            Ok(()) => "taken",
            Err(SmsError::NotTaken(_)) => "refused",
            Err(SmsError::Unknown(_)) => "unknown",
        };
        telemetry::count_text_message(message.kind.as_str(), status);
        sent
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
