//! What admins do to people, and the trail of what admins did.

pub mod audit;
mod queries;
