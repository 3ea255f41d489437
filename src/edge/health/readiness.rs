use std::sync::atomic::{AtomicBool, Ordering};

/// How far the start has come.
#[derive(Debug, Default)]
pub struct Readiness {
    recovered: AtomicBool,
}

impl Readiness {
    /// Every open job and live offer has its actor again.
    pub fn set_recovered(&self) {
        self.recovered.store(true, Ordering::Release);
    }

    pub fn is_recovered(&self) -> bool {
        self.recovered.load(Ordering::Acquire)
    }
}
