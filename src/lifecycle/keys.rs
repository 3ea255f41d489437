//! Reports which of the service's secrets are still needed, for an operator who replaces one.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::random::Random;

use crate::{
    accounts::{
        auth::{
            KeyId, NamedSecrets, SecretError, ServerSecrets,
            keys::{self, UsedKey},
            oidc,
        },
        emails,
    },
    notifications, places,
    platform::db::Db,
};

/// The secrets of the settings, and what they are still needed for.
#[derive(Debug)]
pub struct KeyReport {
    /// The secrets, with the one in use first.
    pub secrets: Vec<SecretUse>,
    /// Accounts whose second factor can't be opened with any of them.
    pub unreadable: Vec<String>,
    /// Secrets that servers started with, and that are no longer in the settings; the last one first.
    pub missing: Vec<UsedKey>,
    /// The number of browsers that subscribed before the secret in use was introduced.
    pub older_browsers: i64,
}

/// One secret of the settings.
#[derive(Debug, PartialEq, Eq)]
pub struct SecretUse {
    pub id: KeyId,
    /// The setting that names the secret.
    pub setting: String,
    pub used: Option<UsedKey>,
    /// The number of second factors that it has sealed.
    pub second_factors: usize,
    pub need: SecretNeed,
}

/// The reason why a secret is still needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretNeed {
    /// It signs and seals new things.
    InUse,
    /// No server has used it so far.
    Next,
    /// A server that started with it has started later than any server with the secret in use.
    Server,
    SecondFactors,
    /// Things that it signed stay valid until this time.
    Until(DateTime<Utc>),
    Nothing,
}

/// Why the report can't be made.
#[derive(Debug, thiserror::Error)]
pub enum KeyReportError {
    #[error(transparent)]
    Secrets(#[from] SecretError),
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
}

impl KeyReportError {
    /// Returns whether no secret has been generated here yet.
    pub fn is_before_the_first_start(&self, named: &NamedSecrets) -> bool {
        named.uses_generated() && matches!(self, Self::Secrets(SecretError::NoneGenerated))
    }
}

/// Compares the settings with the database. `lives` is the longest life that the settings give to anything signed.
pub async fn report(
    named: &NamedSecrets,
    lives: TimeDelta,
    db: &Db,
    now: DateTime<Utc>,
) -> Result<KeyReport, KeyReportError> {
    let secrets = ServerSecrets::of_settings(named, db).await?;
    let (used, sealed) = (keys::used(db).await?, keys::sealed_factors(db, &secrets).await?);
    let used_of = |id| used.iter().find(|key| key.id == id).copied();
    let current = used_of(secrets.0.current().id());
    let lives = longest_life(lives);
    let uses = secrets.0.all().zip(&sealed.by_secret).enumerate().map(|(at, (secret, &second_factors))| {
        let used = used_of(secret.id());
        let setting = match at {
            0 if named.uses_generated() => "the generated secret".to_owned(),
            0 => "auth.token_secret".to_owned(),
            at => format!("auth.accepted_token_secrets, number {at}"),
        };
        let need = if at == 0 { SecretNeed::InUse } else { need(used, current, second_factors, lives, now) };
        SecretUse { id: secret.id(), setting, used, second_factors, need }
    });
    let uses = uses.collect();
    let older_browsers = match current {
        Some(current) => notifications::browsers_before(db, current.first_started_at).await?,
        None => 0,
    };
    let missing = keys::missing(db, &secrets).await?;
    Ok(KeyReport { secrets: uses, unreadable: sealed.unreadable, missing, older_browsers })
}

/// Seals second factors with the secret in use if another secret of the settings has sealed them; returns their number.
pub async fn reseal(named: &NamedSecrets, db: &Db, random: &Random) -> Result<u64, KeyReportError> {
    let secrets = ServerSecrets::of_settings(named, db).await?;
    Ok(keys::reseal(db, random, &keys::factor_keys(&secrets)).await?)
}

fn need(
    used: Option<UsedKey>,
    current: Option<UsedKey>,
    second_factors: usize,
    lives: TimeDelta,
    now: DateTime<Utc>,
) -> SecretNeed {
    let Some(used) = used else {
        return if second_factors > 0 { SecretNeed::SecondFactors } else { SecretNeed::Next };
    };
    let Some(current) = current.filter(|current| current.last_started_at >= used.last_started_at) else {
        return SecretNeed::Server;
    };
    // Each server signed with this secret at most until it started with the one in use.
    let over_at = current.last_started_at + lives;
    if second_factors > 0 {
        SecretNeed::SecondFactors
    } else if now < over_at {
        SecretNeed::Until(over_at)
    } else {
        SecretNeed::Nothing
    }
}

/// Returns the longest life of things that a secret signs and that can't be signed again with another one: those that the settings
/// limit (`of_settings`), and those with a fixed life. Refresh tokens, links to jobs, invitations and trackers' tokens live on
/// without the secret.
fn longest_life(of_settings: TimeDelta) -> TimeDelta {
    [emails::GOOD_FOR, places::OPEN_FOR, oidc::TTL].into_iter().fold(of_settings, TimeDelta::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_needed_while_something_it_signed_is_valid() {
        let at = |second: i64| DateTime::from_timestamp(1_800_000_000 + second, 0).expect("a time");
        let used =
            |last| Some(UsedKey { id: KeyId([0; 4]), first_started_at: at(0), last_started_at: at(last) });
        let need =
            |before, current, factors, now| need(before, current, factors, TimeDelta::seconds(100), at(now));
        assert_eq!(need(None, used(10), 0, 1_000), SecretNeed::Next);
        assert_eq!(need(None, used(10), 1, 1_000), SecretNeed::SecondFactors);
        assert_eq!(need(used(11), used(10), 0, 1_000), SecretNeed::Server);
        assert_eq!(need(used(5), None, 0, 1_000), SecretNeed::Server);
        assert_eq!(need(used(5), used(10), 0, 109), SecretNeed::Until(at(110)));
        assert_eq!(need(used(5), used(10), 0, 110), SecretNeed::Nothing);
        assert_eq!(need(used(5), used(10), 2, 110), SecretNeed::SecondFactors);
    }

    #[test]
    fn the_longest_life_is_the_longest_of_the_settings_and_of_a_confirmation() {
        assert!(longest_life(TimeDelta::zero()) >= emails::GOOD_FOR);
        assert_eq!(longest_life(TimeDelta::days(30)), TimeDelta::days(30));
    }
}
