//! The devices that notifications are pushed to, and their owners' choice of topics.

pub mod queries;
