use crate::{
    platform::{core::Core, worker::Wakeup},
    providers::mail::{Mail, MailError},
};

/// Who sends mail, and what wakes the worker that does. Cheap to clone.
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

    /// Whether mail is sent at all. If not, nothing is written for it.
    pub fn are_sent(&self) -> bool {
        self.mail.is_on()
    }

    /// Call this after the commit of what [`post`](super::post) wrote.
    pub fn wake(&self) {
        self.wakeup.wake();
    }

    pub(super) async fn woken(&self) {
        self.wakeup.woken().await;
    }
}
