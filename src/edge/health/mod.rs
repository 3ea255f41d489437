//! Whether the process is alive, whether it is ready to serve, and what it measures.

mod dto;
mod handlers;

pub use dto::{Ready, ReadyStatus};
pub use handlers::alive;

use std::sync::atomic::{AtomicBool, Ordering};

use utoipa_actix_web::service_config::ServiceConfig;

pub fn routes(config: &mut ServiceConfig) {
    config.service(handlers::health);
    config.service(handlers::ready);
    config.service(handlers::metrics);
}

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
