//! Jobs as admins find and read them, with the names and phone numbers of their people.

mod dto;
pub mod handlers;
mod queries;
