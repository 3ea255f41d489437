//! The server that leads shows jobs from memory, and the others from the database.

use std::{cell::Cell, net::SocketAddr};

use roadcall::app::StartOptions;
use roadcall_actors::clock::Clock;
use serde_json::{Value, json};

use crate::support::{Client, TestApp, bodies::FLAT_TYRE, spawn_cluster, spawn_cluster_with, until_so};

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

#[actix_web::test]
async fn estimates_of_all_servers_follow_a_changed_price() {
    let app = spawn_cluster().await;
    let (admin, stranded) = (app.admin().await, app.breakdown().await);
    let ask = json!({"vehicle_id": stranded.vehicle_id, "service_category_id": FLAT_TYRE,
        "pickup_lat": stranded.place.0, "pickup_lng": stranded.place.1});
    let price_at = async |address: SocketAddr| {
        let answer = stranded.client.at(address).post("/jobs/estimate", ask.clone()).await;
        answer.expect(200)["base_price"].as_f64()
    };
    let servers = [app.address, app.leaders_address()];
    for (server, price) in servers.into_iter().zip([349.0, 399.0]) {
        let change = json!({"base_price": price});
        admin.at(server).patch(&format!("/service-categories/{FLAT_TYRE}"), change).await.expect(200);
        assert_eq!(price_at(server).await, Some(price), "where it was changed");
        for other in servers {
            until_so("the new price", async || price_at(other).await == Some(price)).await;
        }
    }
}
