//! Signing in at the embedded provider, and setting up a second factor there.

use roadcall_http::Email;
use roadcall_platform::error::{ApiError, ApiResult, Code, commit_error};
use roadcall_providers::identity::Identity;

use super::{
    audited,
    dto::PasswordText,
    proof::{self, Guesser},
    provider::provider,
    queries::{self, AccountRow},
    second_factor,
};
use crate::auth::AuthContext;

/// Issues an ID token for the holder of an email and its password, with a code if the account has a second factor.
pub async fn issue_id_token(
    context: &AuthContext,
    guesser: &Guesser,
    email: &Email,
    password: PasswordText,
    code: Option<&str>,
) -> ApiResult<String> {
    let provider = provider(context)?;
    let account = proof::by_password(context, guesser, email, password).await?;
    proof::by_second_factor(context, &account, code).await?;
    proof::passed(context, guesser).await?;
    proof::has_needed_factor(context, &account)?;
    let identity = Identity {
        uid: account.uid,
        email: account.email,
        email_verified: account.email_verified,
        account_version: Some(account.updated_at.timestamp_micros()),
        roles: Vec::new(),
    };
    provider.issue(&identity, context.clock.now()).map_err(ApiError::internal)
}

/// Makes the secret of a second factor, which sign-in asks for once it is confirmed. Returns the secret as text, and
/// as a link for an app.
pub async fn begin_second_factor(
    context: &AuthContext,
    guesser: &Guesser,
    email: &Email,
    password: PasswordText,
) -> ApiResult<(String, String)> {
    let account = proof::by_password(context, guesser, email, password).await?;
    let (secret, nonce) = (context.random.bytes(), context.random.bytes());
    let sealed = context.auth.factor_keys().current().seal(&account.uid, secret, nonce);
    if !queries::keep_unconfirmed_factor(&context.db, &account.uid, &sealed).await? {
        return Err(has_one());
    }
    proof::passed(context, guesser).await?;
    second_factor::shown(&secret, &account.email, &context.settings.operator.brand)
        .map_err(|why| ApiError::internal(why.to_string()))
}

/// Confirms a second factor with a code of the app.
pub async fn confirm_second_factor(
    context: &AuthContext,
    guesser: &Guesser,
    email: &Email,
    password: PasswordText,
    code: &str,
) -> ApiResult<()> {
    let account = proof::by_password(context, guesser, email, password).await?;
    if account.totp_confirmed_at.is_some() {
        return Err(has_one());
    }
    let secret = proof::secret_of(context, &account)
        .ok_or_else(|| ApiError::new(Code::Conflict, "Set up a second factor first."))?;
    let step = second_factor::step_of(&secret, code, context.clock.now());
    let step = step.ok_or_else(|| ApiError::invalid("code", "does not match the code your app shows now"))?;
    commit_confirmation(context, &account, step).await?;
    proof::passed(context, guesser).await
}

async fn commit_confirmation(context: &AuthContext, account: &AccountRow, step: i64) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    if !queries::confirm_factor(&mut tx, account, step, now).await? {
        return Err(ApiError::new(
            Code::Conflict,
            "The second factor was changed meanwhile. Set it up again.",
        ));
    }
    audited::confirmed(&mut tx, &context.random, &account.uid, now).await?;
    tx.commit().await.map_err(commit_error)
}

fn has_one() -> ApiError {
    let why = "This account has a second factor. If you lost it, ask a super-admin to reset it.";
    ApiError::new(Code::Conflict, why)
}
