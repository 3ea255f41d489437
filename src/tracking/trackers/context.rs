use std::ops::Deref;

use crate::{
    accounts::auth::{AuthState, TokenMaker},
    jobs::JobsContext,
};

/// The shared parts that trackers use.
#[derive(Debug, Clone)]
pub struct TrackersContext {
    pub jobs: JobsContext,
    pub tokens: TokenMaker,
}

impl TrackersContext {
    pub fn new(jobs: JobsContext, auth: &AuthState) -> Self {
        Self { jobs, tokens: auth.tokens_made().clone() }
    }
}

impl Deref for TrackersContext {
    type Target = JobsContext;

    fn deref(&self) -> &JobsContext {
        &self.jobs
    }
}
