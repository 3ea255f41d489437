//! The devices that notifications are pushed to, and which topics their owners want.

pub mod queries;
