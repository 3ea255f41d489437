//! People's agreement to the privacy notice, and its withdrawal. The version that counts is stored with the account;
//! the history is a row for each act, which stays after the account has ended.

mod actions;
mod dto;
pub(super) mod handlers;
mod queries;

pub use actions::{newest_of, withdraw};
pub use dto::ConsentRecord;
