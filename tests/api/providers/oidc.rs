//! The code flow with a provider that works, one that does not, and one that answers with anything.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use roadcall::providers::identity::{
    CodeFlow, CodeFlowError, CodeFlowSettings, Identity, ProviderAnswer, ProviderFault, SignInSecrets,
};
use serde_json::{Value, json};

use crate::support::{
    free_ports,
    oidc_provider::{CLIENT_ID, OidcPeer, Part, issuer_at, key_pair, signed},
    peer::{Manner, says},
};

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).unwrap() + TimeDelta::seconds(seconds)
}

fn secrets() -> SignInSecrets {
    SignInSecrets { state: "s".repeat(43), nonce: "n".repeat(43), verifier: "v".repeat(43) }
}

fn flow_with(issuer: &str, alter: impl FnOnce(&mut CodeFlowSettings<'_>)) -> CodeFlow {
    roadcall::platform::https::install_tls_provider();
    let mut settings = OidcPeer::code_flow(issuer);
    alter(&mut settings);
    CodeFlow::new(settings).unwrap().expect("a flow")
}

fn flow(peer: &OidcPeer) -> CodeFlow {
    flow_with(&peer.issuer(), |_| {})
}

/// Signs somebody with these claims in.
async fn identified(flow: &CodeFlow, peer: &OidcPeer, claims: Value) -> Result<Identity, CodeFlowError> {
    identified_at(flow, peer, claims, at(0)).await
}

async fn identified_at(
    flow: &CodeFlow,
    peer: &OidcPeer,
    claims: Value,
    now: DateTime<Utc>,
) -> Result<Identity, CodeFlowError> {
    let url = flow.sign_in_url(&secrets(), now).await?;
    let returned = peer.authorize(url.as_str(), now, claims);
    flow.identify(&secrets(), ProviderAnswer { code: &returned.code, issuer: None }, now).await
}

fn unreachable<T>(outcome: &Result<T, CodeFlowError>) -> bool {
    matches!(outcome, Err(CodeFlowError::Provider(ProviderFault::Unreachable(_))))
}

fn unusable<T>(outcome: &Result<T, CodeFlowError>) -> bool {
    matches!(outcome, Err(CodeFlowError::Provider(ProviderFault::Unusable(_))))
}

fn invalid<T>(outcome: &Result<T, CodeFlowError>) -> bool {
    matches!(outcome, Err(CodeFlowError::Invalid(_)))
}

#[actix_web::test]
async fn a_client_with_or_without_a_secret_learns_the_persons_identity() {
    let peer = OidcPeer::start().await;
    let flow = self::flow(&peer);
    let identity = identified(&flow, &peer, json!({"email": "Asha@Example.com"})).await.unwrap();
    assert_eq!((identity.uid.as_str(), identity.email.as_str()), ("u-asha", "asha@example.com"));
    assert!(identity.email_verified && identity.roles.is_empty());
    assert_eq!(peer.shown(), Some("header"));
    let several = json!({"aud": ["another", CLIENT_ID], "azp": CLIENT_ID});
    identified(&flow, &peer, several).await.expect("one of several audiences");
    assert_eq!((peer.asked(Part::Configuration), peer.asked(Part::Keys)), (1, 1), "remembered");

    peer.configure("token_endpoint_auth_methods_supported", json!(["client_secret_post", "private_key_jwt"]));
    identified(&self::flow(&peer), &peer, json!({})).await.unwrap();
    assert_eq!(peer.shown(), Some("body"));

    peer.is_for_public_clients();
    let public = flow_with(&peer.issuer(), |settings| settings.client_secret = "");
    identified(&public, &peer, json!({})).await.unwrap();
    assert_eq!(peer.shown(), Some("name"));
    let refused = identified(&flow, &peer, json!({})).await;
    assert!(
        matches!(&refused, Err(CodeFlowError::ClientRefused(why)) if why == "invalid_client"),
        "{refused:?}"
    );
}

#[actix_web::test]
async fn tokens_of_another_sign_in_are_refused() {
    let peer = OidcPeer::start().await;
    let flow = flow(&peer);
    let after = |seconds| at(seconds).timestamp();
    let cases = [
        ("another issuer", json!({"iss": "http://127.0.0.1/realms/two"})),
        ("another audience", json!({"aud": "roadcall-admin"})),
        ("another sign-in", json!({"nonce": "x".repeat(43)})),
        ("no nonce", json!({"nonce": null})),
        ("expired", json!({"exp": after(-60)})),
        ("no end", json!({"exp": null})),
        ("made in the future", json!({"iat": after(61)})),
        ("not valid yet", json!({"nbf": after(61)})),
        ("another client", json!({"azp": "another"})),
        ("several audiences and no client", json!({"aud": [CLIENT_ID, "another"]})),
        ("another access token", json!({"at_hash": "77QmUPtjPfzWtF2AnpK9RQ"})),
        ("nobody", json!({"sub": null})),
        ("no email", json!({"email": null})),
    ];
    for (why, claims) in cases {
        let outcome = identified(&flow, &peer, claims).await;
        assert!(invalid(&outcome), "{why}: {outcome:?}");
    }
    let whole = json!({"iss": peer.issuer(), "aud": CLIENT_ID, "sub": "u1", "email": "asha@example.com",
        "email_verified": true, "nonce": secrets().nonce, "iat": after(0), "exp": after(300)});
    let (stranger, public) = key_pair("k");
    let as_secret = EncodingKey::from_secret(public.to_string().as_bytes());
    let header = Header { kid: Some("k".to_owned()), ..Header::new(Algorithm::HS256) };
    let part = |value: Value| {
        use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
        URL_SAFE_NO_PAD.encode(value.to_string())
    };
    let cases = [
        ("another's key", signed(&stranger, "k", &whole)),
        ("an unknown key", signed(&stranger, "other", &whole)),
        ("HS256", jsonwebtoken::encode(&header, &whole, &as_secret).unwrap()),
        ("none", format!("{}.{}.", part(json!({"alg": "none", "kid": "k"})), part(whole.clone()))),
        ("no token", "x".to_owned()),
    ];
    for (why, token) in cases {
        peer.answer_with(token);
        let outcome = identified(&flow, &peer, json!({})).await;
        assert!(invalid(&outcome), "{why}: {outcome:?}");
    }
    peer.answer_with(peer.sign(&whole));
    identified(&flow, &peer, json!({})).await.expect("the untouched one");
}

#[actix_web::test]
async fn a_code_is_good_once_and_for_the_browser_that_asked_for_it() {
    let peer = OidcPeer::start().await;
    let flow = flow(&peer);
    let url = flow.sign_in_url(&secrets(), at(0)).await.unwrap();
    let returned = peer.authorize(url.as_str(), at(0), json!({}));
    let answer = || ProviderAnswer { code: &returned.code, issuer: None };
    flow.identify(&secrets(), answer(), at(0)).await.unwrap();
    let again = flow.identify(&secrets(), answer(), at(0)).await;
    assert!(matches!(again, Err(CodeFlowError::CodeRefused)), "{again:?}");

    let returned = peer.authorize(url.as_str(), at(0), json!({}));
    let stolen = SignInSecrets { verifier: "w".repeat(43), ..secrets() };
    let outcome = flow.identify(&stolen, ProviderAnswer { code: &returned.code, issuer: None }, at(0)).await;
    assert!(matches!(outcome, Err(CodeFlowError::CodeRefused)), "{outcome:?}");
}

#[actix_web::test]
async fn an_answer_of_another_provider_is_refused_before_its_code_is_sent_anywhere() {
    let peer = OidcPeer::start().await;
    let flow = flow(&peer);
    let issuer = peer.issuer();
    let come_back = async |issuer: Option<&str>, flow: &CodeFlow| {
        let url = flow.sign_in_url(&secrets(), at(0)).await.unwrap();
        let returned = peer.authorize(url.as_str(), at(0), json!({}));
        flow.identify(&secrets(), ProviderAnswer { code: &returned.code, issuer }, at(0)).await
    };
    come_back(Some(&issuer), &flow).await.unwrap();
    come_back(None, &flow).await.unwrap();
    let asked = peer.asked(Part::Tokens);
    assert!(invalid(&come_back(Some("https://evil.example"), &flow).await));
    peer.configure("authorization_response_iss_parameter_supported", json!(true));
    let flow = self::flow(&peer);
    assert!(invalid(&come_back(None, &flow).await), "a provider that always says its name");
    assert_eq!(peer.asked(Part::Tokens), asked);
    come_back(Some(&issuer), &flow).await.unwrap();
}

#[actix_web::test]
async fn an_unusable_configuration_is_reported_and_fetched_again() {
    let peer = OidcPeer::start().await;
    let html = || says(200, "<html>Sign in</html>").with("content-type", "text/html");
    let moved = || says(404, "");
    for manner in [html(), moved(), Manner::Endless] {
        peer.speak(Part::Configuration, manner.clone());
        let flow = flow(&peer);
        let outcome = flow.sign_in_url(&secrets(), at(0)).await;
        assert!(unusable(&outcome), "{manner:?}: {outcome:?}");
        peer.speak(Part::Configuration, Manner::Documented);
        assert!(unusable(&flow.sign_in_url(&secrets(), at(4)).await), "not asked again at once");
        flow.sign_in_url(&secrets(), at(5)).await.unwrap();
    }
    peer.configure("issuer", json!(format!("{}/", peer.issuer())));
    let outcome = flow(&peer).sign_in_url(&secrets(), at(0)).await;
    assert!(unusable(&outcome), "another issuer: {outcome:?}");
    peer.configure("issuer", json!(peer.issuer()));
    peer.configure("authorization_endpoint", Value::Null);
    let outcome = flow(&peer).sign_in_url(&secrets(), at(0)).await;
    assert!(unusable(&outcome), "nowhere to sign in: {outcome:?}");
}

#[actix_web::test]
async fn a_silent_provider_holds_nobody_up() {
    let peer = OidcPeer::start().await;
    let hasty = || flow_with(&peer.issuer(), |settings| settings.timeout = Duration::from_secs(2));
    for manner in [Manner::Silent, says(503, "")] {
        peer.speak(Part::Configuration, manner.clone());
        let outcome = hasty().sign_in_url(&secrets(), at(0)).await;
        assert!(unreachable(&outcome), "{manner:?}: {outcome:?}");
        peer.speak(Part::Configuration, Manner::Documented);
        for part in [Part::Tokens, Part::Keys] {
            peer.speak(part, manner.clone());
            let outcome = identified(&hasty(), &peer, json!({})).await;
            assert!(unreachable(&outcome), "{part:?} {manner:?}: {outcome:?}");
            peer.speak(part, Manner::Documented);
        }
    }
    let asked = peer.asked(Part::Tokens);
    peer.speak(Part::Tokens, says(500, ""));
    assert!(unreachable(&identified(&flow(&peer), &peer, json!({})).await));
    assert_eq!(peer.asked(Part::Tokens), asked + 1, "one try: the code may be used");
}

#[actix_web::test]
async fn unreadable_tokens_sign_nobody_in_and_are_not_quoted() {
    let peer = OidcPeer::start().await;
    let flow = flow(&peer);
    let cases = [
        says(200, "<html>SECRET</html>"),
        says(200, "{\"id_token\": 7, \"access_token\": \"SECRET\"}"),
        says(200, "{\"access_token\": \"SECRET\"}"),
        says(302, "SECRET"),
        says(400, "SECRET"),
        says(400, "{\"error\": \"a SECRET\"}"),
        Manner::Endless,
    ];
    for manner in cases {
        peer.speak(Part::Tokens, manner.clone());
        let outcome = identified(&flow, &peer, json!({})).await;
        assert!(unusable(&outcome), "{manner:?}: {outcome:?}");
        let said = outcome.unwrap_err();
        assert!(!format!("{said} {said:?}").contains("SECRET"), "{said:?}");
    }
}

#[actix_web::test]
async fn a_provider_that_was_away_at_the_start_is_found_later() {
    let [port] = free_ports();
    let issuer = issuer_at(port);
    let flow = flow_with(&issuer, |_| {});
    let outcome = flow.sign_in_url(&secrets(), at(0)).await;
    assert!(unreachable(&outcome), "{outcome:?}");
    let peer = OidcPeer::start_at(port).await;
    assert!(unreachable(&flow.sign_in_url(&secrets(), at(1)).await), "not asked again at once");
    identified_at(&flow, &peer, json!({}), at(5)).await.unwrap();
    // Documents that were fetched before stay in use.
    for part in [Part::Configuration, Part::Keys] {
        peer.speak(part, says(503, ""));
    }
    identified_at(&flow, &peer, json!({}), at(10_000)).await.unwrap();
    assert_eq!(peer.asked(Part::Configuration), 2);
}

#[actix_web::test]
async fn roles_are_read_from_a_claim_or_a_nested_claim() {
    let peer = OidcPeer::start().await;
    let cases = [
        ("groups", json!({"groups": ["desk", "leads", 7]}), vec!["desk", "leads"]),
        ("role", json!({"role": "desk"}), vec!["desk"]),
        ("https://roadcall.example/roles", json!({"https://roadcall.example/roles": ["desk"]}), vec!["desk"]),
        ("realm_access.roles", json!({"realm_access": {"roles": ["desk"]}}), vec!["desk"]),
        ("groups", json!({}), vec![]),
        ("groups", json!({"groups": {"desk": true}}), vec![]),
        ("realm_access.roles", json!({"realm_access": "roles"}), vec![]),
    ];
    for (claim, claims, expected) in cases {
        let flow = flow_with(&peer.issuer(), |settings| settings.role_claim = claim);
        let identity = identified(&flow, &peer, claims.clone()).await.unwrap();
        assert_eq!(identity.roles, expected, "{claim} of {claims}");
    }
}
