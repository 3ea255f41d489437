//! Who somebody is by email, password and second factor.

use std::time::Duration;

use actix_web::web::block;
use sha2::{Digest, Sha256};
use tokio::{sync::SemaphorePermit, time::timeout};

use super::{
    dto::PasswordText,
    password::{self, PasswordError},
    queries::{self, AccountRow},
    second_factor,
};
use crate::{
    accounts::auth::AuthContext,
    http::Email,
    platform::error::{ApiError, ApiResult, Code, commit_error},
};

/// How long a login waits for its turn at hashing before it is told to come again.
const TURN: Duration = Duration::from_secs(3);

/// The account with this email, if the password is its own; 401 otherwise, the same after the same time for an unknown
/// email. 429 with the seconds after too many tries for this email. The try counts until [`passed`].
pub async fn by_password(
    context: &AuthContext,
    email: &Email,
    password: PasswordText,
) -> ApiResult<AccountRow> {
    count_try(context, email).await?;
    let account = queries::account(&context.db, &email.0, context.clock.now()).await?;
    let kept = account.as_ref().map(|account| account.password_hash.clone());
    let is_right = compare(context, password.0, kept).await?;
    let account = account.filter(|_| is_right);
    account.ok_or_else(|| ApiError::unauthorized("The email or the password is wrong."))
}

/// Asks for the second factor of an account that has one. Each code is taken once.
pub async fn by_second_factor(
    context: &AuthContext,
    account: &AccountRow,
    code: Option<&str>,
) -> ApiResult<()> {
    if account.totp_confirmed_at.is_none() {
        return Ok(());
    }
    let code = code.ok_or_else(|| {
        ApiError::new(Code::SecondFactorRequired, "Enter the six digits of your authenticator app.")
    })?;
    let secret = secret_of(context, account).ok_or_else(|| {
        ApiError::unauthorized("Your second factor is no longer valid. Ask a super-admin to reset it.")
    })?;
    let step = second_factor::step_of(&secret, code, context.clock.now());
    let is_taken = match step {
        Some(step) => queries::use_step(&context.db, &account.uid, step).await?,
        None => false,
    };
    let wrong = "The code is wrong or was used already. Wait for the next one.";
    if is_taken { Ok(()) } else { Err(ApiError::unauthorized(wrong)) }
}

/// The secret of the account's second factor, confirmed or not.
pub fn secret_of(context: &AuthContext, account: &AccountRow) -> Option<Vec<u8>> {
    let sealed = account.totp_secret.as_deref()?;
    context.auth.factor_key().open(&account.uid, sealed)
}

/// Everything was right: tries count from nothing again.
pub async fn passed(context: &AuthContext, email: &Email) -> ApiResult<()> {
    Ok(queries::forget_tries(&context.db, &hash(email)).await?)
}

/// Counted before the password is looked at, so that tries at once are no more than tries one after the other.
async fn count_try(context: &AuthContext, email: &Email) -> ApiResult<()> {
    let (now, hash) = (context.clock.now(), hash(email));
    let mut tx = context.db.begin().await?;
    let before = queries::lock_tries(&mut tx, &hash, now).await?;
    let after = before.one_more(now).map_err(ApiError::rate_limited)?;
    queries::store_tries(&mut tx, &hash, after).await?;
    tx.commit().await.map_err(commit_error)
}

fn hash(email: &Email) -> Vec<u8> {
    Sha256::digest(email.0.to_ascii_lowercase()).to_vec()
}

/// A turn at hashing, which takes memory and time.
async fn turn(context: &AuthContext) -> ApiResult<SemaphorePermit<'_>> {
    let turn = timeout(TURN, context.auth.password_slots().acquire()).await.map_err(ApiError::unavailable)?;
    turn.map_err(ApiError::internal)
}

async fn compare(context: &AuthContext, password: String, kept: Option<String>) -> ApiResult<bool> {
    let _turn = turn(context).await?;
    let compared = block(move || password::matches(&password, kept.as_deref())).await;
    compared.map_err(ApiError::unavailable)
}

/// The hash of a new password; 422 for one that is easy to guess.
pub async fn hashed(context: &AuthContext, password: String, email: &str) -> ApiResult<String> {
    let _turn = turn(context).await?;
    password::hash_password(password, email.to_owned()).await.map_err(|refusal| match refusal {
        PasswordError::Length | PasswordError::Guessable => {
            ApiError::invalid("password", refusal.to_string())
        }
        PasswordError::Hash(_) => ApiError::internal(refusal),
    })
}
