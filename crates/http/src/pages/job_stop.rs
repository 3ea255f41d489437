use std::fmt::Debug;

use chrono::{DateTime, Utc};

/// A stop of new jobs, as customers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StopNotice {
    /// The message in the admin's words.
    pub message: String,
    pub ends_at: Option<DateTime<Utc>>,
}

/// Knows from memory whether new jobs are taken.
pub trait StopSource: Debug + Send + Sync {
    fn notice(&self, now: DateTime<Utc>) -> Option<StopNotice>;
}
