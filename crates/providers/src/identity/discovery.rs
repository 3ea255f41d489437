//! A provider's addresses, as it publishes them (OpenID Connect Discovery 1.0).

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use reqwest::{Client, Url};
use serde::Deserialize;

use super::published::{self, ProviderFault, Published};

/// Characters of an issuer's name that are shown.
const MAX_NAME: usize = 200;

/// The parts of a provider's configuration that the service uses.
#[derive(Debug, Clone)]
pub struct ProviderConfiguration {
    pub keys: Url,
    /// The page where people sign in; `None` if the provider has none.
    pub authorization: Option<Url>,
    /// The address where a code is exchanged.
    pub token: Option<Url>,
    /// The page where people sign out.
    pub end_session: Option<Url>,
    /// Whether a client's secret goes into the `Authorization` header rather than the body.
    pub takes_basic: bool,
    /// Whether the provider states its name with each code (RFC 9207).
    pub names_itself: bool,
}

#[derive(Deserialize)]
struct RawConfiguration {
    issuer: String,
    jwks_uri: String,
    authorization_endpoint: Option<String>,
    token_endpoint: Option<String>,
    end_session_endpoint: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

impl ProviderConfiguration {
    /// Reads the document of this issuer. Refuses a document that names another issuer, and an http address if the issuer is
    /// reached over https.
    fn parse(json: &[u8], issuer: &str) -> Result<Self, String> {
        let raw: RawConfiguration = serde_json::from_slice(json).map_err(|why| why.to_string())?;
        if raw.issuer != issuer {
            return Err(named_otherwise(&raw.issuer, issuer));
        }
        let needs_https = issuer.starts_with("https://");
        let part = |name: &str, text: &str| {
            let url = Url::parse(text).ok().filter(|url| {
                let is_safe = url.scheme() == "https" || (!needs_https && url.scheme() == "http");
                is_safe && url.has_host() && url.fragment().is_none()
            });
            url.ok_or_else(|| format!("its {name} is no URL over https"))
        };
        let maybe =
            |name: &str, text: &Option<String>| text.as_deref().map(|text| part(name, text)).transpose();
        let methods = raw.token_endpoint_auth_methods_supported;
        let takes = |methods: &Vec<String>, method: &str| methods.iter().any(|known| known == method);
        Ok(Self {
            keys: part("jwks_uri", &raw.jwks_uri)?,
            authorization: maybe("authorization_endpoint", &raw.authorization_endpoint)?,
            token: maybe("token_endpoint", &raw.token_endpoint)?,
            end_session: maybe("end_session_endpoint", &raw.end_session_endpoint)?,
            takes_basic: methods.as_ref().is_none_or(|methods| {
                takes(methods, "client_secret_basic") || !takes(methods, "client_secret_post")
            }),
            names_itself: raw.authorization_response_iss_parameter_supported,
        })
    }
}

/// Says what the provider is called, and whether only a slash differs.
fn named_otherwise(named: &str, issuer: &str) -> String {
    let is_slash = named.trim_end_matches('/') == issuer.trim_end_matches('/');
    let differs = if is_slash { ", which differs by the slash at its end" } else { "" };
    let shown: String = named.chars().take(MAX_NAME).collect();
    format!("it calls itself {shown:?}{differs}; identity.issuer must be exactly that")
}

/// Fetches the issuer's configuration once.
pub async fn try_issuer(issuer: &str, timeout: Duration, now: DateTime<Utc>) -> Result<(), ProviderFault> {
    let client = published::client(timeout).map_err(|error| ProviderFault::Unreachable(error.to_string()))?;
    let no_url = || ProviderFault::Unreachable("identity.issuer is no http or https URL".to_owned());
    let discovery = Discovery::new(issuer, client, 0).ok_or_else(no_url)?;
    discovery.configuration(now).await.map(drop)
}

/// The configuration of one issuer.
#[derive(Debug)]
pub struct Discovery {
    issuer: String,
    url: Url,
    published: Published<ProviderConfiguration>,
}

impl Discovery {
    /// Returns `None` if the issuer is no URL.
    pub(super) fn new(issuer: &str, client: Client, max_age_s: u64) -> Option<Self> {
        let url = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        let url = Url::parse(&url).ok().filter(|url| ["http", "https"].contains(&url.scheme()))?;
        Some(Self {
            issuer: issuer.to_owned(),
            url,
            published: Published::new("configuration", client, max_age_s),
        })
    }

    pub async fn configuration(
        &self,
        now: DateTime<Utc>,
    ) -> Result<Arc<ProviderConfiguration>, ProviderFault> {
        let parse = |json: &[u8]| ProviderConfiguration::parse(json, &self.issuer);
        self.published.get(&self.url, parse, |_| true, now).await
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const ISSUER: &str = "https://id.example/realms/one";

    fn parsed(change: impl FnOnce(&mut Value), issuer: &str) -> Result<ProviderConfiguration, String> {
        let mut document = json!({"issuer": issuer, "jwks_uri": format!("{issuer}/keys"),
            "authorization_endpoint": format!("{issuer}/authorize?audience=all"),
            "token_endpoint": format!("{issuer}/token"), "response_types_supported": ["code"]});
        change(&mut document);
        ProviderConfiguration::parse(document.to_string().as_bytes(), issuer)
    }

    #[test]
    fn a_configuration_names_the_providers_addresses() {
        let read = parsed(|_| {}, ISSUER).expect("sound");
        assert_eq!(read.keys.as_str(), "https://id.example/realms/one/keys");
        assert!(read.takes_basic && !read.names_itself && read.end_session.is_none());
        let methods = |list: Value| {
            parsed(|document| document["token_endpoint_auth_methods_supported"] = list, ISSUER)
                .expect("sound")
                .takes_basic
        };
        assert!(methods(json!(["client_secret_post", "client_secret_basic"])) && methods(json!(["none"])));
        assert!(!methods(json!(["client_secret_post"])));
        parsed(|_| {}, "http://127.0.0.1:9000").expect("a provider on a laptop");
    }

    #[test]
    fn another_issuer_and_unencrypted_addresses_are_refused() {
        type Change = fn(&mut Value);
        let cases: [Change; 7] = [
            |document| document["issuer"] = json!("https://id.example/realms/two"),
            |document| document["issuer"] = json!("https://id.example/realms/one/"),
            |document| document["jwks_uri"] = json!("http://id.example/keys"),
            |document| document["token_endpoint"] = json!("http://id.example/token"),
            |document| document["authorization_endpoint"] = json!("javascript:alert(1)"),
            |document| document["end_session_endpoint"] = json!("javascript:alert(1)"),
            |document| document["jwks_uri"] = Value::Null,
        ];
        for (number, change) in cases.into_iter().enumerate() {
            assert!(parsed(change, ISSUER).is_err(), "case {number}");
        }
        let why = |change: Change| parsed(change, ISSUER).expect_err("another issuer");
        assert!(!why(cases[0]).contains("slash"), "{}", why(cases[0]));
        assert!(why(cases[1]).contains("realms/one/\", which differs by the slash"), "{}", why(cases[1]));
    }
}
