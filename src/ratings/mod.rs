//! Ratings: what the two sides of a job think of each other.
//!
//! Each side rates the other once, within a while after the job was done. The mechanic's average moves in the transaction
//! of the rating, by whole numbers (`mechanics::count_rating`). Neither side sees the other's rating before it gave its own or
//! nobody may rate any more (`state.rs`). Lock order: the job, the rating, the mechanic's profile.

mod admin;
mod dto;
mod handlers;
mod queries;
mod state;

use utoipa_actix_web::service_config::ServiceConfig;

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::rate_job)
        .service(handlers::get_job_ratings)
        .service(handlers::list_mechanic_ratings)
        .service(admin::list_ratings)
        .service(admin::hide_rating);
}
