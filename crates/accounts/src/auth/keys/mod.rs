//! The remaining needs for the service's secrets: which secrets servers started with, and which ones seal second
//! factors.

mod queries;

use chrono::{DateTime, Utc};
use roadcall_base::random::Random;
use roadcall_platform::{db::Db, keys::KeyRing};

pub use self::queries::SealedFactor;
use super::{
    idp::FactorKey,
    secrets::{KeyId, ServerSecrets},
};

/// Second factors that one statement reads.
const AT_ONCE: i64 = 500;
/// Earlier secrets whose names are remembered.
const REMEMBERED: i64 = 50;

/// The times when servers started with a secret as the one in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsedKey {
    pub id: KeyId,
    pub first_started_at: DateTime<Utc>,
    pub last_started_at: DateTime<Utc>,
}

/// The second factors, counted by the secret that opens them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedFactors {
    /// The number of second factors that each secret has sealed, the secret in use first.
    pub by_secret: Vec<usize>,
    /// The accounts whose second factor no secret opens.
    pub unreadable: Vec<String>,
}

/// Returns the keys that seal second factors.
pub fn factor_keys(secrets: &ServerSecrets) -> KeyRing<FactorKey> {
    secrets.keys("second factors").map(|key| FactorKey::new(*key))
}

/// Notes that a server starts with this secret, and logs an error if a second factor needs a secret that is not in
/// the settings.
pub(super) async fn note_start(db: &Db, secrets: &ServerSecrets, now: DateTime<Utc>) -> sqlx::Result<()> {
    queries::note_start(db, &secrets.0.current().id().0, now).await?;
    queries::trim(db, REMEMBERED).await?;
    let unreadable = sealed_factors(db, secrets).await?.unreadable;
    if !unreadable.is_empty() {
        let missing: Vec<String> = missing(db, secrets).await?.iter().map(|key| key.id.to_string()).collect();
        tracing::error!(
            accounts = unreadable.len(),
            earlier_keys = missing.join(" "),
            "second factors can't be read: put the secret that sealed them back into auth.accepted_token_secrets; \
            `roadcall keys check` says more"
        );
    }
    Ok(())
}

/// Returns the secrets that servers started with, the last one first.
pub async fn used(db: &Db) -> sqlx::Result<Vec<UsedKey>> {
    let used = queries::newest(db, REMEMBERED).await?.into_iter().filter_map(|row| {
        let id = KeyId(row.id.try_into().ok()?);
        Some(UsedKey { id, first_started_at: row.first_started_at, last_started_at: row.last_started_at })
    });
    Ok(used.collect())
}

/// Returns the secrets that servers started with and the settings no longer have.
pub async fn missing(db: &Db, secrets: &ServerSecrets) -> sqlx::Result<Vec<UsedKey>> {
    let mut used = used(db).await?;
    used.retain(|key| secrets.0.all().all(|secret| secret.id() != key.id));
    Ok(used)
}

/// Finds the secret that opens each second factor.
pub async fn sealed_factors(db: &Db, secrets: &ServerSecrets) -> sqlx::Result<SealedFactors> {
    let keys = factor_keys(secrets);
    let mut found = SealedFactors { by_secret: vec![0; keys.all().count()], unreadable: Vec::new() };
    let mut after = String::new();
    loop {
        let page = queries::sealed_factors(db, &after, AT_ONCE).await?;
        let Some(last) = page.last() else { return Ok(found) };
        after.clone_from(&last.uid);
        for factor in page {
            match keys.all().position(|key| key.open(&factor.uid, &factor.totp_secret).is_some()) {
                Some(at) => found.by_secret[at] += 1,
                None => found.unreadable.push(factor.uid),
            }
        }
    }
}

/// Seals with the secret in use the second factors that another accepted secret has sealed; returns how many. Does
/// nothing while only one secret is accepted.
pub async fn reseal(db: &Db, random: &Random, keys: &KeyRing<FactorKey>) -> sqlx::Result<u64> {
    let (mut resealed, mut after) = (0, String::new());
    if keys.accepted().is_empty() {
        return Ok(resealed);
    }
    loop {
        let page = queries::sealed_factors(db, &after, AT_ONCE).await?;
        let Some(last) = page.last() else { return Ok(resealed) };
        after.clone_from(&last.uid);
        for factor in &page {
            resealed += u64::from(reseal_one(db, random, keys, factor).await?);
        }
    }
}

/// Seals one second factor with the secret in use; returns false if that secret has already sealed it, if no secret
/// opens it, or if it changed meanwhile.
pub(super) async fn reseal_one(
    db: &Db,
    random: &Random,
    keys: &KeyRing<FactorKey>,
    factor: &SealedFactor,
) -> sqlx::Result<bool> {
    let open = |key: &FactorKey| key.open(&factor.uid, &factor.totp_secret);
    if open(keys.current()).is_some() {
        return Ok(false);
    }
    let secret = keys.accepted().iter().find_map(open).and_then(|secret| secret.try_into().ok());
    match secret {
        Some(secret) => {
            let sealed = keys.current().seal(&factor.uid, secret, random.bytes());
            queries::keep_sealed(db, factor, &sealed).await
        }
        None => Ok(false),
    }
}
