//! Ratings, and links with which people share a job.

pub mod ratings;
pub mod shares;
