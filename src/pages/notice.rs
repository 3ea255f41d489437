use std::fmt::Debug;

/// Knows from memory which privacy notice holds.
pub trait NoticeSource: Debug + Send + Sync {
    /// Its version; `None` while none is published.
    fn version(&self) -> Option<i64>;
}
