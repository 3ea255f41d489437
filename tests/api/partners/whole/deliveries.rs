//! Deliveries of whole cases while a receiver refuses some of them, another one is down, and the server is killed.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{event_id, events, insurer, subscribe, until_told};
use crate::{
    restart::{SETTINGS, Server},
    support::{
        TestApp,
        cases::{Contracted, Taken},
        hooks::{HookReceiver, is_signed, seq_of},
        peer::PeerRequest,
        spawn_app, until_so,
    },
};

const CASES: u32 = 6;

/// Returns the settings of a server in a process of its own, like those of [`super::spawn`].
fn settings() -> Vec<(&'static str, &'static str)> {
    let own =
        [("ROADCALL__PARTNERS__ALLOW_PRIVATE_ADDRESSES", "true"), ("ROADCALL__JOBS__START_CODE", "false")];
    [SETTINGS, &own[..]].concat()
}

async fn spawn_process(settings: &[(&str, &str)]) -> (TestApp, Server) {
    let mut app = spawn_app().await;
    app.stop().await;
    let server = Server::start_with(&app, settings);
    app.address = ([127, 0, 0, 1], server.port).into();
    server.until_ready().await;
    (app, server)
}

/// Takes a step of every job.
async fn step_all(taken: &[Taken], verb: &str, body: Value) {
    join_all(taken.iter().map(|one| one.mechanic.tell(&one.job, verb, body.clone()))).await;
}

/// Makes the waiting time of every failed delivery pass.
async fn pass_waits(app: &TestApp) {
    let passed = "update partner_deliveries set next_try_at = now()
        where status = 'pending' and next_try_at > now() and (answer_status is not null or failure is not null)";
    app.change(passed, &[]).await;
}

/// Returns the ids of all events of these cases.
async fn ids_of_events(insurer: &Contracted<'_>, taken: &[Taken]) -> BTreeSet<String> {
    let told = join_all(taken.iter().map(|one| events(insurer, &one.case))).await;
    told.iter().flatten().map(|event| event["id"].as_str().expect("an id").to_owned()).collect()
}

/// Returns the ids of the events that a receiver has taken. It refuses no event twice.
fn arrived(receiver: &HookReceiver) -> BTreeSet<String> {
    let events = receiver.events();
    let mut refused: BTreeSet<String> = receiver.refused().into_iter().collect();
    events.iter().map(event_id).filter(|id| !refused.remove(id)).collect()
}

/// Waits until every event of these cases has reached the receivers.
async fn until_all_arrive(insurer: &Contracted<'_>, taken: &[Taken], receivers: [&HookReceiver; 2]) {
    until_so("every event has arrived", async || {
        pass_waits(insurer.app).await;
        let told = ids_of_events(insurer, taken).await;
        receivers.iter().all(|receiver| arrived(receiver) == told)
    })
    .await;
}

/// Returns the numbers of each case's events in the order of their first tries.
fn first_tries(events: &[PeerRequest]) -> BTreeMap<String, Vec<i64>> {
    let (mut seen, mut numbers) = (BTreeSet::new(), BTreeMap::<String, Vec<i64>>::new());
    for event in events {
        if seen.insert(event_id(event)) {
            let case = event.json()["data"]["case"]["id"].to_string();
            numbers.entry(case).or_default().push(seq_of(event));
        }
    }
    numbers
}

#[actix_web::test]
async fn no_event_is_lost_or_out_of_order_while_deliveries_fail_and_the_server_is_killed() {
    let settings = settings();
    let (app, mut server) = spawn_process(&settings).await;
    let insurer = insurer(&app, json!({})).await;
    let (flaky, down) = (HookReceiver::start().await, HookReceiver::start().await);
    let secrets = [subscribe(&insurer, &flaky).await, subscribe(&insurer, &down).await];
    flaky.be_flaky();
    down.die().await;

    let mut taken = Vec::new();
    for _ in 0..CASES {
        taken.push(insurer.taken().await);
    }
    for (verb, body) in [
        ("en-route", json!({})),
        ("arrive", json!({"override_reason": "the receiver is off"})),
        ("start", json!({})),
        ("complete", json!({"outcome": "fixed"})),
    ] {
        step_all(&taken, verb, body).await;
        server.kill();
        server.run_again(&app, &settings);
        server.until_ready().await;
    }
    for one in &taken {
        until_told(&insurer, &one.case, "job.outcome").await;
    }
    let back = HookReceiver::start_at(down.port).await;
    until_all_arrive(&insurer, &taken, [&flaky, &back]).await;

    for (receiver, secret) in [&flaky, &back].into_iter().zip(&secrets) {
        assert!(receiver.events().iter().all(|event| is_signed(event, secret)));
    }
    let tries = first_tries(&flaky.events());
    assert_eq!(tries.len(), taken.len());
    for (case, numbers) in tries {
        let expected: Vec<i64> = (1..).take(numbers.len()).collect();
        assert_eq!(numbers, expected, "the first tries of {case}");
    }
    let (refused, all) = (flaky.refused().len(), arrived(&flaky).len());
    assert!(10 * refused >= 3 * all, "{refused} of {all} were refused");
    let dead = "select count(*) from partner_deliveries where status = 'dead'";
    assert_eq!(app.value::<i64>(dead, &[]).await, 0);
}
