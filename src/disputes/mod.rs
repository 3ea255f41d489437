//! Disputes: somebody contests the work or its price, an admin has the last word.
//!
//! One per job, by its customer or its mechanic, within a while after the work. What it does to the job is decided by
//! the job's state machine, what it does to the money by payments; both, the dispute's row and the audit are one
//! transaction. Lock order: the job, then payments and what follows them.

mod admin;
mod dto;
mod handlers;
mod queries;
mod wallet;

use utoipa_actix_web::service_config::ServiceConfig;

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::dispute_job)
        .service(handlers::get_job_dispute)
        .service(wallet::list_my_disputes)
        .service(wallet::dispute_my_job)
        .service(wallet::get_my_dispute)
        .service(admin::list_disputes)
        .service(admin::resolve_dispute);
}
