use crate::{
    accounts::auth::{AuthState, TokenMaker},
    jobs::JobsContext,
};

/// The shared parts that trackers use.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct TrackersContext {
    #[deref]
    pub jobs: JobsContext,
    pub tokens: TokenMaker,
}

impl TrackersContext {
    pub fn new(jobs: JobsContext, auth: &AuthState) -> Self {
        Self { jobs, tokens: auth.tokens_made().clone() }
    }
}
