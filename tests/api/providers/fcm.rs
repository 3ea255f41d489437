//! The adapter of FCM against a peer that verifies signatures and responds as documented.

use std::{collections::BTreeMap, fs, sync::Arc, time::Duration};

use futures_util::future::join_all;
use roadcall::{
    platform::keys::KeyRing,
    providers::push::{Platform, PushDevice, PushError, PushMessage, PushStartError, Pushes},
    service::settings::{PushProvider, Settings},
};
use roadcall_actors::{clock::Clock, random::Random};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{
    bodies::AssertFields,
    fcm::{EMAIL, FcmPeer, KEY_ID, PROJECT, error, private_key},
    peer::{Manner, says},
};

fn settings(peer: &FcmPeer) -> Settings {
    let mut settings = Settings::defaults();
    peer.set(&mut settings.push);
    settings
}

fn start(settings: &Settings) -> Result<Pushes, PushStartError> {
    let (clock, random) = (Clock::system(), Random::system());
    Pushes::start(&settings.push, &settings.core(), &clock, &random, &KeyRing::alone([7; 32]))
}

fn provider(settings: &Settings) -> Arc<Pushes> {
    roadcall::platform::https::install_tls_provider();
    settings.check().expect("sound settings");
    Arc::new(start(settings).expect("a provider"))
}

async fn started() -> (FcmPeer, Arc<Pushes>) {
    let peer = FcmPeer::start().await;
    let push = provider(&settings(&peer));
    (peer, push)
}

fn device(token: &str) -> PushDevice {
    PushDevice { owner: Uuid::nil(), token: token.to_owned(), platform: Platform::Android, keys: None }
}

fn offer() -> PushMessage {
    PushMessage {
        id: Uuid::from_u128(1),
        kind: "job_offer",
        title: "A job near you".to_owned(),
        body: "Take it or decline it before the offer ends.".to_owned(),
        data: BTreeMap::from([("offer_id".to_owned(), Uuid::from_u128(2))]),
        is_urgent: true,
        life: Duration::from_secs(17),
        ends_at: None,
        rings: true,
        buttons: &[],
    }
}

async fn tell(push: &Arc<Pushes>, token: &str) -> Result<(), PushError> {
    push.push(&device(token), &offer()).await
}

fn why(told: Result<(), PushError>) -> String {
    match told {
        Err(PushError::Unavailable { why, .. }) => why,
        told => panic!("{told:?}"),
    }
}

