use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::published::ProviderFault;

/// A token's holder, as a genuine ID token describes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The provider's permanent name for the account (`sub`).
    pub uid: String,
    /// The email address, with its ASCII letters in lower case.
    pub email: String,
    pub email_verified: bool,
    /// When the account's password was set, in microseconds since 1970: always in tokens of the embedded provider, never in
    /// others. A new password, or deleting the account, makes the token void.
    pub account_version: Option<i64>,
    /// The values of the claim that names the admins, if the settings name one.
    pub roles: Vec<String>,
}

/// Why an ID token was refused.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// The fault is in the token.
    #[error("the ID token is not valid: {0}")]
    Invalid(String),
    /// The fault is the provider's: its keys can't be read.
    #[error("the identity provider's keys can't be read: {0}")]
    Provider(#[from] ProviderFault),
}

/// Reads ID tokens: all need a signature by a key of the provider with that key's own algorithm (never a symmetric one), the
/// issuer, the audience and the expiry.
#[async_trait]
pub trait IdentityVerifier: Send + Sync + std::fmt::Debug {
    async fn verify(&self, id_token: &str, now: DateTime<Utc>) -> Result<Identity, IdentityError>;
}
