//! Signing in at a provider's own page: the authorization code flow (OpenID Connect Core 1.0, section 3.1) with PKCE (RFC 7636).
//! The service exchanges the code itself, so that no browser sees a token of the provider.

use std::{sync::Arc, time::Duration};

use aws_lc_rs::digest;
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use chrono::{DateTime, Utc};
use jsonwebtoken::Algorithm;
use reqwest::{
    Client, StatusCode, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue},
};
use serde::Deserialize;

use super::{
    discovery::{Discovery, ProviderConfiguration},
    id_token::{Claims, Expected},
    jwks::JwksVerifier,
    model::{Identity, IdentityError},
    published::{self, ProviderFault},
};
use crate::{form, sending};

/// The service's registration at the provider.
#[derive(Debug)]
pub struct CodeFlowSettings<'a> {
    pub issuer: &'a str,
    /// The audience of ID tokens that arrive in other ways.
    pub audience: &'a str,
    /// See [`Expected::vouches_for_emails`].
    pub vouches_for_emails: bool,
    pub client_id: &'a str,
    /// Empty for a public client.
    pub client_secret: &'a str,
    pub scope: &'a str,
    /// The address to which the provider sends people back.
    pub redirect_uri: String,
    /// The address of the keys, if it is not the one that the provider publishes.
    pub keys: Option<Url>,
    /// Empty if no claim names the admins.
    pub role_claim: &'a str,
    /// Bounds each request to the provider.
    pub timeout: Duration,
    pub max_age_s: u64,
}

/// Random texts that tie the steps of a sign-in together: only the browser that began it can return with the state.
#[derive(derive_more::Debug, Clone)]
#[debug("SignInSecrets(..)")]
pub struct SignInSecrets {
    pub state: String,
    pub nonce: String,
    /// 43 to 128 characters of base64url (RFC 7636, 4.1).
    pub verifier: String,
}

/// The parameters with which the provider sends people back.
#[derive(derive_more::Debug)]
#[debug("ProviderAnswer(..)")]
pub struct ProviderAnswer<'a> {
    pub code: &'a str,
    /// The provider's name, if the provider states it.
    pub issuer: Option<&'a str>,
}

/// Why nobody was signed in. Contains no code, secret or token.
#[derive(Debug, thiserror::Error)]
pub enum CodeFlowError {
    #[error("the identity provider: {0}")]
    Provider(#[from] ProviderFault),
    /// The code is used, too old, or was made for another sign-in.
    #[error("the identity provider refused the code")]
    CodeRefused,
    /// The fault is in the settings, here or at the provider.
    #[error("the identity provider refuses this client: {0}")]
    ClientRefused(String),
    #[error("the ID token is not valid: {0}")]
    Invalid(String),
}

impl From<IdentityError> for CodeFlowError {
    fn from(error: IdentityError) -> Self {
        match error {
            IdentityError::Invalid(why) => Self::Invalid(why),
            IdentityError::Provider(fault) => Self::Provider(fault),
        }
    }
}

#[derive(Deserialize)]
struct TokenAnswer {
    id_token: Option<String>,
    access_token: Option<String>,
}

#[derive(Deserialize)]
struct Refusal {
    error: String,
}

/// The operator's own identity provider.
#[derive(derive_more::Debug)]
#[debug("CodeFlow {{ expected: {expected:?}, .. }}")]
pub struct CodeFlow {
    discovery: Arc<Discovery>,
    verifier: Arc<JwksVerifier>,
    client: Client,
    expected: Expected,
    client_secret: String,
    scope: String,
    redirect_uri: String,
}

impl CodeFlow {
    /// Prepares the flow and makes no request. Returns `None` if the issuer is no URL.
    pub fn new(settings: CodeFlowSettings<'_>) -> reqwest::Result<Option<Self>> {
        let client = published::client(settings.timeout)?;
        let issuer = settings.issuer.to_owned();
        let Some(discovery) = Discovery::new(&issuer, client.clone(), settings.max_age_s) else {
            return Ok(None);
        };
        let discovery = Arc::new(discovery);
        let expected = |audience: &str| Expected {
            issuer: issuer.clone(),
            audience: audience.to_owned(),
            vouches_for_emails: settings.vouches_for_emails,
        };
        let elsewhere = expected(settings.audience);
        let max_age_s = settings.max_age_s;
        let verifier = match settings.keys {
            Some(url) => JwksVerifier::at(url, elsewhere, client.clone(), max_age_s),
            None => JwksVerifier::discovered(discovery.clone(), elsewhere, client.clone(), max_age_s),
        };
        Ok(Some(Self {
            discovery,
            verifier: Arc::new(verifier.with_role_claim(settings.role_claim)),
            client,
            expected: expected(settings.client_id),
            client_secret: settings.client_secret.to_owned(),
            scope: settings.scope.to_owned(),
            redirect_uri: settings.redirect_uri,
        }))
    }

