use std::sync::Arc;

use roadcall_platform::{core::Core, worker::Wakeup};

use crate::mail::{Mail, MailError, MailProvider, MailSettings};

/// The mail sender, and the wakeup of the worker that hands mail over. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Mails {
    pub mail: Mail,
    pub(super) settings: Arc<MailSettings>,
    /// The provider in use.
    provider: MailProvider,
    wakeup: Wakeup,
}

impl Mails {
    pub fn start(core: &Core, settings: &MailSettings) -> Result<Self, MailError> {
        let wakeup = Wakeup::anywhere(core.bus.as_ref(), "mails");
        let environment = core.settings.environment;
        let mail = Mail::start(settings, environment, &core.clock)?;
        let provider = settings.provider_in(environment);
        Ok(Self { mail, settings: Arc::new(settings.clone()), provider, wakeup })
    }

    /// Returns whether mails only go to the log.
    pub fn are_logged(&self) -> bool {
        self.provider == MailProvider::Log
    }

    /// Returns whether a mail server is asked to deliver.
    pub fn have_server(&self) -> bool {
        self.provider == MailProvider::Smtp
    }

    /// Returns how many test mails an admin may have sent in a day.
    pub fn tests_per_day(&self) -> i64 {
        self.settings.tests_per_day
    }

    /// Returns whether mail is sent at all. If not, nothing is queued.
    pub fn are_sent(&self) -> bool {
        self.mail.is_on()
    }

    /// Wakes the worker. Call this after the commit of what [`post`](super::post) wrote.
    pub fn wake(&self) {
        self.wakeup.wake();
    }

    pub(super) async fn woken(&self) {
        self.wakeup.woken().await;
    }
}
