use roadcall_platform::{core::Core, worker::Wakeup};

use super::current::CurrentJobStop;

/// The shared parts with which admins change a stop.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct JobStopsContext {
    #[deref]
    pub core: Core,
    pub current: CurrentJobStop,
    /// Makes every server read the newest version again.
    pub changed: Wakeup,
}
