//! The choice of the identity provider, and the rules for its settings.

use super::{
    Settings,
    limits::DAY_S,
    money::web_url,
    rule::{Rule, within},
};

/// The maximum number of claim values for each kind of admin.
const MAX_VALUES: usize = 100;

impl Settings {
    /// Returns the issuer name of the embedded identity provider.
    pub fn own_issuer(&self) -> String {
        format!("{}/idp", self.server.public_url.trim_end_matches('/'))
    }

    /// Returns whether admins sign in at the embedded identity provider, which is never used together with another one.
    pub fn has_embedded_provider(&self) -> bool {
        let identity = &self.identity;
        let is_own = identity.issuer.is_empty() || identity.issuer == self.own_issuer();
        identity.local_provider && identity.jwks_url.is_empty() && is_own
    }
}

pub(super) fn rules(settings: &Settings) -> Vec<Rule> {
    let identity = &settings.identity;
    let is_embedded = settings.has_embedded_provider();
    let issuer_or_none = !identity.issuer.is_empty() || identity.jwks_url.is_empty();
    let is_plain = |text: &str, most: usize| text.len() <= most && !text.chars().any(char::is_control);
    let values = identity.values();
    let are_values = values.iter().all(|list| {
        list.len() <= MAX_VALUES && list.iter().all(|value| !value.is_empty() && is_plain(value, 255))
    });
    let has_values = values.iter().any(|list| !list.is_empty());
    let keys = url::Url::parse(&identity.jwks_url);
    let has_keys = keys.is_ok_and(|url| ["http", "https"].contains(&url.scheme()) && url.has_host());
    vec![
        (identity.jwks_url.is_empty() || has_keys, "identity.jwks_url must be an http or https URL"),
        (
            identity.local_provider || !identity.issuer.is_empty(),
            "identity.issuer is needed where identity.local_provider is off",
        ),
        (issuer_or_none, "identity.issuer is needed with identity.jwks_url"),
        (
            identity.issuer.is_empty() || web_url(&identity.issuer).is_some(),
            "identity.issuer must be an http or https URL without a query",
        ),
        (!identity.audience.is_empty(), "identity.audience must not be empty"),
        (is_plain(&identity.provider_name, 60), "identity.provider_name must have at most 60 characters"),
        (is_plain(&identity.client_id, 255), "identity.client_id must have at most 255 characters"),
        (
            is_plain(&identity.scope, 255) && identity.scope.split(' ').any(|scope| scope == "openid"),
            "identity.scope must contain openid",
        ),
        (
            !is_embedded || identity.client_secret.0.is_empty(),
            "identity.client_secret is for a provider of your own: set identity.issuer",
        ),
        (
            !is_embedded || identity.role_claim.is_empty(),
            "identity.role_claim is for a provider of your own: set identity.issuer",
        ),
        (is_plain(&identity.role_claim, 255), "identity.role_claim must have at most 255 characters"),
        (
            has_values != identity.role_claim.is_empty(),
            "identity.role_claim needs identity.admin_values, identity.super_admin_values or the values of a desk, and they need it",
        ),
        (
            are_values,
            "identity.admin_values, identity.super_admin_values and the values of each desk must be at most 100 texts of 1 to 255 \
                characters",
        ),
        (within(identity.id_token_ttl_s, 1..=DAY_S), "identity.id_token_ttl_s must be 1 to 86400"),
        (within(identity.jwks_timeout_ms, 1..=60_000), "identity.jwks_timeout_ms must be 1 to 60000"),
    ]
}

