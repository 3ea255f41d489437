use std::ops::Deref;

use super::current::CurrentJobStop;
use crate::platform::{core::Core, worker::Wakeup};

/// What admins change a stop with.
#[derive(Debug, Clone)]
pub struct JobStopsContext {
    pub core: Core,
    pub current: CurrentJobStop,
    /// Has every server read the newest version again.
    pub changed: Wakeup,
}

impl Deref for JobStopsContext {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}