    /// Returns a verifier with the same keys, for ID tokens that arrive in other ways.
    pub fn verifier(&self) -> Arc<JwksVerifier> {
        self.verifier.clone()
    }

    /// Returns the provider's page on which this sign-in continues.
    pub async fn sign_in_url(
        &self,
        secrets: &SignInSecrets,
        now: DateTime<Utc>,
    ) -> Result<Url, CodeFlowError> {
        let configuration = self.discovery.configuration(now).await?;
        let mut url = configuration.authorization.clone().ok_or_else(|| lacks("authorization_endpoint"))?;
        let challenge = URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, secrets.verifier.as_bytes()));
        url.query_pairs_mut().extend_pairs([
            ("response_type", "code"),
            ("client_id", &self.expected.audience),
            ("redirect_uri", &self.redirect_uri),
            ("scope", &self.scope),
            ("state", &secrets.state),
            ("nonce", &secrets.nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ]);
        Ok(url)
    }

    /// Returns the provider's sign-out page; `None` if it has no such page or its configuration can't be read.
    pub async fn sign_out_url(&self, now: DateTime<Utc>) -> Option<Url> {
        let mut url = self.discovery.configuration(now).await.ok()?.end_session.clone()?;
        url.query_pairs_mut().append_pair("client_id", &self.expected.audience);
        Some(url)
    }

    /// Exchanges the code, once, and reads who came back.
    pub async fn identify(
        &self,
        secrets: &SignInSecrets,
        answer: ProviderAnswer<'_>,
        now: DateTime<Utc>,
    ) -> Result<Identity, CodeFlowError> {
        let configuration = self.discovery.configuration(now).await?;
        let is_named = match answer.issuer {
            Some(issuer) => issuer == self.expected.issuer,
            None => !configuration.names_itself,
        };
        if !is_named {
            return Err(CodeFlowError::Invalid("the answer is another provider's".to_owned()));
        }
        let tokens = self.exchange(&configuration, answer.code, &secrets.verifier).await?;
        let unusable = || ProviderFault::Unusable("it has no ID token".to_owned());
        let id_token = tokens.id_token.ok_or_else(unusable)?;
        let claims = self.verifier.claims(&id_token, &self.expected, now).await?;
        check(&claims, &self.expected.audience, &secrets.nonce, tokens.access_token.as_deref())?;
        Ok(claims.identity)
    }

    async fn exchange(
        &self,
        configuration: &ProviderConfiguration,
        code: &str,
        verifier: &str,
    ) -> Result<TokenAnswer, CodeFlowError> {
        let url = configuration.token.clone().ok_or_else(|| lacks("token_endpoint"))?;
        let client_id = self.expected.audience.as_str();
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", &self.redirect_uri),
            ("code_verifier", verifier),
        ];
        let by_header = configuration.takes_basic && !self.client_secret.is_empty();
        if !by_header {
            fields.push(("client_id", client_id));
        }
        if !by_header && !self.client_secret.is_empty() {
            fields.push(("client_secret", &self.client_secret));
        }
        let mut request = self.client.post(url).header(ACCEPT, "application/json");
        if by_header {
            request = request.header(AUTHORIZATION, basic(client_id, &self.client_secret)?);
        }
        let request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(form(&fields));
        let response = sending::send(request, "identity").await.map_err(published::no_answer)?;
        let (status, body) = published::read(response).await?;
        match status {
            // The reason why it can't be read would quote the body.
            StatusCode::OK => serde_json::from_slice(&body)
                .map_err(|_| ProviderFault::Unusable("it has no tokens".to_owned()).into()),
            status if status.is_client_error() => Err(refusal(status, &body)),
            status => Err(published::of_status(status).into()),
        }
    }
}

