use std::ops::Deref;

use roadcall_actors::EngineHandle;

use crate::{
    catalogue::dispatch_settings::DispatchConfig,
    jobs::{callbacks::OpenCallbacks, log::RecentEntries, outlook::LongSearches},
    notifications::NotifyContext,
    platform::hooks::Hooks,
};

/// What jobs need, and other areas that change a job in their own transaction.
#[derive(Debug, Clone)]
pub struct JobsContext {
    pub notify: NotifyContext,
    pub engine: EngineHandle,
    /// How jobs are dispatched now.
    pub dispatch: DispatchConfig,
    /// What else happens in a transaction that changes a job.
    pub hooks: Hooks,
    /// What was committed a moment ago.
    pub recent: RecentEntries,
    /// How many customers wait for a call.
    pub callbacks: OpenCallbacks,
    /// Whose search becomes long.
    pub searches: LongSearches,
}

impl Deref for JobsContext {
    type Target = NotifyContext;

    fn deref(&self) -> &NotifyContext {
        &self.notify
    }
}
