//! The liveness and readiness of the process, and its metrics.

mod dto;
mod handlers;
mod readiness;

pub use dto::{Ready, ReadyFor, ReadyStatus};
pub use handlers::alive;
pub use readiness::Readiness;

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config.service(handlers::health);
    config.service(handlers::ready);
    config.service(handlers::metrics);
}
