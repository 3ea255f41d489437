//! Proves a person's identity by email, password and second factor.

use std::time::Duration;

use actix_web::web::block;
use chrono::TimeDelta;
use roadcall_http::{Email, Proof};
use roadcall_platform::error::{ApiError, ApiResult, Code, commit_error};
use sha2::{Digest, Sha256};
use tokio::{sync::SemaphorePermit, time::timeout};
use uuid::Uuid;

use super::{
    dto::PasswordText,
    password::{self, PasswordError},
    queries::{self, AccountRow},
    second_factor,
};
use crate::auth::{
    AuthContext,
    dto::TokenText,
    keys::{SealedFactor, reseal_one},
};

/// The longest wait of a login for its turn at hashing; after that the answer is 503.
const TURN: Duration = Duration::from_secs(3);

/// The source of tries for an email that are counted together: everybody, or a device that has signed in with it
/// before.
#[derive(Debug)]
pub struct Guesser {
    key: Vec<u8>,
    device: Option<Uuid>,
}

impl Guesser {
    pub fn of(context: &AuthContext, email: &Email, device_token: Option<&TokenText>) -> Self {
        let (email, now) = (email.0.to_ascii_lowercase(), context.clock.now());
        let keys = &context.auth.0.device_keys;
        let read = |token: &TokenText| keys.find(|key| key.read(&email, &token.0, now));
        let device = device_token.and_then(read);
        let own = device.map(|id| format!(" device {id}")).unwrap_or_default();
        Self { key: Sha256::digest(format!("{email}{own}")).to_vec(), device }
    }

    /// Returns the proof by which the device's requests are counted, if it has signed in with the email before.
    pub fn known_device(&self) -> Option<Proof> {
        self.device.map(Proof)
    }

    /// Issues a token by which the device is known from now on.
    pub fn device_token(&self, context: &AuthContext, email: &Email) -> String {
        let now = context.clock.now();
        let device = self.device.unwrap_or_else(|| context.random.id(now));
        let known_until = now + TimeDelta::seconds(context.auth.settings().device_token_ttl_s);
        context.auth.0.device_keys.current().issue(&email.0.to_ascii_lowercase(), device, known_until)
    }
}

/// Returns the account with this email, if the password is its own; 401 otherwise, the same after the same time for
/// an unknown email. 429 with the seconds to wait after too many tries. The try counts until [`passed`].
pub async fn by_password(
    context: &AuthContext,
    guesser: &Guesser,
    email: &Email,
    password: PasswordText,
) -> ApiResult<AccountRow> {
    count_try(context, guesser).await?;
    let account = queries::account(&context.db, &email.0, context.clock.now()).await?;
    let kept = account.as_ref().map(|account| account.password_hash.clone());
    let is_right = compare(context, password.0, kept).await?;
    let account = account.filter(|_| is_right);
    account.ok_or_else(|| ApiError::unauthorized("The email or the password is wrong."))
}

/// Asks for the second factor of an account that has one. Each code is accepted once.
pub async fn by_second_factor(
    context: &AuthContext,
    account: &AccountRow,
    code: Option<&str>,
) -> ApiResult<()> {
    if account.totp_confirmed_at.is_none() {
        return Ok(());
    }
    let code = code.ok_or_else(|| {
        ApiError::new(Code::SecondFactorRequired, "Enter the six-digit code from your authenticator app.")
    })?;
    let secret = secret_of(context, account).ok_or_else(|| key_is_missing(account))?;
    let step = second_factor::step_of(&secret, code, context.clock.now());
    let is_taken = match step {
        Some(step) => queries::use_step(&context.db, &account.uid, step).await?,
        None => false,
    };
    if !is_taken {
        let wrong = "The code is wrong or has already been used. Wait for the next one.";
        return Err(ApiError::unauthorized(wrong));
    }
    keep_readable(context, account).await
}

