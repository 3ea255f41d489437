//! Line items over HTTP: proposed by the mechanic at the vehicle, approved or rejected by the customer.
//!
//! The job's actor owns them (`actors/src/job/items.rs`); the handlers send it commands. Each change is an event in the
//! job's log that contains the item, so that the log can show every past version.

mod actions;
mod dto;
mod handlers;
pub mod job_hook;
mod logged;
pub(crate) mod queries;

pub use actions::{ItemDecision, current, decide, first_shape, propose_at_price};
pub use dto::{DecideLineItem, ItemDestination, LineItem};
pub use logged::{of_event, row_of, shown_data};

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::list_line_items)
        .service(handlers::add_line_item)
        .service(handlers::amend_line_item)
        .service(handlers::withdraw_line_item)
        .service(handlers::approve_line_item)
        .service(handlers::reject_line_item);
}