fn details(code: &str) -> Value {
    json!([{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": code}])
}

#[actix_web::test]
async fn a_message_is_sent_with_a_token_granted_for_a_signed_assertion() {
    let (peer, push) = started().await;
    assert_eq!(tell(&push, "phone").await, Ok(()));
    assert_eq!(peer.faults(), Vec::<String>::new());
    let message = peer.taken().remove(0);
    message.assert_fields(json!({"token": "phone", "android/priority": "HIGH", "android/ttl": "17s",
        "data/offer_id": Uuid::from_u128(2)}));
    let shown = format!("{push:?} {:?} {:?}", device("phone-token"), offer());
    for secret in ["phone-token", "near you", "BEGIN"] {
        assert!(!shown.contains(secret), "{shown}");
    }
}

#[actix_web::test]
async fn one_access_token_serves_many_and_is_fetched_once_at_a_time() {
    let (peer, push) = started().await;
    let tokens: Vec<String> = (0..20).map(|number| format!("phone{number}")).collect();
    let told = join_all(tokens.iter().map(|token| tell(&push, token))).await;
    assert!(told.iter().all(Result::is_ok), "{told:?}");
    assert_eq!((peer.granted(), peer.taken().len()), (1, 20));
}

#[actix_web::test]
async fn an_access_token_is_replaced_before_it_expires() {
    let peer = FcmPeer::start().await;
    // Half of its life is already over, so it is to be replaced.
    peer.lasts(1);
    let push = provider(&settings(&peer));
    tell(&push, "phone").await.expect("taken");
    peer.lasts(3599);
    while peer.granted() == 1 {
        tell(&push, "phone").await.expect("taken");
    }
    tell(&push, "phone").await.expect("taken");
    assert_eq!(peer.granted(), 2, "the new one lasts");
    assert!(peer.asked().len() == peer.taken().len(), "none was sent under an expired one");
}

#[actix_web::test]
async fn a_revoked_access_token_is_replaced_once_for_all() {
    let (peer, push) = started().await;
    tell(&push, "phone").await.expect("taken");
    peer.revoke_all();
    let told = join_all((0..8).map(|_| tell(&push, "phone"))).await;
    assert!(told.iter().all(Result::is_ok), "{told:?}");
    assert_eq!(peer.granted(), 2);
}

#[actix_web::test]
async fn a_second_401_is_reported_and_not_retried() {
    let (peer, push) = started().await;
    peer.send_as(says(401, error(401, "UNAUTHENTICATED", "", json!([]))));
    assert_eq!(why(tell(&push, "phone").await), "the access token is not accepted");
    assert_eq!((peer.granted(), peer.asked().len()), (2, 2));
}

#[actix_web::test]
async fn only_tokens_that_fcm_calls_dead_are_dead() {
    let (peer, push) = started().await;
    peer.uninstalled("gone");
    let text = "The registration token is not a valid FCM registration token";
    peer.answer_of("odd", says(400, error(400, "INVALID_ARGUMENT", text, details("INVALID_ARGUMENT"))));
    let other = error(400, "INVALID_ARGUMENT", "Invalid TTL", details("INVALID_ARGUMENT"));
    peer.answer_of("fine", says(400, other));
    peer.answer_of("elsewhere", says(404, "<html>"));
    let mismatch = error(403, "PERMISSION_DENIED", "SenderId mismatch", details("SENDER_ID_MISMATCH"));
    peer.answer_of("theirs", says(403, mismatch));
    assert_eq!(tell(&push, "gone").await, Err(PushError::Gone));
    assert_eq!(tell(&push, "odd").await, Err(PushError::Gone));
    assert_eq!(tell(&push, "fine").await, Err(PushError::Refused("status 400, INVALID_ARGUMENT".to_owned())));
    assert_eq!(why(tell(&push, "elsewhere").await), "status 404");
    let refused = Err(PushError::Refused("status 403, SENDER_ID_MISMATCH".to_owned()));
    assert_eq!(tell(&push, "theirs").await, refused);
}

#[actix_web::test]
async fn a_busy_answer_tells_how_long_to_wait() {
    let (peer, push) = started().await;
    for (status, code, after, expected) in [
        (429, "QUOTA_EXCEEDED", Some("60"), Some(Duration::from_secs(60))),
        (503, "UNAVAILABLE", Some("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::ZERO)),
        (503, "UNAVAILABLE", Some("soon"), None),
        (500, "INTERNAL", None, None),
    ] {
        let body = error(status, code, "", details(code));
        peer.send_as(says(status, body).retry_after(after));
        let expected = PushError::Unavailable { why: format!("status {status}, {code}"), after: expected };
        assert_eq!(tell(&push, "phone").await, Err(expected));
    }
    peer.send_as(says(503, "not json"));
    assert_eq!(why(tell(&push, "phone").await), "status 503");
    peer.send_as(says(400, " ".repeat(100_000)));
    assert_eq!(why(tell(&push, "phone").await), "the answer is larger than 65536 bytes");
    peer.send_as(Manner::Cut(503));
    assert_eq!(why(tell(&push, "phone").await), "the connection was cut");
}

#[actix_web::test]
async fn a_silent_peer_is_abandoned() {
    let peer = FcmPeer::start().await;
    let mut impatient = settings(&peer);
    impatient.push.timeout_ms = 300;
    peer.send_as(Manner::Silent);
    assert_eq!(why(tell(&provider(&impatient), "phone").await), "no answer in time");
    peer.grant_as(Manner::Silent);
    assert_eq!(why(tell(&provider(&impatient), "phone").await), "access token: no answer in time");
    impatient.push.fcm_token_uri = "http://127.0.0.1:1/token".to_owned();
    assert_eq!(why(tell(&provider(&impatient), "phone").await), "access token: no connection");
}

#[actix_web::test]
async fn unusable_grants_are_not_used() {
    for (status, body) in [
        (400, r#"{"error":"invalid_grant","error_description":"Invalid JWT Signature."}"#),
        (200, "{}"),
        (200, r#"{"access_token":"","expires_in":3599}"#),
        (200, r#"{"access_token":"ya29.x","expires_in":-1}"#),
        (200, "not json"),
        (500, ""),
    ] {
        let peer = FcmPeer::start().await;
        peer.grant_as(says(status, body));
        let push = provider(&settings(&peer));
        // Requests that come while the grant is known to fail do not ask for it again.
        let told = join_all((0..5).map(|_| tell(&push, "phone"))).await;
        for told in told {
            assert!(why(told).starts_with("access token: "), "{body}");
        }
        assert_eq!((peer.granted(), peer.asked().len()), (1, 0), "{body}");
    }
}

#[actix_web::test]
async fn the_service_account_may_come_from_its_file() {
    let peer = FcmPeer::start().await;
    let path = std::env::temp_dir().join(format!("roadcall-fcm-{}.json", std::process::id()));
    let mut of_file = settings(&peer);
    let file = json!({
        "type": "service_account", "project_id": PROJECT, "private_key_id": KEY_ID, "private_key": private_key(),
        "client_email": EMAIL, "client_id": "1", "token_uri": of_file.push.fcm_token_uri,
    });
    fs::write(&path, file.to_string()).expect("a file");
    of_file.push.fcm_service_account_file = path.display().to_string();
    for own in [
        &mut of_file.push.fcm_project_id,
        &mut of_file.push.fcm_client_email,
        &mut of_file.push.fcm_private_key_id,
        &mut of_file.push.fcm_private_key.0,
        &mut of_file.push.fcm_token_uri,
    ] {
        own.clear();
    }
    assert_eq!(tell(&provider(&of_file), "phone").await, Ok(()));
    assert_eq!(peer.faults(), Vec::<String>::new());
    let mut of_environment = settings(&peer);
    of_environment.push.fcm_private_key.0 = private_key().replace('\n', "\\n");
    assert_eq!(tell(&provider(&of_environment), "phone").await, Ok(()));

    let refused = |settings: &Settings| start(settings).map(drop).expect_err("refused");
    fs::write(&path, "{\"private_key\": secret}").expect("a file");
    let told = refused(&of_file).to_string();
    assert!(told.contains("line 1") && !told.contains("secret"), "{told}");
    fs::write(&path, json!({"project_id": PROJECT}).to_string()).expect("a file");
    assert!(matches!(refused(&of_file), PushStartError::Missing("private_key")));
    fs::remove_file(&path).expect("removed");
    assert!(matches!(refused(&of_file), PushStartError::File(_)));
    let mut bad_key = settings(&peer);
    bad_key.push.fcm_private_key.0 =
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----".to_owned();
    assert!(matches!(refused(&bad_key), PushStartError::Key));
    bad_key.push.provider = PushProvider::Log;
    assert!(start(&bad_key).is_ok(), "nobody needs it");
}
