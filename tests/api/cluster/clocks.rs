//! Servers whose clocks are wrong: the database's clock decides what is due.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall::app::StartAgain;
use roadcall_actors::clock::Clock;
use serde_json::{Value, json};

use super::{drives_on, until_led};
use crate::support::{TestApp, roadside::PICKUP, spawn_cluster, spawn_cluster_by, until, within};

/// Starts a leader whose machine's time was set wrong by this much; clients use a server that is right.
async fn led_by_a_machine_ahead(ahead: TimeDelta) -> TestApp {
    spawn_cluster_by([Clock::system_ahead(ahead), Clock::system()]).await
}

async fn database_time(app: &TestApp) -> DateTime<Utc> {
    app.value("select clock_timestamp()", &[]).await
}

/// Waits until the leader says that it is not ready, and returns why.
async fn until_not_ready(app: &TestApp) -> Value {
    let leaders = app.anonymous().at(app.leaders_address());
    until("it is not ready", async || {
        let ready = leaders.get("/health/ready").await;
        (ready.status == 503).then(|| ready.body["checks"].clone())
    })
    .await
}

/// Checks that everything is noted by the database's time, and that nothing waits for a clock.
async fn leads_well_although_ahead(ahead: TimeDelta) {
    // The error of a followed clock is at most the time that an answer of the database takes.
    const SLACK: TimeDelta = TimeDelta::seconds(2);
    let app = led_by_a_machine_ahead(ahead).await;
    let began = database_time(&app).await;
    let mut scene = app.accepted().await;
    let mut customer = app.following(&scene).await;
    scene.step("en-route", json!({})).await;
    customer.until_status("en_route").await;
    scene.mechanic.ping((PICKUP.0 + 0.0005, PICKUP.1)).await;
    customer.find("the position", |frame| frame["data"]["lat"] == PICKUP.0 + 0.0005).await;
    let ended = database_time(&app).await;
    let events = scene.customer.get(&scene.path("/events")).await.expect(200);
    for event in events["data"].as_array().expect("a list") {
        let at: DateTime<Utc> = event["at"].as_str().expect("a time").parse().expect("a time");
        assert!(at > began - SLACK && at < ended + SLACK, "{began} to {ended}: {event}");
    }
}

#[actix_web::test]
async fn a_leader_whose_clock_is_4500_ms_fast_leads_correctly() {
    leads_well_although_ahead(TimeDelta::milliseconds(4_500)).await;
}

#[actix_web::test]
async fn a_leader_whose_clock_is_4500_ms_slow_leads_correctly() {
    leads_well_although_ahead(TimeDelta::milliseconds(-4_500)).await;
}

#[actix_web::test]
async fn a_leader_whose_clock_is_a_minute_fast_serves_other_servers() {
    leads_well_although_ahead(TimeDelta::seconds(60)).await;
}

#[actix_web::test]
async fn a_leader_whose_clock_is_a_minute_slow_serves_other_servers() {
    leads_well_although_ahead(TimeDelta::seconds(-60)).await;
}

#[actix_web::test]
async fn a_leader_whose_clock_is_wrong_lets_another_server_lead() {
    let mut app = led_by_a_machine_ahead(TimeDelta::seconds(60)).await;
    let checks = until_not_ready(&app).await;
    assert_eq!(checks["clock"], "more than 5 s off the database's", "{checks}");
    gives_the_lead_away(&mut app).await;
}

#[actix_web::test]
async fn a_leader_whose_engine_no_longer_answers_is_not_ready_and_lets_another_server_lead() {
    let mut app = spawn_cluster().await;
    let admin = app.admin().await;
    until_led(&admin).await;
    app.anonymous().at(app.leaders_address()).get("/health/ready").await.expect(200);
    app.engine().end();
    let checks = until_not_ready(&app).await;
    assert_eq!(checks["engine"], "has not answered for more than 10 s", "{checks}");
    gives_the_lead_away(&mut app).await;
}

/// Waits until the leader wants to stop. When it does, commands are carried out by the other server.
async fn gives_the_lead_away(app: &mut TestApp) {
    let leader = app.cluster.as_mut().and_then(|cluster| cluster.leader.take()).expect("a leader");
    let again = within("it gives the lead away", leader.is_to_start_again()).await;
    assert_eq!(again, StartAgain::InOrder);
    leader.stop(std::future::pending()).await;
    let scene = app.accepted().await;
    let mut customer = app.following(&scene).await;
    within("another leader", drives_on(&scene)).await;
    customer.until_status("en_route").await;
    app.anonymous().get("/health/ready").await.expect(200);
}
