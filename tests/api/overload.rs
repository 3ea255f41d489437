//! More work than the service can do: some requests are refused, some wait, and operators see it.

use actix_web::rt::{net::TcpStream, spawn};
use futures_util::{StreamExt, future::join_all, stream::FuturesUnordered};
use roadcall::{
    app::{Candidate, StartOptions},
    platform::db::{Transaction, Work, testing::fresh_database},
    service::settings::Settings,
};
use serde_json::json;

use crate::support::{Answer, TestApp, socket::try_connect, spawn_app_with, within};

/// Allows four connections: one for lists, two for single reads, three for transitions. Sixteen may wait: two lists, eight
/// reads.
fn small(settings: &mut Settings) {
    settings.database.max_connections = 4;
    settings.database.max_waiting = 16;
}

/// Takes all connections.
async fn hold_all(app: &TestApp) -> Vec<Transaction> {
    let held = join_all((0..4).map(|_| app.service.db.begin())).await;
    held.into_iter().map(|held| held.expect("a connection")).collect()
}

/// Waits until a condition holds.
async fn until(what: &str, holds: impl Fn() -> bool) {
    let come = async {
        while !holds() {
            tokio::task::yield_now().await;
        }
    };
    within(what, come).await;
}

fn assert_refused_early(refused: Answer) {
    let seconds: u64 = refused.header("retry-after").expect("when to come back").parse().unwrap();
    assert!((1..=5).contains(&seconds), "{seconds}");
    assert!(refused.text.len() < 250, "{}", refused.text);
    refused.refused(503, "UNAVAILABLE");
}

