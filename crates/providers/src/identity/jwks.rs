//! A remote provider: its keys are fetched over HTTP and remembered.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use reqwest::{Client, Url};

use super::{
    discovery::Discovery,
    id_token::{self, Claims, Expected, Keys},
    model::{Identity, IdentityError, IdentityVerifier},
    published::{self, Published},
};

/// Verifies against the JWK set of a provider.
#[derive(Debug)]
pub struct JwksVerifier {
    place: KeyPlace,
    expected: Expected,
    /// Empty if no claim names the admins.
    role_claim: String,
    published: Published<Keys>,
}

/// The location of the key set.
#[derive(Debug)]
enum KeyPlace {
    At(Url),
    /// The address that the provider publishes.
    Discovered(Arc<Discovery>),
}

impl JwksVerifier {
    /// Reads the set at a URL. `timeout` bounds a whole fetch.
    pub fn new(url: Url, expected: Expected, timeout: Duration, max_age_s: u64) -> reqwest::Result<Self> {
        Ok(Self::of(KeyPlace::At(url), expected, published::client(timeout)?, max_age_s))
    }

    pub(super) fn at(url: Url, expected: Expected, client: Client, max_age_s: u64) -> Self {
        Self::of(KeyPlace::At(url), expected, client, max_age_s)
    }

    pub(super) fn discovered(
        discovery: Arc<Discovery>,
        expected: Expected,
        client: Client,
        max_age_s: u64,
    ) -> Self {
        Self::of(KeyPlace::Discovered(discovery), expected, client, max_age_s)
    }

    fn of(place: KeyPlace, expected: Expected, client: Client, max_age_s: u64) -> Self {
        let published = Published::new("keys", client, max_age_s);
        Self { place, expected, role_claim: String::new(), published }
    }

    /// Makes the verifier also read the values of that claim from each token.
    pub(super) fn with_role_claim(self, role_claim: &str) -> Self {
        Self { role_claim: role_claim.to_owned(), ..self }
    }

    /// Returns the claims of a genuine token.
    pub(super) async fn claims(
        &self,
        id_token: &str,
        expected: &Expected,
        now: DateTime<Utc>,
    ) -> Result<Claims, IdentityError> {
        let kid = id_token::kid(id_token)?;
        let keys = self.keys_for(&kid, now).await?;
        let mut claims = keys.claims(id_token, expected, now)?;
        claims.identity.roles = claims.values_of(&self.role_claim);
        // This claim means something only in tokens of the embedded provider.
        claims.identity.account_version = None;
        Ok(claims)
    }

    async fn keys_for(&self, kid: &str, now: DateTime<Utc>) -> Result<Arc<Keys>, IdentityError> {
        let configuration;
        let url = match &self.place {
            KeyPlace::At(url) => url,
            KeyPlace::Discovered(discovery) => {
                configuration = discovery.configuration(now).await?;
                &configuration.keys
            }
        };
        let parse = |json: &[u8]| Keys::parse(json).map_err(|why| why.to_string());
        Ok(self.published.get(url, parse, |keys| keys.has(kid), now).await?)
    }
}

#[async_trait]
impl IdentityVerifier for JwksVerifier {
    async fn verify(&self, id_token: &str, now: DateTime<Utc>) -> Result<Identity, IdentityError> {
        Ok(self.claims(id_token, &self.expected, now).await?.identity)
    }
}
