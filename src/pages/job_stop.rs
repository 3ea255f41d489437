use std::fmt::Debug;

use chrono::{DateTime, Utc};

/// That no new jobs are taken, as customers learn it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StopNotice {
    /// In the admin's words.
    pub message: String,
    pub ends_at: Option<DateTime<Utc>>,
}

/// Knows from memory whether new jobs are taken.
pub trait StopSource: Debug + Send + Sync {
    fn notice(&self, now: DateTime<Utc>) -> Option<StopNotice>;
}