#[actix_web::test]
async fn requests_beyond_the_queue_of_the_database_are_refused_at_once_with_a_retry_after() {
    let app = spawn_app_with(|settings| {
        small(settings);
        settings.database.max_waiting = 40;
    })
    .await;
    let person = app.customer().await;
    let held = hold_all(&app).await;
    let waiting: Vec<_> = (0..40)
        .map(|_| {
            let db = app.service.db.clone();
            actix_web::rt::spawn(async move {
                // A worker of the service may have the last place for a while.
                while db.begin().await.is_err() {
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    // Workers of the service may wait, too.
    until("as many wait as may", || app.service.db.waiting() >= 40).await;
    assert_refused_early(person.get("/vehicles").await);
    app.anonymous().get("/health").await.expect(200);
    drop(held);
    for lent in join_all(waiting).await {
        lent.expect("who waited gets a connection");
    }
    person.get("/vehicles").await.expect(200);
}

#[actix_web::test]
async fn lists_are_refused_early_while_a_transition_waits_and_succeeds() {
    let app = spawn_app_with(small).await;
    let scene = app.accepted().await;
    for person in [&scene.customer, &scene.mechanic.client] {
        person.get("/users/me").await.expect(200);
    }
    let looked = app.service.auth.auth.looked();
    let held = hold_all(&app).await;
    let mut lists: FuturesUnordered<_> = (0..12)
        .map(|_| {
            let customer = scene.customer.clone();
            spawn(async move { customer.get("/jobs").await })
        })
        .collect();
    for _ in 0..9 {
        let refused = within("a refusal while the database is blocked", lists.next()).await;
        assert_refused_early(refused.expect("a list").unwrap());
    }
    let admission = &app.service.edge.admission;
    assert_eq!((admission.in_progress(Work::List), admission.waiting(Work::List)), (1, 2));
    // A request takes its place with its first connection, which reads the job if the job is not in memory.
    app.service.remembered.forget_all();
    let (mechanic, path) = (scene.mechanic.client.clone(), scene.path("/en-route"));
    let en_route = spawn(async move { mechanic.post(&path, json!({})).await });
    until("the transition waits for a connection", || admission.in_progress(Work::Transition) == 1).await;
    assert_eq!(app.service.auth.auth.looked(), looked, "nobody was looked up for a refusal");
    drop(held);
    assert_eq!(en_route.await.unwrap().expect(200)["status"], "en_route");
    while let Some(waited) = lists.next().await {
        waited.unwrap().expect(200);
    }
    until("all places are free", || Work::ALL.iter().all(|work| admission.in_progress(*work) == 0)).await;
}

#[actix_web::test]
async fn requests_that_get_no_place_are_refused_and_operators_see_the_overload() {
    let app = spawn_app_with(|settings| {
        small(settings);
        settings.database.acquire_timeout_ms = 4_000;
    })
    .await;
    let person = app.customer().await;
    person.get("/users/me").await.expect(200);
    assert_eq!(app.anonymous().get("/health/ready").await.expect(200)["checks"]["load"], "ok");
    let held = hold_all(&app).await;
    let first = spawn({
        let person = person.clone();
        async move { person.get("/jobs").await }
    });
    until("the first has the only place", || app.service.edge.admission.in_progress(Work::List) == 1).await;
    assert_refused_early(person.get("/jobs").await);
    drop(held);
    first.await.unwrap().expect(200);
    let ready = app.anonymous().get("/health/ready").await.expect(200);
    assert_eq!(ready["checks"]["load"], "overloaded: some requests are refused");
    let measured = app.anonymous().get("/metrics").await.text;
    for line in [
        "roadcall_overloaded 1",
        r#"roadcall_refused_total{kind="list",reason="patience"}"#,
        r#"roadcall_admitted{kind="transition",state="waiting"} 0"#,
    ] {
        assert!(measured.contains(line), "{line} is missing in {measured}");
    }
}

#[actix_web::test]
async fn positions_over_http_have_a_separate_queue() {
    let app = spawn_app_with(small).await;
    let scene = app.accepted().await;
    let mut holder = app.database.db.begin().await.unwrap();
    let lock = "lock table trail_points in access exclusive mode";
    sqlx::query(lock).execute(&mut *holder).await.unwrap();
    let send = |seq: i64| {
        let (mechanic, point) = (scene.mechanic.client.clone(), app.point(seq, 12.9));
        async move { mechanic.post("/mechanics/me/location", json!({"points": [point]})).await }
    };
    let sent: Vec<_> = (0..32).map(|seq| spawn(send(seq))).collect();
    let admission = &app.service.edge.admission;
    until("as many wait as may", || {
        (admission.in_progress(Work::Position), admission.waiting(Work::Position)) == (16, 16)
    })
    .await;
    assert_refused_early(send(32).await);
    scene.customer.get(&scene.path("")).await.expect(200);
    holder.rollback().await.unwrap();
    for answer in join_all(sent).await {
        answer.unwrap().expect(200);
    }
}

#[actix_web::test]
async fn a_socket_waits_for_its_turn_when_requests_are_refused() {
    let app = spawn_app_with(small).await;
    let (known, stranger) = (app.customer().await, app.customer().await);
    known.get("/users/me").await.expect(200);
    let held = hold_all(&app).await;
    let waiting: Vec<_> = (0..16)
        .map(|_| {
            let db = app.service.db.clone();
            spawn(async move { db.begin().await.map(drop) })
        })
        .collect();
    until("as many wait as may", || app.service.db.waiting() >= 16).await;
    assert_refused_early(known.post("/ws/ticket", json!({})).await);
    let bearer = format!("Bearer {}", stranger.token().expect("a token"));
    let headers = [("authorization", bearer.as_str())];
    let release = async {
        until("the socket has its turn", || app.service.openings.under_way() == 1).await;
        drop(held);
    };
    let (socket, ()) = futures_util::join!(try_connect(app.address, "/ws", &headers), release);
    socket.expect("it was not refused").expect("hello").await;
    for lent in join_all(waiting).await {
        lent.unwrap().expect("who waited gets a connection");
    }
}

#[actix_web::test]
async fn five_hundred_simultaneous_clients_reach_a_busy_server() {
    let database = fresh_database().await;
    let mut settings = Settings::defaults();
    settings.server.listen = ([127, 0, 0, 1], 0).into();
    let folder = std::env::temp_dir().join(format!("roadcall-backlog-{}", std::process::id()));
    settings.server.data_dir.clone_from(&folder);
    settings.database = database.settings();
    // It does not accept anybody before it leads.
    let candidate = Candidate::open(settings, StartOptions::default()).await.expect("it opens");
    let clients = join_all((0..500).map(|_| TcpStream::connect(candidate.address)));
    // Connections beyond the listener's queue would fail.
    let connected = within("all are in the listener's queue", clients).await;
    assert!(connected.iter().all(Result::is_ok));
    drop(candidate);
    std::fs::remove_dir_all(&folder).ok();
}
