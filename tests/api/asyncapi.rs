//! Checks that the AsyncAPI document is complete. Frames are compared with it wherever a test reads one
//! (`support/socket.rs`, `support/stream.rs`).

use std::collections::BTreeSet;

use roadcall::partners::feeds::PartnerEventKind;
use serde_json::{Value, json};

use crate::support::{document, spawn_app_with};

fn names(value: &Value) -> BTreeSet<&str> {
    value.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect()
}

/// Calls `visit` with every reference.
fn references<'a>(value: &'a Value, visit: &mut impl FnMut(&'a str)) {
    match value {
        Value::Object(map) => {
            if let Some(target) = map.get("$ref").and_then(Value::as_str) {
                visit(target);
            }
            map.values().for_each(|value| references(value, visit));
        }
        Value::Array(list) => list.iter().for_each(|value| references(value, visit)),
        _ => {}
    }
}

fn of_channel(channel: &str) -> BTreeSet<&'static str> {
    names(&document::of_socket()["channels"][channel]["messages"])
}

#[actix_web::test]
async fn the_served_document_is_public_and_names_its_server() {
    let public_url = "http://127.0.0.1:8080".to_owned();
    let app = spawn_app_with(|settings| settings.server.public_url = public_url).await;
    let served = app.anonymous().get("/asyncapi.json").await.expect(200);
    assert_eq!(&served, document::of_socket());
    assert_eq!(served["asyncapi"], "3.0.0");
    let socket = &served["servers"]["socket"];
    assert_eq!((&socket["host"], &socket["protocol"]), (&json!("127.0.0.1:8080"), &json!("ws")));
}

#[test]
fn every_reference_has_a_target() {
    let mut dangling = BTreeSet::new();
    references(document::of_socket(), &mut |target| {
        let found = target.strip_prefix('#').and_then(|pointer| document::of_socket().pointer(pointer));
        if found.is_none_or(Value::is_null) {
            dangling.insert(target);
        }
    });
    assert!(dangling.is_empty(), "{dangling:?}");
}

#[test]
fn the_document_has_all_parts_of_the_specification() {
    let document = document::of_socket();
    let is_key = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
    for part in ["messages", "schemas", "securitySchemes"] {
        let names = names(&document["components"][part]);
        assert!(!names.is_empty() && names.iter().all(|name| is_key(name)), "{part}: {names:?}");
    }
    assert!(document["info"]["title"].is_string() && document["info"]["version"].is_string());
    for (name, channel) in document["channels"].as_object().expect("channels") {
        let address = channel["address"].as_str().expect("an address");
        let parameters: BTreeSet<&str> =
            address.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect();
        assert_eq!(names(&channel["parameters"]), parameters, "{name}");
    }
    for (name, operation) in document["operations"].as_object().expect("operations") {
        assert!(["send", "receive"].contains(&operation["action"].as_str().unwrap_or_default()), "{name}");
        let channel = operation["channel"]["$ref"].as_str().expect("a channel");
        let replies = operation["reply"]["messages"].as_array().into_iter().flatten();
        for message in operation["messages"].as_array().expect("messages").iter().chain(replies) {
            let target = message["$ref"].as_str().expect("a reference");
            assert!(
                target.starts_with(&format!("{channel}/messages/")),
                "{name}: {target} is of another channel"
            );
        }
    }
    for (name, message) in document["components"]["messages"].as_object().expect("messages") {
        assert_eq!(message["name"], name.as_str());
        assert!(message["summary"].is_string(), "{name}");
        assert!(message["payload"]["properties"]["type"]["const"].is_string(), "{name}");
    }
}

#[test]
fn every_type_of_frame_is_documented_and_every_message_belongs_to_an_operation() {
    let client: Vec<&str> = roadcall::ws::client_shapes().iter().map(|frame| frame.name).collect();
    let server: Vec<&str> = roadcall::ws::server_shapes().iter().map(|frame| frame.name).collect();
    let socket = of_channel("socket");
    // A type that both sides send is two messages.
    let key = |name: &&str| if server.contains(name) { format!("{name}.asked") } else { (*name).to_owned() };
    let asked: Vec<String> = client.iter().map(key).collect();
    for name in asked.iter().map(String::as_str).chain(server.iter().copied()) {
        assert!(socket.contains(name), "{name} is not documented");
    }
    let acks: Vec<String> = client.iter().map(|name| format!("{name}.ack")).collect();
    let expected: BTreeSet<&str> = server
        .iter()
        .copied()
        .chain(asked.iter().chain(&acks).map(String::as_str))
        .chain(["error"])
        .collect();
    assert_eq!(socket, expected);
    let webhooks = of_channel("webhooks");
    let told: BTreeSet<&str> = PartnerEventKind::ALL.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(webhooks, told);
    assert!(webhooks.is_disjoint(&expected), "two messages of one name");
    let all: BTreeSet<&str> = expected.union(&webhooks).copied().collect();
    assert_eq!(names(&document::of_socket()["components"]["messages"]), all);
    let stream = of_channel("job_stream");
    assert!(
        stream.is_subset(&socket) && stream.contains("job.snapshot") && !stream.contains("offer.created")
    );
}

#[test]
fn objects_equal_those_of_the_openapi_document() {
    let (of_socket, openapi) = (document::of_socket(), document::document());
    for name in [
        "Job",
        "Offer",
        "LineItem",
        "Payment",
        "Location",
        "Eta",
        "MechanicProfile",
        "LocationReceipt",
        "Points",
        "Message",
        "Call",
        "CaseSnapshot",
        "PartnerEventContent",
    ] {
        let (own, theirs) =
            (&of_socket["components"]["schemas"][name], &openapi["components"]["schemas"][name]);
        assert!(own["properties"].is_object(), "{name} is missing");
        assert_eq!(own["required"], theirs["required"], "{name}");
        assert_eq!(names(&own["properties"]), names(&theirs["properties"]), "{name}");
    }
}

#[test]
fn an_undocumented_frame_is_noticed() {
    let odd = [
        json!({"type": "location.rate", "at": "2026-03-14T08:30:00.000Z", "data": {"interval_s": "3"}}),
        json!({"type": "location.rate", "at": "2026-03-14T08:30:00.000Z", "data": {"interval_s": 3, "more": 1}}),
        json!({"type": "location.rate", "data": {"interval_s": 3}}),
        json!({"type": "nonsense", "at": "2026-03-14T08:30:00.000Z", "data": {}}),
    ];
    for frame in odd {
        let checked = std::panic::catch_unwind(|| document::check_frame(&frame, None));
        assert!(checked.is_err(), "{frame}");
    }
    let fine = json!({"type": "location.rate", "at": "2026-03-14T08:30:00.000Z", "data": {"interval_s": 3}});
    document::check_frame(&fine, None);
}
