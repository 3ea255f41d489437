//! Informs actors that the engine is stopping.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Tells whether the engine is stopping. Clones share one flag, which is never cleared.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shutdown(Arc<AtomicBool>);

impl Shutdown {
    pub(crate) fn begin(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Returns whether actors that start now have to end at once.
    pub(crate) fn has_begun(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
