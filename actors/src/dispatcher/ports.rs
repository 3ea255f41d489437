//! What the dispatcher needs from the service.

use std::fmt;

use super::explain::Explanation;

/// Where decisions are explained.
pub trait ExplanationLog: fmt::Debug + Send + Sync + 'static {
    /// Keeps why a job was, or was not, offered to whom; may be delayed and may be lost in a crash.
    fn record_explanation(&self, explanation: Explanation);
}
