//! The inbox of the gateway's webhooks: stored once, answered, then processed until that succeeds.
//!
//! Events that arrive together are stored in one statement, so that a burst costs few commits. An event is processed in one
//! transaction with its own row. A failed event is retried with growing pauses, and after `gateway.inbox_attempts` it is
//! dead: admins see it, and can replay it.

mod body;
pub(super) mod dto;
pub(crate) mod queries;
mod store;
pub(super) mod worker;

pub use body::{SentEvent, read_event};
pub use queries::EventRow;
pub use store::{EventClaim, Inbox, NewEvent, Stored};
