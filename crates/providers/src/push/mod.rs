//! Pushes to phones and browsers.

mod device;
mod error;
mod fcm;
mod log;
mod message;
mod provider;
mod retry_after;
mod settings;
pub mod web_push;

use roadcall_base::{clock::Clock, random::Random};
use roadcall_platform::{keys::KeyRing, settings::CoreSettings};

pub use device::{Platform, PushDevice};
pub use error::{PushError, PushStartError};
pub use fcm::Fcm;
pub use log::LogPush;
pub use message::PushMessage;
pub use provider::Push;
pub use settings::{PushProvider, PushSettings};

use self::web_push::WebPush;

/// Pushes by the way that suits the device: to apps by the provider that the settings name, to browsers by Web Push.
#[derive(Debug)]
pub struct Pushes {
    apps: Box<dyn Push>,
    browsers: WebPush,
}

impl Pushes {
    /// Starts the providers; makes no request. Our own keys are derived from `seeds`.
    pub fn start(
        settings: &PushSettings,
        core: &CoreSettings,
        clock: &Clock,
        random: &Random,
        seeds: &KeyRing<[u8; 32]>,
    ) -> Result<Self, PushStartError> {
        let apps: Box<dyn Push> = match settings.provider {
            PushProvider::Log => Box::new(LogPush),
            PushProvider::Fcm => Box::new(Fcm::start(settings, core.is_production(), clock)?),
        };
        Ok(Self { apps, browsers: WebPush::start(settings, core, clock, random, seeds)? })
    }

    /// Pushes a message. `Ok` means accepted for delivery, not shown.
    pub async fn push(&self, device: &PushDevice, message: &PushMessage) -> Result<(), PushError> {
        match &device.keys {
            Some(keys) => self.browsers.push(device.owner, &device.token, keys, message).await,
            None => self.apps.push(device, message).await,
        }
    }

    /// Returns the key that browsers subscribe with (`applicationServerKey`), in base64url.
    pub fn web_key(&self) -> &str {
        self.browsers.public_key()
    }
}
