//! The vehicles of an organisation: listed, added one by one, and imported from a spreadsheet.

mod actions;
mod dto;
pub mod handlers;
mod queries;
mod reading;
