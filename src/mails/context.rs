use crate::{
    platform::{core::Core, worker::Wakeup},
    providers::mail::{Mail, MailError},
};

/// The mail sender, and the wakeup of the worker that hands mail over. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Mails {
    pub mail: Mail,
    wakeup: Wakeup,
}

impl Mails {
    pub fn start(core: &Core) -> Result<Self, MailError> {
        let wakeup = Wakeup::anywhere(core.bus.as_ref(), "mails");
        Ok(Self { mail: Mail::start(&core.settings, &core.clock)?, wakeup })
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
