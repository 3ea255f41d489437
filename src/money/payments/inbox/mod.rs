//! The inbox of the gateway's webhooks: stored once, answered, then dealt with however often that takes.
//!
//! Events that arrive together are stored in one statement, so that a burst costs few commits. An event is dealt with
//! in one transaction with its own row; what fails is tried again with growing pauses, and after
//! `gateway.inbox_attempts` it is dead: an admin sees it, and may have it replayed.

mod processing;
pub(crate) mod queries;
mod store;

pub use processing::{EventOutcome, process, process_inbox};
pub use queries::EventRow;
pub use store::{EventClaim, Inbox, NewEvent, Stored};
