//! Begins a sign-in at the provider, and identifies the person who comes back.

use roadcall_platform::error::{ApiError, ApiResult, Code};
use roadcall_providers::identity::{CodeFlow, CodeFlowError, Identity, ProviderAnswer, ProviderFault};

use super::{
    attempt::{SignInAttempt, TTL, not_begun},
    dto::{CompleteSignIn, SignInBegun},
};
use crate::auth::{AuthContext, with_verified_email};

/// Seconds to wait before another attempt at a provider that can't be reached.
const AGAIN_S: u64 = 5;

/// Begins a sign-in. Returns the page on which it continues, and the value that the browser keeps of it.
pub(super) async fn begin(context: &AuthContext) -> ApiResult<(SignInBegun, String)> {
    let flow = flow(context)?;
    let (now, key) = (context.clock.now(), context.auth.0.attempt_keys.current());
    let attempt = SignInAttempt::new(context.random.bytes());
    let url = flow.sign_in_url(&key.secrets(&attempt), now).await.map_err(refusal)?;
    let begun = SignInBegun { authorization_url: url.to_string(), expires_in: TTL.num_seconds() };
    Ok((begun, key.kept(&attempt, now + TTL)))
}

/// Returns the identity of the person who came back from the provider to the browser that began this sign-in.
pub async fn provider_identity(
    context: &AuthContext,
    attempt: Option<SignInAttempt>,
    answer: &CompleteSignIn,
) -> ApiResult<Identity> {
    let flow = flow(context)?;
    let attempt = attempt.ok_or_else(not_begun)?;
    let keys = &context.auth.0.attempt_keys;
    let key = keys.find(|key| key.is_state_of(&attempt, &answer.state.0).then_some(key));
    let key = key.ok_or_else(not_begun)?;
    let given =
        ProviderAnswer { code: &answer.code.0, issuer: answer.iss.as_ref().map(|issuer| issuer.0.as_str()) };
    let identity = flow.identify(&key.secrets(&attempt), given, context.clock.now()).await;
    with_verified_email(identity.map_err(refusal)?)
}

/// Returns the page on which people sign out at the provider.
pub async fn sign_out_url(context: &AuthContext) -> Option<String> {
    let url = context.auth.0.code_flow.as_ref()?.sign_out_url(context.clock.now()).await;
    url.map(Into::into)
}

/// Returns the flow; 404 if admins sign in with a password.
fn flow(context: &AuthContext) -> ApiResult<&CodeFlow> {
    context.auth.0.code_flow.as_ref().ok_or_else(|| ApiError::not_found("route"))
}

fn refusal(error: CodeFlowError) -> ApiError {
    let refusal = match &error {
        CodeFlowError::Provider(ProviderFault::Unreachable(_)) => {
            let message = "The identity provider can't be reached right now. Try again.";
            ApiError::new(Code::Unavailable, message).retry_after(AGAIN_S)
        }
        CodeFlowError::Provider(ProviderFault::Unusable(_)) => {
            let message = "The identity provider's answer can't be used. Tell whoever runs this service.";
            ApiError::new(Code::ProviderError, message)
        }
        CodeFlowError::ClientRefused(why) => {
            let message = format!(
                "The identity provider does not accept this service ({why}). Tell whoever runs this service."
            );
            ApiError::new(Code::ProviderError, message)
        }
        CodeFlowError::CodeRefused => ApiError::unauthorized(
            "The identity provider no longer accepts this sign-in: it took too long, or was used before. Sign in again.",
        ),
        CodeFlowError::Invalid(_) => {
            ApiError::unauthorized("The identity provider's answer is not valid. Sign in again.")
        }
    };
    refusal.caused_by(error)
}
