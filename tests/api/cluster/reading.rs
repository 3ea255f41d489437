//! The server that leads shows jobs from memory, and the others from the database.

use std::{cell::Cell, net::SocketAddr};

use roadcall::app::StartOptions;
use roadcall_actors::clock::Clock;
use serde_json::{Value, json};

use crate::support::{Client, TestApp, spawn_cluster, spawn_cluster_with};

/// Returns the job as both servers show it, which is the same. The server that leads remembers it from then on.
async fn shown_by_both(app: &TestApp, reader: &Client, job: &str) -> Value {
    let path = format!("/jobs/{job}");
    let by_leader = reader.at(app.leaders_address()).get(&path).await.expect(200);
    assert_eq!(by_leader, reader.get(&path).await.expect(200));
    by_leader
}

#[actix_web::test]
async fn both_servers_show_a_change_once_it_is_answered() {
    let app = spawn_cluster().await;
    let (admin, scene) = (app.admin().await, app.accepted().await);
    let (customer, mechanic): (&Client, &Client) = (&scene.customer, &scene.mechanic.client);
    let there = app.leaders_address();
    let code = shown_by_both(&app, customer, &scene.job).await["start_code"].clone();
    for (server, verb, body, status) in [
        (app.address, "en-route", json!({}), "en_route"),
        (there, "arrive", json!({"override_reason": "here"}), "arrived"),
        (app.address, "start", json!({"start_code": code}), "in_progress"),
        (there, "complete", json!({"outcome": "fixed"}), "completed"),
    ] {
        mechanic.at(server).post(&scene.path(&format!("/{verb}")), body).await.expect(200);
        assert_eq!(shown_by_both(&app, customer, &scene.job).await["status"], status);
    }

    assert!(app.leading().remembered.has(scene.job.parse().expect("a UUID")));
    let token = customer.post(&scene.path("/calls/token"), json!({})).await.expect(200);
    assert_eq!(shown_by_both(&app, customer, &scene.job).await["hms_room_id"], token["room_id"]);
    scene.pay_cash().await;
    let paid = shown_by_both(&app, &admin, &scene.job).await;
    assert_eq!((&paid["status"], &paid["customer_first_name"]), (&json!("paid"), &json!("Asha")));
    customer.delete("/users/me").await.expect(204);
    assert_eq!(shown_by_both(&app, &admin, &scene.job).await["customer_first_name"], Value::Null);
}

#[actix_web::test]
async fn no_server_shows_an_older_state_than_before() {
    let clock = Clock::controlled(Clock::system().now());
    let options = StartOptions { clock, ..StartOptions::default() };
    let app = spawn_cluster_with(|settings| settings.limits.per_user_per_minute = 1_000_000, options).await;
    let scene = app.accepted().await;
    let is_over = Cell::new(false);
    let watch = async |address: SocketAddr| {
        let (reader, mut newest) = (scene.customer.at(address), 0);
        while !is_over.get() {
            let job = reader.get(&scene.path("")).await.expect(200);
            let seq = job["seq"].as_i64().expect("a number");
            assert!(seq >= newest, "{seq} after {newest} at {address}");
            newest = seq;
        }
        newest
    };
    let serve = async {
        scene.serve().await;
        scene.pay_cash().await;
        is_over.set(true);
    };
    let (here, there, ()) = tokio::join!(watch(app.address), watch(app.leaders_address()), serve);
    let last = shown_by_both(&app, &scene.customer, &scene.job).await["seq"].as_i64().expect("a number");
    assert!(here <= last && there <= last, "{here} {there} {last}");
}
