//! Identity providers: who an admin is, proven by an ID token (OpenID Connect Core 1.0, section 2).

mod code_flow;
mod discovery;
mod id_token;
mod jwks;
mod local;
mod model;
mod published;

pub use code_flow::{CodeFlow, CodeFlowError, CodeFlowSettings, ProviderAnswer, SignInSecrets};
pub use discovery::try_issuer;
pub use id_token::Expected;
pub use jwks::JwksVerifier;
pub use local::LocalProvider;
pub use model::{Identity, IdentityError, IdentityVerifier};
pub use published::ProviderFault;
