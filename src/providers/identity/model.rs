use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;

use super::published::ProviderFault;

/// What a genuine ID token says of its holder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The provider's own, lasting name for the account (`sub`).
    pub uid: String,
    /// Its ASCII letters in lower case.
    pub email: String,
    pub email_verified: bool,
    /// Of the embedded provider alone, and then always there: when the account's password was set, in
    /// microseconds since 1970. Another password, or the account gone, and the token is void.
    pub account_version: Option<i64>,
    /// The values of the claim that says who is an admin, if the settings name one.
    pub roles: Vec<String>,
}

/// Why an ID token was not taken.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// The token is to blame.
    #[error("the ID token is not valid: {0}")]
    Invalid(String),
    /// The provider is to blame: its keys can't be had.
    #[error("the identity provider's keys can't be read: {0}")]
    Provider(#[from] ProviderFault),
}

/// Reads ID tokens: signature by a key of the provider with that key's own algorithm (never a symmetric one),
/// issuer, audience and expiry, all required.
pub trait IdentityVerifier: Send + Sync + std::fmt::Debug {
    fn verify<'a>(
        &'a self,
        id_token: &'a str,
        now: DateTime<Utc>,
    ) -> BoxFuture<'a, Result<Identity, IdentityError>>;
}
