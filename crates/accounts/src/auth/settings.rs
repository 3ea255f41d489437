//! Settings of sign-in: `[auth]`; of admins' identities, at the embedded identity provider or at another one (OpenID Connect):
//! `[identity]`; and of admins alone: `[admin]`.

use std::collections::BTreeSet;

use roadcall_platform::settings::{
    DAY_S, MAX_DAYS, NOT_HTTPS, Rule, RulesOf, Secret, Section, WEB_URL, list, web_url,
};
use serde::Deserialize;

/// The maximum number of secrets accepted beside the current one: an earlier one, the next one, and one to spare.
const MAX_ACCEPTED: usize = 3;
const TOKEN_SECRET_BYTES: usize = 32;
/// The maximum number of claim values for each kind of admin.
const MAX_VALUES: usize = 100;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuthSettings {
    pub token_secret: Secret,
    #[serde(deserialize_with = "list")]
    pub accepted_token_secrets: Vec<Secret>,
    pub access_token_ttl_s: i64,
    pub refresh_token_ttl_s: i64,
    pub refresh_grace_s: i64,
    pub device_token_ttl_s: i64,
    pub principal_cache_s: u64,
    pub otp_ttl_s: i64,
    pub otp_resend_after_s: i64,
    pub otp_sends_per_hour: i64,
    pub otp_wrong_tries: i64,
    pub otp_wrong_tries_per_day: i64,
    pub otp_requests_per_address_per_hour: i64,
    pub dev_otp: bool,
}

impl AuthSettings {
    fn rules_of_secrets(&self) -> Vec<Rule> {
        let auth = RulesOf("auth");
        let (own, accepted) = (&self.token_secret, &self.accepted_token_secrets);
        let is_long = |secret: &Secret| secret.0.len() >= TOKEN_SECRET_BYTES;
        let is_known = |secret: &Secret| secret.is_generated() || is_long(secret);
        let is_twice = (1..accepted.len()).any(|at| accepted[..at].contains(&accepted[at]));
        vec![
            auth.says("token_secret", own.0.is_empty() || is_long(own), "must be at least 32 bytes"),
            auth.says(
                "accepted_token_secrets",
                accepted.len() <= MAX_ACCEPTED,
                "must not have more than 3 secrets",
            ),
            auth.says(
                "accepted_token_secrets",
                accepted.iter().all(is_known),
                "must each be at least 32 bytes, or the word generated; as a text, commas or line breaks separate them, so one \
                    with a comma in it goes into an array of the settings' file",
            ),
            auth.says("accepted_token_secrets", !accepted.contains(own), "must not contain auth.token_secret")
                .because("name an earlier secret, or the next one"),
            auth.says("accepted_token_secrets", !is_twice, "must not contain a secret twice"),
            auth.says(
                "accepted_token_secrets",
                !own.0.is_empty() || !accepted.iter().any(Secret::is_generated),
                "contains the word generated, but the generated secret is in use: set auth.token_secret",
            ),
        ]
    }
}

impl Section for AuthSettings {
    fn rules(&self) -> Vec<Rule> {
        let auth = RulesOf("auth");
        let years = 1..=MAX_DAYS * DAY_S;
        let limit = |field, value: i64| auth.within(field, value, 1..=100_000);
        let mut rules = vec![
            auth.within("access_token_ttl_s", self.access_token_ttl_s, 1..=DAY_S),
            auth.within("refresh_token_ttl_s", self.refresh_token_ttl_s, years.clone()),
            auth.above(
                "refresh_token_ttl_s",
                self.refresh_token_ttl_s,
                ("access_token_ttl_s", self.access_token_ttl_s),
            ),
            auth.within("device_token_ttl_s", self.device_token_ttl_s, years),
            auth.within("refresh_grace_s", self.refresh_grace_s, 0..=300)
                .because("a longer one shelters a thief"),
            auth.within("principal_cache_s", self.principal_cache_s, 1..=30)
                .because("a suspension must not take longer to arrive"),
            auth.within("otp_ttl_s", self.otp_ttl_s, 1..=DAY_S),
            auth.within("otp_resend_after_s", self.otp_resend_after_s, 0..=DAY_S),
            limit("otp_sends_per_hour", self.otp_sends_per_hour),
            limit("otp_wrong_tries", self.otp_wrong_tries),
            limit("otp_wrong_tries_per_day", self.otp_wrong_tries_per_day),
            limit("otp_requests_per_address_per_hour", self.otp_requests_per_address_per_hour),
        ];
        rules.extend(self.rules_of_secrets());
        rules
    }

    fn rules_of_production(&self) -> Vec<Rule> {
        let auth = RulesOf("auth");
        let secret = &self.token_secret.0;
        vec![
            auth.says("dev_otp", !self.dev_otp, "shows one-time passwords; set it to false"),
            auth.says("token_secret", !secret.is_empty(), "is generated; set one of at least 32 bytes"),
            auth.says(
                "token_secret",
                secret.is_empty() || is_varied(secret),
                "repeats a few characters: make one with `openssl rand -base64 32`",
            ),
        ]
    }
}

