//! Limits on a person's activity in a minute, over HTTP, all of their sockets and all of their accounts.

use serde_json::{Value, json};

use crate::support::{
    Answer, Client, Socket, TestApp, roadside::Scene, socket::try_connect, spawn_app_with, until,
};

const NOBODYS_JOB: &str = "018f0000-0000-7000-8000-0000000000aa";

/// Starts an app in which a socket costs three requests and a subscription ten.
async fn app(budget: u32) -> TestApp {
    spawn_app_with(|settings| {
        settings.limits.per_user_per_minute = budget;
        (settings.limits.socket_cost, settings.limits.subscription_cost) = (3, 10);
    })
    .await
}

fn left(answer: &Answer) -> u32 {
    answer.header("ratelimit-remaining").expect("what is left").parse().expect("a number")
}

async fn subscribe(socket: &mut Socket) -> Value {
    socket.ask("job.subscribe", json!({"job_id": NOBODYS_JOB})).await.expect_err("nobody's job")
}

#[actix_web::test]
async fn sockets_and_requests_of_a_person_draw_from_one_budget() {
    let app = app(40).await;
    let (person, other) = (app.customer().await, app.customer().await);
    app.service.clock.stop();
    let (mut one, mut two) = (app.socket(&person).await, app.socket(&person).await);
    assert_eq!(left(&person.get("/users/me").await), 33, "two sockets and a request");
    for _ in 0..2 {
        assert_eq!(subscribe(&mut one).await["code"], "NOT_FOUND");
    }
    assert_eq!(subscribe(&mut two).await["code"], "NOT_FOUND");
    for socket in [&mut one, &mut two] {
        assert_eq!(subscribe(socket).await["code"], "RATE_LIMITED");
    }
    one.send(json!({"type": "job.subscribe", "data": {"job_id": NOBODYS_JOB}})).await;
    let refused = one.find("a refusal", |frame| frame["ref"].is_null() && frame["type"] == "error").await;
    assert_eq!(refused["retry_after_s"], 11, "seven requests come back: {refused}");
    let (mut theirs, mine) = (app.socket(&other).await, person.get("/users/me").await);
    assert_eq!(left(&mine), 2, "a request still fits");
    assert_eq!(subscribe(&mut theirs).await["code"], "NOT_FOUND");
}

/// Sends requests until the budget is used up, and returns how many passed.
async fn exhaust(person: &Client) -> u32 {
    for requests in 0..100 {
        if person.get("/users/me").await.status == 429 {
            return requests;
        }
    }
    panic!("a hundred requests passed");
}

#[actix_web::test]
async fn a_recreated_account_has_only_the_remaining_budget() {
    let app = app(8).await;
    let person = app.customer().await;
    app.service.clock.stop();
    for _ in 0..4 {
        person.get("/users/me").await.expect(200);
    }
    person.delete("/users/me").await.expect(204);
    let again = app.sign_in(&person.phone).await;
    assert_ne!(again.user_id, person.user_id);
    assert_eq!(exhaust(&again).await, 3, "what was left");
    assert_eq!(exhaust(&*app.customer().await).await, 8, "somebody else's is whole");
}

#[actix_web::test]
async fn a_socket_opened_with_a_ticket_counts_against_the_ticket_holders_budget() {
    let app = app(6).await;
    let person = app.customer().await;
    app.service.clock.stop();
    let mut tickets = Vec::new();
    for _ in 0..3 {
        let ticket = person.post("/ws/ticket", json!({})).await.expect(200)["ticket"].clone();
        tickets.push(format!("/ws?ticket={}", ticket.as_str().expect("a ticket")));
    }
    let _open = try_connect(app.address, &tickets[0], &[]).await.expect("three are left");
    for ticket in &tickets[1..] {
        let (status, code) = try_connect(app.address, ticket, &[]).await.expect_err("none is left");
        assert_eq!((status, code.as_str()), (429, "RATE_LIMITED"));
    }
}

/// Sends requests until at most so much of the budget is left; many at once, so that less is regained meanwhile.
async fn drain(client: &Client, most: u32) {
    while left(&client.get("/users/me").await) > most {
        futures_util::future::join_all((0..8).map(|_| client.get("/users/me"))).await;
    }
}

/// Returns a job with some messages in its log, and the number of its last event.
async fn talkative(app: &TestApp) -> (Scene, i64) {
    let scene = app.accepted().await;
    for number in 0..12 {
        let name = format!("018f0000-0000-7000-8000-0000000000{number:02}");
        let message = json!({"client_message_id": name, "type": "text", "body": "At the metro pillar"});
        scene.mechanic.client.post(&scene.path("/messages"), message).await.expect(201);
    }
    let last = scene.customer.get(&scene.path("")).await.expect(200)["seq"].as_i64().expect("a number");
    (scene, last)
}

/// Replays the whole log. Subscribing waits until the budget covers that, too.
async fn replay(socket: &mut Socket, job: &str, last: i64) {
    let subscribe = json!({"job_id": job, "since_seq": 0});
    until("a subscription", async || {
        let subscribed = socket.ask("job.subscribe", subscribe.clone()).await;
        subscribed.inspect_err(|error| assert_eq!(error["code"], "RATE_LIMITED")).ok()
    })
    .await;
    for seq in 1..=last {
        let event = socket.find("an event", |frame| frame["seq"].is_i64() && frame["job_id"] == job).await;
        assert_eq!(event["seq"], seq);
    }
}

#[actix_web::test]
async fn a_replay_costs_by_its_length_and_waits_for_the_budget() {
    let app = spawn_app_with(|settings| {
        settings.limits.per_user_per_minute = 240;
        settings.limits.replayed_events_per_request = 1;
    })
    .await;
    let (scene, last) = talkative(&app).await;
    assert!(last >= 14, "{last} events");
    let events = u32::try_from(last).unwrap();
    let mut socket = app.socket(&scene.customer).await;
    // Apart from its other costs, each replay costs its length. Four requests are regained in a second.
    drain(&scene.customer, 3 * events).await;
    let mut replays = 0;
    while left(&scene.customer.get("/users/me").await) >= 8 {
        replay(&mut socket, &scene.job, last).await;
        replays += 1;
        assert!(replays < 60, "a replay costs nothing");
    }
    // Events that the budget does not cover are not lost.
    replay(&mut socket, &scene.job, last).await;
    let list = scene.path("/events");
    app.service.clock.stop();
    drain(&scene.customer, events / 2).await;
    scene.customer.get(&list).await.refused(429, "RATE_LIMITED");
}
