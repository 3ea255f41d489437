//! Phones that reset their connections while the service works on their requests.
//!
//! A request is sent completely and abandoned by a reset after the service has sent a number of messages to Postgres: first
//! after one, then after two, until the response comes first. The wire to Postgres is slow, so that the reset comes while a
//! message is on its way. At the same time other people write, share the few connections, and wait for their responses.
//! Everything that those responses promise must be stored, none of them may be refused because of somebody else, and no
//! connection may return to the pool inside a transaction. In the end a job goes through its whole life.
//!
//! By default a sample is played; `ROADCALL_RESETS=7` chooses another one. After a change to how connections and
//! transactions are handled, play all of it, which takes minutes:
//! `ROADCALL_RESETS=all cargo test --release --test api resets -- --nocapture`

mod batches;
mod deeds;
mod giving_up;
mod promises;
mod sockets;
mod storm;

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::support::{
    OK, Row, TestApp, World, all_rows, new_phone, spawn_app_behind, wide_limits, wire::Wire,
};
use deeds::DEEDS;
use giving_up::{End, Request, Until};
use promises::Waiting;
use sockets::{COMMANDS, Talking};
use storm::{Ready, Storm};

/// There are few connections, so that the next user gets an abandoned one.
const CONNECTIONS: u32 = 4;
/// The number of requests that the same people make.
const AT_MOST: u32 = 30;

async fn spawn() -> (TestApp, Wire) {
    spawn_app_behind(|settings| {
        settings.fees.free_cancellations = 1_000_000;
        let database = &mut settings.database;
        database.max_connections = CONNECTIONS;
        database.acquire_timeout_ms = 20_000;
        // These are close to production's: a lock that is never released ends in a response that says so.
        database.statement_timeout_ms = 8_000;
        database.lock_timeout_ms = 6_000;
        database.idle_in_transaction_timeout_ms = 10_000;
        settings.auth.access_token_ttl_s = 86_400;
        settings.auth.otp_requests_per_address_per_hour = 1_000_000;
        wide_limits(settings);
        settings.wallet.new_account_wait_hours = 0;
    })
    .await
}

#[actix_web::test]
async fn a_request_reset_while_its_transaction_begins_leaves_no_connection_in_it() {
    let (app, wire) = spawn().await;
    let mut waiting = Waiting::new(&app).await;
    wire.delay(Duration::from_millis(5));
    for number in 1..=100 {
        let ask = Request::post(&app.anonymous(), "/auth/send-otp", &json!({"phone": new_phone()}));
        assert_eq!(ask.give_up(app.address, wire.watch(), Until::Begin).await, End::Reset);
        if number % CONNECTIONS == 0 {
            wire.at_rest().await;
        }
    }
    let seen = wire.traffic();
    assert_eq!(
        (seen.left_open, seen.foreign),
        (0, 0),
        "connections given back inside a transaction: {seen:?}"
    );
    for _ in 0..2 {
        waiting.write(&app).await;
    }
    waiting.look_again().await;
    let figures = &waiting.figures;
    assert!(figures.promised >= 12 && figures.refused.is_empty(), "{figures:?}");
    assert!(figures.failed.is_empty() && figures.lost.is_empty(), "{figures:?}");
    let seen = wire.traffic();
    assert_eq!((seen.left_open, seen.foreign), (0, 0), "{seen:?}");
}

#[actix_web::test]
async fn requests_that_are_reset_midway_do_not_affect_others() {
    let (app, wire) = spawn().await;
    let mut storm = Storm::new("over HTTP", &app, &wire).await;
    let admin = app.admin().await;
    let mut world = World::new(&app).await;
    // A read begins no transaction, so a sample leaves it out.
    let is_played = |row: &&Row| storm.plays_all() || row.method() != Method::GET;
    for row in storm.choose(all_rows().filter(is_played), 8) {
        let mut asked = 0;
        let (plays_all, walked) = (storm.plays_all(), &mut world);
        let ready = async || {
            // One person may have only so many objects.
            if plays_all && asked % AT_MOST == 0 {
                *walked = World::new(&app).await;
            }
            asked += 1;
            Ready::Http(of_row(walked, row).await)
        };
        storm.walk(row.route, ready).await;
    }
    for deed in storm.choose(DEEDS.iter(), 5) {
        storm.walk(deed, async || Ready::Http(deeds::prepare(&app, &admin, deed).await)).await;
    }
    storm.judge().await;
}

#[actix_web::test]
async fn sockets_that_are_reset_midway_do_not_affect_others() {
    let (app, wire) = spawn().await;
    let mut storm = Storm::new("over sockets", &app, &wire).await;
    let mut talking = Talking::new(&app).await;
    for kind in storm.choose(COMMANDS.iter(), 5) {
        storm.walk(kind, async || Ready::Frame(Box::new(talking.prepare(&app, kind).await))).await;
    }
    storm.judge().await;
}

async fn of_row(world: &World<'_>, row: &Row) -> Request {
    let column = row.expected.iter().position(|expected| *expected == OK).expect("someone is allowed");
    let path = world.path(row).await;
    let body = row.body.map(|body| body());
    match world.caller(column) {
        None => Request::by(&world.app.anonymous(), row.method(), &path, body.as_ref()),
        Some(_) if row.ends_caller => {
            Request::by(&*world.someone_like(column).await, row.method(), &path, body.as_ref())
        }
        Some(person) => Request::by(person, row.method(), &path, body.as_ref()),
    }
}
