//! "Where are you?": an admin on the phone with somebody who is stranded sends them a link, and they share their place by it. They
//! need no account and no app, and may correct it until the admin takes it.
//!
//! The link holds a short code, which can be read out; we keep its HMAC. It shows nothing of anybody, and ends after half an hour.

mod actions;
mod audited;
mod code;
mod dto;
pub(super) mod handlers;
mod queries;
mod state;

pub use actions::{OPEN_FOR, sweep};
