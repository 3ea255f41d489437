//! "Where are you?": an admin on the phone with a stranded person sends them a link, with which they share their place. They need
//! no account and no app, and may correct the place until the admin takes it.
//!
//! The link contains a short code, which can be read out; we store its HMAC. The link reveals nothing about anybody, and ends
//! after half an hour.

mod actions;
mod audited;
mod code;
mod dto;
pub(super) mod handlers;
mod queries;
mod state;

pub use actions::{OPEN_FOR, sweep};
