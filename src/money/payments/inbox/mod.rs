//! The inbox of the gateway's webhooks: they are stored once, answered, then processed until that succeeds.
//!
//! Events that arrive together are stored in one statement, so that a burst costs few commits, and events that bring
//! nothing new are settled together, too. Of the others, most are written by a statement for several payments (`bookings/`), and the rest in
//! one transaction each, with its own row and those of the events that wait and are old after it. A failed event is retried with growing pauses, and after `gateway.inbox_attempts`
//! tries it is dead: admins see it, and can replay it.

mod body;
pub(super) mod dto;
pub(crate) mod queries;
mod reading;
mod store;
pub(super) mod worker;

pub use body::{SentEvent, read_event};
pub use queries::{EventRow, PendingEvent};
pub use reading::ReadEvent;
pub use store::{EventClaim, Inbox, NewEvent, Stored};
