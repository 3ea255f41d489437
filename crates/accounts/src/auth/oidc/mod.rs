//! Signing in to the console at an identity provider of the operator's own (OpenID Connect). The service keeps
//! nothing of a sign-in that continues there: the browser that began it has a cookie (`attempt.rs`) and brings it
//! back with the provider's code. An area above decides who may then sign in (`lifecycle/admins`).

mod actions;
mod attempt;
mod dto;
mod handlers;

use roadcall_http::Routes;

pub use actions::{provider_identity, sign_out_url};
pub use attempt::{AttemptKey, SignInAttempt, TTL};
pub use dto::{CompleteSignIn, SignInCompleted};
pub use handlers::attempt_of;

pub fn routes(config: &mut Routes) {
    config.service(handlers::begin_admin_sign_in);
}
