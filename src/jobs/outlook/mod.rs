//! The outlook for the customer of a job that is searching: shown with the job (`reading.rs`), and sent as a notification when
//! the search becomes long (`news.rs`, `actions.rs`).

mod actions;
mod dto;
mod news;
mod queries;
mod reading;

pub use actions::{keep_calibration, notify_due, sweep};
pub use dto::{Outlook, WaitReason};
pub use news::LongSearches;
pub use reading::{calibration, of_job};
