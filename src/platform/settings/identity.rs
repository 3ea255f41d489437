//! How admins prove who they are: with the embedded identity provider, or with another one (OpenID Connect).

use serde::Deserialize;

use super::{list, secret::Secret};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdentitySettings {
    pub issuer: String,
    pub provider_name: String,
    pub client_id: String,
    pub client_secret: Secret,
    pub scope: String,
    pub audience: String,
    pub vouches_for_emails: bool,
    pub jwks_url: String,
    pub jwks_timeout_ms: u64,
    pub jwks_max_age_s: u64,
    pub role_claim: String,
    #[serde(deserialize_with = "list::list")]
    pub admin_values: Vec<String>,
    #[serde(deserialize_with = "list::list")]
    pub super_admin_values: Vec<String>,
    #[serde(deserialize_with = "list::list")]
    pub dispatch_values: Vec<String>,
    #[serde(deserialize_with = "list::list")]
    pub money_values: Vec<String>,
    #[serde(deserialize_with = "list::list")]
    pub people_values: Vec<String>,
    #[serde(deserialize_with = "list::list")]
    pub settings_values: Vec<String>,
    pub local_provider: bool,
    pub local_provider_in_production: bool,
    pub id_token_ttl_s: i64,
}

impl IdentitySettings {
    /// Returns the values of `role_claim` that make somebody an admin, for each kind of admin.
    pub fn values(&self) -> [&[String]; 6] {
        [
            &self.admin_values,
            &self.super_admin_values,
            &self.dispatch_values,
            &self.money_values,
            &self.people_values,
            &self.settings_values,
        ]
    }

    /// Returns the console's client id at the provider.
    pub fn client_id(&self) -> &str {
        if self.client_id.is_empty() { &self.audience } else { &self.client_id }
    }
}
