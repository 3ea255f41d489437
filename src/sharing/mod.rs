//! What people share with others: ratings, and links to a job.

pub mod ratings;
pub mod shares;
