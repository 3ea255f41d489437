//! Sockets are admitted no faster than they can be looked up, and are looked up together.

use futures_util::future::join_all;
use roadcall::service::settings::Settings;
use serde_json::json;

use super::own::{EVENTS, JOBS, stall};
use crate::support::{TestApp, socket::try_connect, spawn_app_with, within};

const USERS: &str = "lock table users in access exclusive mode";

/// Limits look-ups to one socket at a time; statements wait as long as a test holds a table.
fn one_at_a_time(patience_ms: u64) -> impl FnOnce(&mut Settings) {
    move |settings| {
        settings.ws.opening_at_once = 1;
        settings.ws.opening_patience_ms = patience_ms;
        settings.database.lock_timeout_ms = 20_000;
    }
}

/// Waits until this many clients wait for their turn, and this many have it.
async fn openings(app: &TestApp, waiting: usize, under_way: usize) {
    let openings = &app.service.openings;
    let come = async {
        while (openings.waiting(), openings.under_way()) != (waiting, under_way) {
            tokio::task::yield_now().await;
        }
    };
    within("the openings stand so", come).await;
}

#[actix_web::test]
async fn a_client_that_gets_no_turn_gets_a_retry_after_and_keeps_the_ticket() {
    let app = spawn_app_with(one_at_a_time(200)).await;
    let scene = app.accepted().await;
    let made = scene.customer.post("/ws/ticket", json!({})).await.expect(200);
    let with_ticket = format!("/ws?ticket={}", made["ticket"].as_str().expect("a ticket"));
    let holder = stall(&app, JOBS).await;
    let mut first = app.socket(&scene.mechanic.client).await;
    let refused = scene.customer.without_token().get(&with_ticket).await;
    let retry_after: u64 = refused.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=10).contains(&retry_after), "{retry_after}");
    refused.refused(503, "UNAVAILABLE");
    let (status, _) =
        app.try_stream(scene.customer.token(), &scene.path("/stream"), None).await.expect_err("full");
    assert_eq!(status, 503, "a stream waits for its turn as sockets do");
    holder.rollback().await.unwrap();
    first.expect("job.snapshot").await;
    openings(&app, 0, 0).await;
    let mut second = try_connect(app.address, &with_ticket, &[]).await.expect("the ticket was not used up");
    second.expect("hello").await;
}

#[actix_web::test]
async fn a_waiting_client_is_admitted_once_the_previous_one_is_looked_up() {
    let app = spawn_app_with(one_at_a_time(60_000)).await;
    let scene = app.accepted().await;
    let holder = stall(&app, JOBS).await;
    let mut first = app.socket(&scene.mechanic.client).await;
    let release = async {
        openings(&app, 1, 1).await;
        // Clients without a valid credential are refused at once.
        for (path, headers) in [
            ("/ws", vec![]),
            ("/ws?ticket=nonsense", vec![]),
            ("/ws", vec![("authorization", "Bearer nonsense")]),
        ] {
            let (status, _) = try_connect(app.address, path, &headers).await.expect_err(path);
            assert_eq!(status, 401);
        }
        assert_eq!(app.service.openings.waiting(), 1);
        holder.rollback().await.unwrap();
    };
    let (_second, ()) = futures_util::join!(app.socket(&scene.customer), release);
    first.expect("job.snapshot").await;
    openings(&app, 0, 0).await;
}

#[actix_web::test]
async fn a_socket_keeps_its_turn_while_its_own_job_is_looked_up() {
    let app = spawn_app_with(one_at_a_time(60_000)).await;
    let scene = app.accepted().await;
    let holder = stall(&app, EVENTS).await;
    let mut first = app.socket(&scene.mechanic.client).await;
    first.expect("location.rate").await;
    openings(&app, 0, 1).await;
    holder.rollback().await.unwrap();
    first.expect("job.snapshot").await;
    openings(&app, 0, 0).await;
}

#[actix_web::test]
async fn sockets_that_retry_their_look_up_do_not_delay_others() {
    let app = spawn_app_with(|settings| {
        one_at_a_time(60_000)(settings);
        settings.database.lock_timeout_ms = 100;
    })
    .await;
    let scene = app.accepted().await;
    let holder = stall(&app, JOBS).await;
    let mut first = app.socket(&scene.mechanic.client).await;
    app.socket(&scene.customer).await;
    openings(&app, 0, 0).await;
    holder.rollback().await.unwrap();
    first.expect("job.snapshot").await;
}

#[actix_web::test]
async fn a_client_that_leaves_gives_its_turn_back() {
    let app = spawn_app_with(one_at_a_time(60_000)).await;
    let scene = app.accepted().await;
    let holder = stall(&app, JOBS).await;
    let first = app.socket(&scene.mechanic.client).await;
    openings(&app, 0, 1).await;
    drop(first);
    openings(&app, 0, 0).await;
    app.socket(&scene.customer).await;
    holder.rollback().await.unwrap();
}

#[actix_web::test]
async fn two_hundred_mechanics_who_connect_at_once_are_looked_up_together() {
    const MECHANICS: usize = 200;
    let app = spawn_app_with(|settings| settings.database.lock_timeout_ms = 60_000).await;
    let mut mechanics = Vec::new();
    while mechanics.len() < MECHANICS {
        mechanics.extend(join_all((0..20).map(|_| app.registered_mechanic())).await);
    }
    let (people, missed) = (app.service.auth.auth.looked(), app.service.openings.looked());
    let (users, jobs) = (stall(&app, USERS).await, stall(&app, JOBS).await);
    let release = async {
        openings(&app, 0, MECHANICS).await;
        users.rollback().await.unwrap();
    };
    let opened = join_all(mechanics.iter().map(|mechanic| app.socket(&mechanic.client)));
    let (sockets, ()) = futures_util::join!(opened, release);
    assert_eq!(sockets.len(), MECHANICS, "nobody is refused");
    jobs.rollback().await.unwrap();
    openings(&app, 0, 0).await;
    let (people, missed) = (app.service.auth.auth.looked() - people, app.service.openings.looked() - missed);
    assert_eq!((people.keys, missed.keys), (MECHANICS as u64, MECHANICS as u64));
    // Two are in progress while the others gather.
    assert!(people.loads <= 4 && missed.loads <= 4, "{people:?}, {missed:?}");
}
