//! The dispatcher's port to the service.

use std::fmt;

use super::explain::Explanation;

/// The log of decisions and their reasons.
pub trait ExplanationLog: fmt::Debug + Send + Sync + 'static {
    /// Records why each mechanic was, or was not, offered a job. Records may be delayed, and may be lost in a
    /// crash.
    fn record_explanation(&self, explanation: Explanation);
}
