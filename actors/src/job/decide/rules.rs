//! The inputs of decisions besides the job. Pure data.

use crate::settings::{FeePolicy, JobPolicy};

/// The settings that rules read.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    pub jobs: &'a JobPolicy,
    pub fees: &'a FeePolicy,
}