/// Seals the second factor with the secret in use, if it was sealed with another accepted secret.
async fn keep_readable(context: &AuthContext, account: &AccountRow) -> ApiResult<()> {
    let keys = context.auth.factor_keys();
    if let (Some(sealed), false) = (&account.totp_secret, keys.accepted().is_empty()) {
        let factor = SealedFactor { uid: account.uid.clone(), totp_secret: sealed.clone() };
        reseal_one(&context.db, &context.random, keys, &factor).await?;
    }
    Ok(())
}

/// Returns 503 for the sign-in, and logs an error for the operator: with the secret back in the settings it works
/// again.
fn key_is_missing(account: &AccountRow) -> ApiError {
    tracing::error!(
        account = account.uid,
        "a second factor can't be read: put the secret that sealed it back into auth.accepted_token_secrets; `roadcall keys \
        check` says which"
    );
    let message = "Your second factor can't be checked right now: a key is missing from the service's settings. Tell the operator \
        of this service.";
    ApiError::new(Code::Unavailable, message).retry_after(60)
}

/// Refuses an account without a second factor, if every admin has to have one and there was time to set it up. They
/// can still set it up: that takes the password alone.
pub fn has_needed_factor(context: &AuthContext, account: &AccountRow) -> ApiResult<()> {
    let admin = context.auth.admin_settings();
    let until = account.updated_at + TimeDelta::seconds(admin.second_factor_grace_s);
    let may_go_without =
        !admin.second_factor_required || account.totp_confirmed_at.is_some() || context.clock.now() < until;
    let message = "Admins sign in with a second factor here. Set it up, then sign in.";
    if may_go_without { Ok(()) } else { Err(ApiError::new(Code::SecondFactorMissing, message)) }
}

/// Returns the secret of the account's second factor, confirmed or not.
pub fn secret_of(context: &AuthContext, account: &AccountRow) -> Option<Vec<u8>> {
    let sealed = account.totp_secret.as_deref()?;
    context.auth.factor_keys().find(|key| key.open(&account.uid, sealed))
}

/// Resets the count of tries, since password and code were right.
pub async fn passed(context: &AuthContext, guesser: &Guesser) -> ApiResult<()> {
    Ok(queries::forget_tries(&context.db, &guesser.key).await?)
}

/// Counts a try before the password is compared, so that parallel tries have no advantage over sequential ones.
async fn count_try(context: &AuthContext, guesser: &Guesser) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let before = queries::lock_tries(&mut tx, &guesser.key, now).await?;
    let after = before.one_more(now).map_err(ApiError::rate_limited)?;
    queries::store_tries(&mut tx, &guesser.key, after).await?;
    tx.commit().await.map_err(commit_error)?;
    if after.is_slowest() {
        tracing::warn!(tries = after.tries, "someone keeps trying passwords for one email");
    }
    Ok(())
}

/// Waits for a turn at hashing, which takes memory and time.
async fn turn(context: &AuthContext) -> ApiResult<SemaphorePermit<'_>> {
    let turn = timeout(TURN, context.auth.password_slots().acquire()).await.map_err(ApiError::unavailable)?;
    turn.map_err(ApiError::internal)
}

async fn compare(context: &AuthContext, password: String, kept: Option<String>) -> ApiResult<bool> {
    let _turn = turn(context).await?;
    let compared = block(move || password::matches(&password, kept.as_deref())).await;
    compared.map_err(ApiError::unavailable)
}

/// Hashes a new password; 422 if it is easy to guess.
pub async fn hashed(context: &AuthContext, password: String, email: &str) -> ApiResult<String> {
    let _turn = turn(context).await?;
    password::hash_password(password, email.to_owned()).await.map_err(|refusal| match refusal {
        PasswordError::Length | PasswordError::Guessable => {
            ApiError::invalid("password", refusal.to_string())
        }
        PasswordError::Hash(_) => ApiError::internal(refusal),
    })
}
