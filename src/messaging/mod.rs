//! How a job's two sides talk to each other.

pub mod calls;
pub mod chat;
pub mod guests;
