//! How a provider that moves money fails.

/// Why a call did not succeed. The kinds differ in whether the call may have happened all the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The provider refused: the call did not happen, and the same call would be refused again.
    #[error("refused by the provider: {code}: {description}")]
    Refused { code: String, description: String },
    /// The call surely did not happen (no connection, a request to slow down): the same call may succeed later.
    #[error("the provider can't be reached: {0}")]
    Unavailable(String),
    /// There was no answer, or an inconclusive one (a timeout, a cut connection, 5xx, an unreadable body): the call may have
    /// happened. Look, or call again under the same idempotency key.
    #[error("it is not known whether the provider did it: {0}")]
    Unknown(String),
}