/// Returns whether a text has as many different characters as a random one nearly always has.
fn is_varied(text: &str) -> bool {
    text.chars().collect::<BTreeSet<_>>().len() >= 8
}

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
    #[serde(deserialize_with = "list")]
    pub admin_values: Vec<String>,
    #[serde(deserialize_with = "list")]
    pub super_admin_values: Vec<String>,
    #[serde(deserialize_with = "list")]
    pub dispatch_values: Vec<String>,
    #[serde(deserialize_with = "list")]
    pub money_values: Vec<String>,
    #[serde(deserialize_with = "list")]
    pub people_values: Vec<String>,
    #[serde(deserialize_with = "list")]
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

    /// Returns the issuer name of the embedded identity provider of a service at this address.
    pub fn own_issuer(public_url: &str) -> String {
        format!("{}/idp", public_url.trim_end_matches('/'))
    }

    /// Returns whether admins sign in at the embedded identity provider, which is never used together with another one.
    pub fn is_embedded(&self, public_url: &str) -> bool {
        let is_own = self.issuer.is_empty() || self.issuer == Self::own_issuer(public_url);
        self.local_provider && self.jwks_url.is_empty() && is_own
    }
}

impl Section for IdentitySettings {
    fn rules(&self) -> Vec<Rule> {
        let identity = RulesOf("identity");
        let is_plain = |text: &str, most: usize| text.len() <= most && !text.chars().any(char::is_control);
        let short =
            |field, text: &str| identity.says(field, is_plain(text, 255), "must have at most 255 characters");
        let values = self.values();
        let are_values = values.iter().all(|list| {
            list.len() <= MAX_VALUES && list.iter().all(|value| !value.is_empty() && is_plain(value, 255))
        });
        let has_values = values.iter().any(|list| !list.is_empty());
        let keys = url::Url::parse(&self.jwks_url);
        let has_keys = keys.is_ok_and(|url| ["http", "https"].contains(&url.scheme()) && url.has_host());
        vec![
            identity.says(
                "jwks_url",
                self.jwks_url.is_empty() || has_keys,
                "must be an http or https URL",
            ),
            identity.says(
                "issuer",
                self.local_provider || !self.issuer.is_empty(),
                "is needed where identity.local_provider is off",
            ),
            identity.says(
                "issuer",
                !self.issuer.is_empty() || self.jwks_url.is_empty(),
                "is needed with identity.jwks_url",
            ),
            identity.says("issuer", self.issuer.is_empty() || web_url(&self.issuer).is_some(), WEB_URL),
            identity.says("audience", !self.audience.is_empty(), "must not be empty"),
            identity.says(
                "provider_name",
                is_plain(&self.provider_name, 60),
                "must have at most 60 characters",
            ),
            short("client_id", &self.client_id),
            identity.says(
                "scope",
                is_plain(&self.scope, 255) && self.scope.split(' ').any(|scope| scope == "openid"),
                "must contain openid",
            ),
            short("role_claim", &self.role_claim),
            identity.says(
                "role_claim",
                has_values != self.role_claim.is_empty(),
                "needs identity.admin_values, identity.super_admin_values or the values of a desk, and they need it",
            ),
            identity.says(
                "admin_values",
                are_values,
                "and identity.super_admin_values and the values of each desk must be at most 100 texts of 1 to 255 characters",
            ),
            identity.within("id_token_ttl_s", self.id_token_ttl_s, 1..=DAY_S),
            identity.within("jwks_timeout_ms", self.jwks_timeout_ms, 1..=60_000),
        ]
    }

    fn rules_of_production(&self) -> Vec<Rule> {
        let identity = RulesOf("identity");
        vec![
            identity.says("issuer", !self.issuer.starts_with("http://"), NOT_HTTPS),
            identity.says("jwks_url", !self.jwks_url.starts_with("http://"), NOT_HTTPS),
        ]
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdminSettings {
    pub invite_ttl_s: i64,
    pub export_max_rows: i64,
    pub audit_retention_days: i64,
    pub session_ttl_s: i64,
    pub second_factor_required: bool,
    pub second_factor_grace_s: i64,
}

impl Section for AdminSettings {
    fn rules(&self) -> Vec<Rule> {
        let admin = RulesOf("admin");
        vec![
            admin.within("session_ttl_s", self.session_ttl_s, 300..=90 * DAY_S),
            admin.within("second_factor_grace_s", self.second_factor_grace_s, 0..=90 * DAY_S),
            admin.within("invite_ttl_s", self.invite_ttl_s, 60..=30 * DAY_S),
            admin.within("export_max_rows", self.export_max_rows, 1..=1_000_000),
            admin
                .within("audit_retention_days", self.audit_retention_days, 366..=MAX_DAYS)
                .because("nobody may delete the last year"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use roadcall_platform::settings::testing::default_of;

    use super::*;

    type Alter = fn(&mut IdentitySettings);

    #[test]
    fn another_issuer_or_a_key_set_of_its_own_names_another_provider() {
        let cases: [(Alter, bool); 5] = [
            (|_| {}, true),
            (|s| s.issuer = "https://roadcall.example/idp".to_owned(), true),
            (|s| s.issuer = "https://id.example".to_owned(), false),
            (|s| s.jwks_url = "https://id.example/keys".to_owned(), false),
            (|s| s.local_provider = false, false),
        ];
        for (alter, is_embedded) in cases {
            let mut identity: IdentitySettings = default_of("identity");
            alter(&mut identity);
            assert_eq!(identity.is_embedded("https://roadcall.example/"), is_embedded, "{identity:?}");
        }
    }
}
