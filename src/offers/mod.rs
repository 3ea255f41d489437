//! Offers of jobs to mechanics, and their answers.
//!
//! The job's actor decides on an answer, and the database guards the decision. This area finds the caller's own offer
//! and passes the answer on, over HTTP and sockets alike.

pub mod actions;
mod dto;
mod handlers;
pub mod job_hook;
mod lookup;
mod outcome;
pub(crate) mod queries;

pub use actions::{accept, decline, revoke_of};
pub use dto::{Offer, OfferStatus, OfferedJob};
pub use lookup::{newest_of, of_job, own, pending_of};
pub use queries::JobOfferRow;

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::list_my_offers)
        .service(handlers::get_offer)
        .service(handlers::list_offer_photos)
        .service(handlers::see_offer)
        .service(handlers::accept_offer)
        .service(handlers::decline_offer);
}
