//! Tests what a service without requests costs, and how it still finds due work.

use std::{collections::BTreeSet, fs, path::Path, time::Duration};

use futures_util::future::join_all;
use uuid::Uuid;

use crate::{
    payments::order,
    support::{
        TestApp,
        money::{Earning, insert_earning},
        spawn_app, spawn_app_behind, spawn_app_with, spawn_completed, until_so, within,
    },
};

const SPAN: Duration = Duration::from_secs(5);
/// The messages of five statements: the pool pings a connection before and after each.
const MAX_MESSAGES: u64 = 15;

#[actix_web::test]
async fn a_service_without_requests_hardly_uses_the_database() {
    let (app, wire) = spawn_app_behind(|_| {}).await;
    let admin = app.admin().await;
    let online = [app.on_road(&admin).await, app.on_road(&admin).await];
    // Work that comes once a minute falls into some of these spans. A service that asks all the time has no quiet span.
    let quiet = async {
        loop {
            let before = wire.traffic().messages;
            tokio::time::sleep(SPAN).await;
            if wire.traffic().messages - before <= MAX_MESSAGES {
                return;
            }
        }
    };
    within("some seconds with few statements", quiet).await;
    drop(online);
}

/// Work that another program left: this one's own statements do not reveal it.
struct Left {
    earning: Uuid,
    event: Uuid,
}

async fn leave_work(app: &TestApp, profile_id: &str) -> Left {
    let earning = insert_earning(&app.database.db, Earning::due(profile_id, 10_000)).await.id;
    let event = "insert into webhook_events (id, gateway, event_id, event, body, status, next_try_at, received_at)
        values (gen_random_uuid(), 'sandbox', gen_random_uuid(), 'of.no.use', '{\"payload\": {}}', 'pending', now(), now())
        returning id";
    Left { earning, event: app.value(event, &[]).await }
}

/// Waits, without a signal to the service, until both are done.
async fn until_done(app: &TestApp, left: &Left) {
    let is_done = "select (select cleared_at is not null from earnings where id = $1::uuid)
        and (select status = 'ignored' from webhook_events where id = $2::uuid)";
    let [earning, event] = [left.earning, left.event].map(|id| id.to_string());
    until_so("the work is done", async || app.value(is_done, &[&earning, &event]).await).await;
}

#[actix_web::test]
async fn due_work_is_found_even_if_nobody_wakes_its_worker() {
    let app = spawn_app().await;
    let mechanic = app.registered_mechanic().await;
    let left = leave_work(&app, &mechanic.profile_id).await;
    until_done(&app, &left).await;
}

#[actix_web::test]
async fn due_work_is_found_once_the_database_is_back() {
    let (app, wire) = spawn_app_behind(|_| {}).await;
    let mechanic = app.registered_mechanic().await;
    wire.cut();
    app.anonymous().get("/health/ready").await.expect(503);
    let left = leave_work(&app, &mechanic.profile_id).await;
    wire.mend();
    until_done(&app, &left).await;
}

#[actix_web::test]
async fn a_payment_that_is_never_made_is_closed_when_its_time_is_over() {
    let (app, scene, _) = spawn_completed().await;
    let payment: Uuid = order(&scene).await["payment_id"].as_str().expect("an id").parse().expect("a UUID");
    // The gateway was asked so long ago that the next query is due, but only just.
    let after_s = app.service.settings.gateway.reconcile_after_s as f64;
    let silent =
        "update payments set expires_at = now(), asked_at = now() - make_interval(secs => $2) where id = $1";
    sqlx::query(silent).bind(payment).bind(after_s).execute(&app.database.db).await.expect("silence");
    let is_closed = "select not is_open from payments";
    until_so("the payment is closed", async || app.value(is_closed, &[]).await).await;
}

#[actix_web::test]
async fn every_queue_of_the_database_view_has_a_worker() {
    let app = spawn_app().await;
    let shown: Vec<String> = app.values("select queue from due_work", &[]).await;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/workers/mod.rs");
    let source = fs::read_to_string(source).expect("the source");
    let queues = source.split("DueQueue::new(\"").skip(1).filter_map(|rest| rest.split('"').next());
    assert_eq!(queues.map(str::to_owned).collect::<BTreeSet<_>>(), shown.into_iter().collect());
}

#[actix_web::test]
async fn the_sessions_of_open_sockets_are_checked_together() {
    const SOCKETS: usize = 10;
    let app = spawn_app_with(|settings| settings.ws.recheck_s = 6).await;
    let customers = join_all((0..SOCKETS).map(|_| app.customer())).await;
    let sockets = join_all(customers.iter().map(|customer| app.socket(customer))).await;
    let rechecked = || app.service.auth.auth.rechecked();
    until_so("each session is checked twice", async || rechecked().keys >= 2 * SOCKETS as u64).await;
    assert!(2 * rechecked().loads <= rechecked().keys, "{:?}", rechecked());
    drop(sockets);
}
