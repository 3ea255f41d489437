//! Offers of clubs: cases that nobody has accepted yet. `partners/club_offer` has their stages.
//!
//! | where | what |
//! | --- | --- |
//! | `actions.rs` | offering, answering, confirming, and what the time decides; each step is one transaction for the case and its events |
//! | `handlers.rs` | the club's side |
//! | `admin.rs` | the dispatchers' side |
//!
//! An offer is a row of `partner_cases` with a moment at which it expires. The first request or worker (`workers/mod.rs`) that finds it
//! overdue ends it, so a restart changes nothing. The job is made after the club's confirmation was committed, under a key of the
//! case. If the confirmation is cut off in between, a worker or a repeated confirmation makes it, once, or the offer expires at the
//! promised time.

mod actions;
mod admin;
mod audited;
mod dto;
mod handlers;
mod queries;

pub use actions::{complete_due, expire_due};

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::offer_case)
        .service(handlers::get_offered_case)
        .service(handlers::withdraw_offered_case)
        .service(handlers::confirm_offered_case)
        .service(admin::list_waiting_offers)
        .service(admin::accept_offered_case)
        .service(admin::refuse_offered_case)
        .service(admin::ask_club_for_call);
}
