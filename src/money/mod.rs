//! What customers owe and pay, and what mechanics earn.

pub mod disputes;
pub mod no_shows;
pub mod payments;
pub mod settings;
pub mod tow_reviews;
pub mod wallet;
