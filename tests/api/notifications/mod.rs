//! Notifications over real HTTP: how they are listed, who gets them, and how they reach sockets and devices.

mod browsers;
mod devices;
mod listing;
mod pushing;
mod searching;
mod telling;
mod texting;

use roadcall::service::settings::Settings;
use serde_json::{Value, json};

use crate::support::{Client, TestApp, fcm::FcmPeer, spawn_app_with, until};

/// Starts an app that sends pushes to the peer.
async fn spawn_with(peer: &FcmPeer, alter: impl FnOnce(&mut Settings)) -> TestApp {
    spawn_app_with(|settings| {
        peer.set(&mut settings.push);
        alter(settings);
        settings.check().expect("sound settings");
    })
    .await
}

async fn register(person: &Client, token: &str) -> Value {
    let new = json!({"token": token, "platform": "android", "device_id": format!("device of {token}")});
    person.post("/notifications/push-tokens", new).await.expect(201)
}

async fn listed(person: &Client, query: &str) -> Vec<Value> {
    let page = person.get(&format!("/notifications?limit=100{query}")).await.expect(200);
    page["data"].as_array().expect("a list").clone()
}

/// Returns the types of the person's notifications, oldest first.
async fn told(person: &Client) -> Vec<String> {
    let kinds = listed(person, "").await;
    kinds.iter().rev().map(|told| told["type"].as_str().expect("a type").to_owned()).collect()
}

/// Waits until the person's last notification of this type has that status.
async fn until_status(person: &Client, kind: &str, status: &str) -> Value {
    until(&format!("{kind} is {status}"), async || {
        let found = listed(person, &format!("&type={kind}")).await.into_iter().next();
        found.filter(|told| told["delivery_status"] == status)
    })
    .await
}
