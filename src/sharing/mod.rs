//! What people give others to see: ratings, and links to a job.

pub mod ratings;
pub mod shares;
