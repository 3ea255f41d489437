//! Addresses that partners name for their webhooks. None of them leads into a private network.

use serde_json::{Value, json};

use super::{insurer, spawn, subscribe};
use crate::support::{
    Client, bodies::id_of, cases::new_case, hooks::HookReceiver, roadside::PICKUP, spawn_app, until,
};

/// Addresses that are refused when they are registered: each leads to this machine or into a private network, or is unusual.
const REFUSED: [&str; 38] = [
    // Numbers, in every form that a resolver understands.
    "https://127.0.0.1/hooks",
    "https://127.1/hooks",
    "https://0/hooks",
    "https://0.0.0.0/hooks",
    "https://2130706433/hooks",
    "https://0x7f000001/hooks",
    "https://0x7f.0.0.1/hooks",
    "https://0177.0.0.1/hooks",
    "https://017700000001/hooks",
    "https://10.0.0.1/hooks",
    "https://172.16.0.1/hooks",
    "https://192.168.1.1/hooks",
    "https://100.64.0.1/hooks",
    "https://169.254.169.254/latest/meta-data",
    "https://224.0.0.1/hooks",
    "https://255.255.255.255/hooks",
    "https://8.8.8.8/hooks",
    "https://127.0.0.1./hooks",
    // Fullwidth digits and dots become plain ones.
    "https://１２７．０．０．１/hooks",
    "https://[::]/hooks",
    "https://[::1]/hooks",
    "https://[::ffff:127.0.0.1]/hooks",
    "https://[::ffff:7f00:1]/hooks",
    "https://[::127.0.0.1]/hooks",
    "https://[64:ff9b::7f00:1]/hooks",
    "https://[2002:7f00:1::]/hooks",
    "https://[fd00::1]/hooks",
    "https://[fe80::1]/hooks",
    // Names of this machine or of its network.
    "https://localhost/hooks",
    "https://localhost./hooks",
    "https://LOCALHOST/hooks",
    "https://metadata/hooks",
    // Unusual parts.
    "https://user:secret@hooks.example/a",
    "https://hooks.example@127.0.0.1/a",
    "https://hooks.example:8443/a",
    "https://hooks.example/a#b",
    "http://hooks.example/a",
    "file:///etc/passwd",
];

#[actix_web::test]
async fn no_address_without_a_public_name_is_registered() {
    let app = spawn_app().await;
    let program = insurer(&app, json!({})).await.program;
    let good = json!({"url": "https://hooks.partner.invalid/roadcall"});
    let path = format!(
        "/partner/subscriptions/{}",
        id_of(&program.post("/partner/subscriptions", good.clone()).await.expect(201))
    );
    for url in REFUSED {
        let body = json!({ "url": url });
        program.post("/partner/subscriptions", body.clone()).await.refused_field("url");
        program.patch(&path, body).await.refused_field("url");
    }
    assert_eq!(program.column("/partner/subscriptions", "url").await, [good["url"].clone()]);
}

/// Names that are written like public ones. None has a public address.
const LEADING_INSIDE: [&str; 3] = ["localhost.localdomain", "hooks.localhost", "hooks.partner.invalid"];

#[actix_web::test]
async fn a_name_that_leads_to_no_public_address_is_asked_nothing() {
    let app = spawn_app().await;
    let program = insurer(&app, json!({})).await.program;
    for name in LEADING_INSIDE {
        let new = json!({"url": format!("https://{name}/hooks")});
        let id = id_of(&program.post("/partner/subscriptions", new).await.expect(201));
        let path = |verb: &str| format!("/partner/subscriptions/{id}/{verb}");
        let refused = program.post(&path("verify"), json!({})).await;
        refused.refused_saying(409, "INVALID_TRANSITION", "it gave no answer: its name");
        let trial = program.post(&path("test"), json!({})).await.expect(200);
        assert_eq!((&trial["is_taken"], &trial["answer_status"]), (&json!(false), &json!(null)), "{name}");
    }
}

/// Waits until the first delivery was tried, and returns it.
async fn tried(program: &Client) -> Value {
    until("a delivery is tried", async || {
        let listed = program.list("/partner/deliveries").await;
        listed.into_iter().find(|delivery| delivery["failure"].is_string())
    })
    .await
}

#[actix_web::test]
async fn an_address_that_was_registered_before_the_rules_became_stricter_is_not_reached() {
    let mut app = spawn().await;
    let receiver = HookReceiver::start().await;
    let program = {
        let insurer = insurer(&app, json!({})).await;
        subscribe(&insurer, &receiver).await;
        insurer.program
    };
    app.restart_with(|settings| settings.partners.allow_private_addresses = false).await;
    let program = program.at(app.address);
    program.post("/partner/cases", new_case("roadside", PICKUP)).await.expect(201);
    let delivery = tried(&program).await;
    assert_eq!(delivery["failure"], "the address must be https, on the usual port");
    assert_eq!((&delivery["status"], &delivery["answer_status"]), (&json!("pending"), &json!(null)));
    assert!(receiver.events().is_empty());
}
