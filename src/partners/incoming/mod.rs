//! Offers of clubs: cases that nobody has accepted yet.
//!
//! | where | what |
//! | --- | --- |
//! | `state/` | the stages of an offer (pure) |
//! | `actions.rs` | offering, answering, confirming, and what the time decides; each is one transaction for the case and its events |
//! | `handlers.rs` | the club's side |
//! | `admin.rs` | the dispatchers' side |
//!
//! An offer is a row of `partner_cases` with a moment at which it expires. The first request or worker (`workers/mod.rs`) that finds it
//! overdue ends it, so a restart changes nothing. The job is made after the club's confirmation was committed, under a key of the
//! case, so that a repeated confirmation makes it once, whatever happened in between.

mod actions;
mod admin;
mod audited;
mod dto;
mod handlers;
mod queries;
mod state;

pub use actions::expire_due;

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::offer_case)
        .service(handlers::get_offer)
        .service(handlers::withdraw_offer)
        .service(handlers::confirm_offer)
        .service(admin::list_waiting_offers)
        .service(admin::accept_offered_case)
        .service(admin::refuse_offered_case)
        .service(admin::ask_for_call);
}
