//! What every request passes before a handler sees it, and what is answered without one.

pub mod health;
pub mod standby;
