//! How well the service serves an organisation.

mod dto;
pub mod handlers;
mod queries;
