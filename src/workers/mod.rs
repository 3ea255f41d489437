//! What goes on beside the requests.

mod housekeeping;

pub use housekeeping::housekeeping;
