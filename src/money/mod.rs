//! Money: the payments of customers, and the earnings of mechanics.

pub mod disputes;
pub mod no_shows;
pub mod payments;
pub mod settings;
pub mod tow_reviews;
pub mod wallet;
