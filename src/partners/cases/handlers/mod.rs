//! The handlers of cases and their jobs, by caller.

pub mod admin;
pub mod cases;
pub mod jobs;
pub mod links;
pub mod steps;
