//! People's agreement to the privacy notice, and its withdrawal. What counts is with the account; what was is a row each, which stays
//! after the account has ended.

mod actions;
mod dto;
pub(super) mod handlers;
mod queries;

pub use actions::{newest_of, withdraw};
pub use dto::ConsentRecord;
