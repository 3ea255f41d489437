//! Policies that can be changed while the engine runs.

use std::sync::{Arc, PoisonError, RwLock};

use crate::settings::{MatchingPolicy, SearchPolicy, Tuning};

/// The policies that hold now.
#[derive(Debug)]
pub(crate) struct CurrentPolicies(RwLock<Policies>);

#[derive(Debug)]
struct Policies {
    matching: Arc<MatchingPolicy>,
    search: Option<SearchPolicy>,
}

impl CurrentPolicies {
    pub(crate) fn new(matching: MatchingPolicy) -> Self {
        Self(RwLock::new(Policies { matching: Arc::new(matching), search: None }))
    }

    /// Returns how jobs are matched with mechanics now.
    pub(crate) fn matching(&self) -> Arc<MatchingPolicy> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).matching.clone()
    }

    /// Passes the current search policy to `read`: `None` until [`Self::set`] was called, so that jobs keep the
    /// policy with which they were created.
    pub(crate) fn with_search<T>(&self, read: impl FnOnce(Option<&SearchPolicy>) -> T) -> T {
        read(self.0.read().unwrap_or_else(PoisonError::into_inner).search.as_ref())
    }

    pub(crate) fn set(&self, Tuning { search, matching }: Tuning) {
        let policies = Policies { matching: Arc::new(matching), search: Some(search) };
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = policies;
    }
}
