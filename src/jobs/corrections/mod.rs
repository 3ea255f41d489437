//! Lets a customer correct their job before a mechanic is on the way.

mod actions;
mod dto;
mod handlers;
pub mod job_hook;
mod queries;

use utoipa_actix_web::service_config::ServiceConfig;

pub fn routes(config: &mut ServiceConfig) {
    config.service(handlers::correct_job);
}
