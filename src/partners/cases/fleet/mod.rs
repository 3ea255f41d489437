//! The vehicles and the drivers of an organisation: listed, added one by one, and imported from a spreadsheet.

mod actions;
pub mod drivers;
mod dto;
pub mod handlers;
mod queries;
mod reading;
