//! What goes on beside the requests.

mod housekeeping;
mod learning;

pub use housekeeping::housekeeping;
pub use learning::learning;