pub(super) fn unsafe_in_production(settings: &Settings) -> Vec<Rule> {
    let identity = &settings.identity;
    let is_embedded = settings.has_embedded_provider();
    // Before an issuer alone could name another provider, this combination meant the embedded one.
    let is_contradiction =
        identity.local_provider_in_production && !is_embedded && identity.jwks_url.is_empty();
    vec![
        (!identity.issuer.starts_with("http://"), "identity.issuer is not https"),
        (!identity.jwks_url.starts_with("http://"), "identity.jwks_url is not https"),
        (
            !is_embedded || identity.local_provider_in_production,
            "identity.local_provider: set identity.issuer to use your own identity provider, or \
                identity.local_provider_in_production = true to keep admins' passwords here",
        ),
        (
            !is_contradiction,
            "identity.local_provider_in_production is for the embedded identity provider, and identity.issuer names another: \
                unset one of them",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::settings::{Environment, IdentitySettings};

    type Alter = fn(&mut IdentitySettings);

    fn with(alter: Alter) -> Settings {
        let mut settings = Settings::defaults();
        settings.server.public_url = "https://roadcall.example/".to_owned();
        alter(&mut settings.identity);
        settings
    }

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
            let settings = with(alter);
            assert_eq!(settings.has_embedded_provider(), is_embedded, "{:?}", settings.identity);
        }
    }

    #[test]
    fn settings_that_cannot_work_are_refused_by_name() {
        let cases: [(Alter, &str); 14] = [
            (|s| s.local_provider = false, "identity.issuer is needed where"),
            (|s| s.jwks_url = "https://id.example/keys".to_owned(), "identity.issuer is needed with"),
            (|s| s.jwks_url = "id.example/keys".to_owned(), "identity.jwks_url must be"),
            (|s| s.issuer = "id.example".to_owned(), "identity.issuer must be"),
            (|s| s.issuer = "https://id.example/?tenant=1".to_owned(), "identity.issuer must be"),
            (|s| s.provider_name = "x".repeat(61), "identity.provider_name"),
            (|s| s.scope = "email".to_owned(), "identity.scope"),
            (|s| s.client_secret.0 = "secret".to_owned(), "identity.client_secret"),
            (|s| s.role_claim = "groups".to_owned(), "identity.role_claim is for"),
            (|s| s.admin_values = vec!["ops".to_owned()], "identity.role_claim needs"),
            (
                |s| (s.issuer, s.role_claim) = ("https://id.example".to_owned(), "groups".to_owned()),
                "identity.role_claim needs",
            ),
            (|s| s.super_admin_values = vec![String::new()], "identity.super_admin_values and the values"),
            (|s| s.money_values = vec!["x".repeat(256)], "the values of each desk must be"),
            (|s| s.people_values = vec!["hr".to_owned()], "identity.role_claim needs"),
        ];
        for (alter, fault) in cases {
            let refusal = with(alter).check().expect_err(fault).to_string();
            assert!(refusal.contains(fault), "{fault} is missing in: {refusal}");
        }
        let whole = with(|s| {
            s.issuer = "https://id.example/realms/one".to_owned();
            s.client_secret.0 = "secret".to_owned();
            s.role_claim = "groups".to_owned();
            s.super_admin_values = vec!["ops leads".to_owned()];
        });
        whole.check().expect("sound");
        assert!(!format!("{whole:?}").contains("\"secret\""), "a secret is not shown");
    }

    #[test]
    fn production_signs_admins_in_over_https_and_at_one_provider() {
        let refusal = |alter: Alter| {
            let mut settings = with(alter);
            settings.environment = Environment::Production;
            settings.check().expect_err("the rest is unsafe").to_string()
        };
        let cases: [(Alter, Option<&str>); 5] = [
            (|_| {}, Some("identity.local_provider: set identity.issuer")),
            (|s| s.local_provider_in_production = true, None),
            (|s| s.issuer = "https://id.example".to_owned(), None),
            (|s| s.issuer = "http://id.example".to_owned(), Some("identity.issuer is not https")),
            (
                |s| (s.issuer, s.local_provider_in_production) = ("https://id.example".to_owned(), true),
                Some("identity.local_provider_in_production is for"),
            ),
        ];
        for (alter, fault) in cases {
            let said = refusal(alter);
            match fault {
                Some(fault) => assert!(said.contains(fault), "{fault} is missing in: {said}"),
                None => assert!(!said.contains("identity."), "{said}"),
            }
        }
    }
}