fn lacks(part: &str) -> ProviderFault {
    ProviderFault::Unusable(format!("its configuration has no {part}"))
}

/// Encodes the header as RFC 6749, 2.3.1, asks: each part is encoded like a form before the two are joined.
fn basic(client_id: &str, secret: &str) -> Result<HeaderValue, CodeFlowError> {
    let encoded = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let joined = STANDARD.encode(format!("{}:{}", encoded(client_id), encoded(secret)));
    let header = HeaderValue::from_str(&format!("Basic {joined}"));
    let mut header = header.map_err(|_| CodeFlowError::ClientRefused("its name is no text".to_owned()))?;
    header.set_sensitive(true);
    Ok(header)
}

/// Reads an error of RFC 6749, 5.2. Only the error's name is passed on: a description may contain anything.
fn refusal(status: StatusCode, body: &[u8]) -> CodeFlowError {
    let named = serde_json::from_slice::<Refusal>(body).ok().map(|refusal| refusal.error);
    let is_name = |name: &String| {
        (1..=60).contains(&name.len()) && name.bytes().all(|b| b == b'_' || b.is_ascii_lowercase())
    };
    match named.filter(is_name) {
        Some(name) if name == "invalid_grant" => CodeFlowError::CodeRefused,
        Some(name) => CodeFlowError::ClientRefused(name),
        None => published::of_status(status).into(),
    }
}

/// Checks the claims that only tokens of this flow have (OpenID Connect Core 1.0, 3.1.3.7 and 3.1.3.8).
fn check(
    claims: &Claims,
    client_id: &str,
    nonce: &str,
    access_token: Option<&str>,
) -> Result<(), CodeFlowError> {
    let invalid = |why: &str| Err(CodeFlowError::Invalid(why.to_owned()));
    if claims.nonce.as_deref() != Some(nonce) {
        return invalid("it is of another sign-in");
    }
    match claims.azp.as_deref() {
        Some(azp) if azp != client_id => return invalid("it was made for another client"),
        None if claims.has_several_audiences => {
            return invalid("it does not say which client it was made for");
        }
        _ => {}
    }
    match (&claims.at_hash, access_token) {
        (Some(hash), Some(token)) if *hash != half_hash(claims.algorithm, token) => {
            invalid("it does not belong to the access token")
        }
        _ => Ok(()),
    }
}

/// Returns the left half of the token's hash under the algorithm's digest; Ed25519 takes SHA-512, as other implementations do.
fn half_hash(algorithm: Algorithm, access_token: &str) -> String {
    let hash = if algorithm == Algorithm::EdDSA { &digest::SHA512 } else { &digest::SHA256 };
    let digest = digest::digest(hash, access_token.as_bytes());
    let bytes = digest.as_ref();
    URL_SAFE_NO_PAD.encode(&bytes[..bytes.len() / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_an_access_token_agrees_with_the_standard() {
        // OpenID Connect Core 1.0, A.3.
        let token = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y";
        assert_eq!(half_hash(Algorithm::RS256, token), "77QmUPtjPfzWtF2AnpK9RQ");
        assert_ne!(half_hash(Algorithm::EdDSA, token).len(), 22);
    }

    #[test]
    fn the_clients_name_and_secret_are_encoded_before_they_are_joined() {
        let header = basic("road:call", "a b+c").expect("a header");
        assert!(header.is_sensitive());
        assert_eq!(
            header.to_str().expect("text"),
            format!("Basic {}", STANDARD.encode("road%3Acall:a+b%2Bc"))
        );
    }

    #[test]
    fn a_refusal_says_whose_fault_it_is_and_nothing_else() {
        let of = |status: u16, body: &str| {
            let status = StatusCode::from_u16(status).expect("a status");
            refusal(status, body.as_bytes()).to_string()
        };
        assert_eq!(
            of(400, r#"{"error":"invalid_grant","error_description":"code 1234 is used"}"#),
            "the identity provider refused the code"
        );
        assert_eq!(
            of(401, r#"{"error":"invalid_client"}"#),
            "the identity provider refuses this client: invalid_client"
        );
        for odd in ["<html>", r#"{"error":"SECRET <b>"}"#, r#"{"error":7}"#, ""] {
            assert!(of(400, odd).ends_with("it answers 400"), "{odd}");
        }
    }
}
