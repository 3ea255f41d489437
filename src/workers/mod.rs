//! What goes on beside the requests.

mod calls;
mod clearing;
mod housekeeping;
mod learning;
mod payouts;
mod watchers;

pub use calls::calls;
pub use clearing::clearing;
pub use housekeeping::housekeeping;
pub use learning::learning;
pub use payouts::payouts;
pub use watchers::watchers;
