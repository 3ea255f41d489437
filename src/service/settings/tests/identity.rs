//! Tests of the check of admins' sign-in.

use super::*;

type Alter = fn(&mut IdentitySettings);

fn with(alter: Alter) -> Settings {
    let mut settings = Settings::defaults();
    settings.server.public_url = "https://roadcall.example/".to_owned();
    alter(&mut settings.identity);
    settings
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
        (|_| {}, Some("identity.local_provider is on: set identity.issuer")),
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
