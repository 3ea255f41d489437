//! Identity providers: who an admin is, proven by an ID token (OpenID Connect Core 1.0, section 2).

mod id_token;
mod jwks;
mod local;
mod model;

pub use id_token::Expected;
pub use jwks::JwksVerifier;
pub use local::LocalProvider;
pub use model::{Identity, IdentityError, IdentityVerifier};
