//! Chat and calls between a job's two sides.

pub mod calls;
pub mod chat;
pub mod guests;
