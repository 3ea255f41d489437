use std::sync::atomic::{AtomicBool, Ordering};

/// The progress of the start.
#[derive(Debug, Default)]
pub struct Readiness {
    recovered: AtomicBool,
}

impl Readiness {
    /// Notes that every open job and live offer has its actor again.
    pub fn set_recovered(&self) {
        self.recovered.store(true, Ordering::Release);
    }

    pub fn is_recovered(&self) -> bool {
        self.recovered.load(Ordering::Acquire)
    }
}
