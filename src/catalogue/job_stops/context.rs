use std::ops::Deref;

use super::current::CurrentJobStop;
use crate::platform::{core::Core, worker::Wakeup};

/// The shared parts with which admins change a stop.
#[derive(Debug, Clone)]
pub struct JobStopsContext {
    pub core: Core,
    pub current: CurrentJobStop,
    /// Makes every server read the newest version again.
    pub changed: Wakeup,
}

impl Deref for JobStopsContext {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}
