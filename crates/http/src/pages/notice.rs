use std::fmt::Debug;

/// Knows from memory which privacy notice is in force.
pub trait NoticeSource: Debug + Send + Sync {
    /// Returns the notice's version; `None` while no notice is published.
    fn version(&self) -> Option<i64>;
}
