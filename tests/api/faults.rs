//! Faults of the wire to Postgres: it is cut, or loses a response.

use serde_json::json;

use crate::{
    jobs::repeating::keyed,
    support::{OnRoad, Stranded, TestApp, bodies::id_of, spawn_app_behind, until, wire::Wire, within},
};

/// Statements of transactions that a test loses.
const CALL: &str = "insert into job_facts ";
const ANSWER: &str = "update offers o set status";
const CANCEL: &str = "insert into job_events";
const STEP: &str = "update job_states j set version";

async fn spawn() -> (TestApp, Wire) {
    spawn_app_behind(|_| {}).await
}

/// Returns the path by which an admin creates a job for the customer.
fn for_customer(stranded: &Stranded) -> String {
    format!("/admin/users/{}/jobs", stranded.client.user_id)
}

async fn spawn_on_road() -> (TestApp, Wire, OnRoad, Stranded) {
    let (app, wire) = spawn().await;
    let admin = app.admin().await;
    let (mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    (app, wire, mechanic, stranded)
}

#[actix_web::test]
async fn a_postgres_that_is_away_for_a_while_causes_503_and_loses_nothing() {
    let (app, wire) = spawn_app_behind(|settings| {
        settings.dispatch.offer_ttl_s = 8;
        settings.dispatch.offer_grace_ms = 0;
    })
    .await;
    let admin = app.admin().await;
    let (mut mechanic, stranded, late) =
        (app.on_road(&admin).await, app.breakdown().await, app.breakdown().await);
    let mut watcher = app.socket(&stranded.client).await;
    let job = id_of(&stranded.call().await);
    watcher.ask("job.subscribe", json!({"job_id": job})).await.expect("an ack");
    let offer = id_of(&mechanic.offer().await);

    wire.cut();
    late.client.post("/jobs", late.call_body()).await.put_off(503, "UNAVAILABLE");
    mechanic.client.post(&format!("/offers/{offer}/accept"), json!({})).await.refused(503, "UNAVAILABLE");
    app.anonymous().get("/health/ready").await.expect(503);
    app.anonymous().get("/health").await.expect(200);

    wire.mend();
    // The deadline passed meanwhile without any action; the service now acts on it by itself.
    assert_eq!(mechanic.socket.expect("offer.expired").await["data"]["id"], offer.as_str());
    assert_eq!(stranded.job(&job).await["status"], "dispatching", "what was acknowledged is still there");
    assert_eq!(late.client.get("/jobs").await.expect(200)["total"], 0, "what was refused did not happen");
    assert_eq!(mechanic.accept().await["id"], job.as_str());
    watcher.until_status("accepted").await;
}

#[actix_web::test]
async fn positions_go_on_while_postgres_is_away() {
    let (app, wire, mut mechanic, _) = spawn_on_road().await;
    wire.cut();
    let point = crate::support::roadside::point(9, (12.9700, 77.5900), app.service.clock.now());
    let kept = mechanic.socket.ask("location.update", json!({"points": [point]})).await.expect("an ack");
    assert_eq!(kept["accepted"], 1);
}

#[actix_web::test]
async fn a_lost_commit_is_reported_as_unknown_and_did_not_happen() {
    let (app, wire) = spawn().await;
    let (admin, stranded) = (app.admin().await, app.breakdown().await);
    wire.lose_next_commit(CALL);
    // A job that an admin creates is a transaction.
    let answer = admin.post(&for_customer(&stranded), stranded.call_body()).await;
    answer.refused(503, "OUTCOME_UNKNOWN");
    assert_eq!(stranded.client.get("/jobs").await.expect(200)["total"], 0);
    stranded.call().await;
}

#[actix_web::test]
async fn a_commit_whose_response_was_lost_is_reported_as_unknown_and_its_repeat_finds_it() {
    let (app, wire) = spawn().await;
    let (admin, stranded) = (app.admin().await, app.breakdown().await);
    let (path, body) = (for_customer(&stranded), stranded.call_body());
    let call = async || admin.post_once(&path, &body, "k").await;
    wire.lose_next_answer(CALL);
    call().await.refused(503, "OUTCOME_UNKNOWN");
    let made = call().await.expect(201);
    assert_eq!(stranded.client.get("/jobs").await.expect(200)["data"][0]["id"], made["id"]);
}

#[actix_web::test]
async fn a_customers_call_that_is_lost_on_its_way_is_written_again() {
    let (app, wire) = spawn().await;
    let stranded = app.breakdown().await;
    wire.lose_next_commit(CALL);
    let made = stranded.call().await;
    let shown = stranded.client.get("/jobs").await.expect(200);
    assert_eq!((&shown["total"], &shown["data"][0]["id"]), (&json!(1), &made["id"]));
}

#[actix_web::test]
async fn a_customers_call_whose_answer_was_lost_is_found_in_the_log() {
    let (app, wire) = spawn().await;
    let stranded = app.breakdown().await;
    let body = stranded.call_body();
    let call = async || stranded.client.post_once("/jobs", &body, "k").await.expect(201);
    wire.lose_next_answer(CALL);
    let made = call().await;
    assert_eq!(made["status"], "pending");
    assert_eq!(call().await["id"], made["id"], "its mark is completed");
    assert_eq!(stranded.client.get("/jobs").await.expect(200)["total"], 1);
}

#[actix_web::test]
async fn a_call_whose_commit_was_lost_is_carried_out_by_its_repeat_before_its_lease_ends() {
    let (app, wire) = spawn_app_behind(|settings| {
        settings.limits.per_user_per_minute = 100_000;
        settings.limits.create_job_per_minute = 100_000;
    })
    .await;
    let (admin, stranded) = (app.admin().await, app.breakdown().await);
    let path = for_customer(&stranded);
    // While the clock is stopped, leases do not end by themselves.
    app.service.clock.stop();
    let call = async || keyed(&admin, &path, "k", &stranded.call_body()).await;
    wire.lose_next_commit(CALL);
    call().await.refused(503, "OUTCOME_UNKNOWN");
    let made = until("the repeat is carried out", async || {
        let answer = call().await;
        if answer.status != 409 {
            return Some(answer.expect(201));
        }
        answer.refused(409, "IDEMPOTENCY_IN_FLIGHT");
        None
    })
    .await;
    assert_eq!(call().await.expect(201)["id"], made["id"]);
    assert_eq!(stranded.client.get("/jobs").await.expect(200)["total"], 1);
}

#[actix_web::test]
async fn a_step_whose_answer_was_lost_succeeds_when_repeated_with_its_key() {
    let (app, wire) = spawn().await;
    let scene = app.accepted().await;
    let set_out =
        async |key: &str| keyed(&scene.mechanic.client, &scene.path("/en-route"), key, &json!({})).await;
    wire.lose_next_answer(STEP);
    assert_eq!(set_out("k").await.expect(200)["status"], "en_route", "the log has it");
    set_out("another").await.refused(409, "INVALID_TRANSITION");
    assert_eq!(set_out("k").await.expect(200)["status"], "en_route");
}

#[actix_web::test]
async fn the_winner_can_repeat_an_accept_whose_answer_was_lost() {
    let (app, wire, mut mechanic, stranded) = spawn_on_road().await;
    let job = id_of(&stranded.call().await);
    let accept = format!("/offers/{}/accept", id_of(&mechanic.offer().await));
    wire.lose_next_answer(ANSWER);
    mechanic.client.post(&accept, json!({})).await.expect(200);
    let accepted = mechanic.client.post(&accept, json!({})).await.expect(200);
    assert_eq!((&accepted["id"], &accepted["status"]), (&json!(job), &json!("accepted")));
    // Watchers see it like any other event: it is in the log once.
    let mut watcher = app.socket(&stranded.client).await;
    watcher.ask("job.subscribe", json!({"job_id": job, "since_seq": 0})).await.expect("an ack");
    let seqs = within("the log", async {
        let mut seqs = Vec::new();
        while seqs.last() != Some(&json!(3)) {
            seqs.push(watcher.expect("job.updated").await["seq"].clone());
        }
        seqs
    });
    assert_eq!(seqs.await, [json!(1), json!(2), json!(3)]);
}

#[actix_web::test]
async fn a_lost_accept_is_written_again() {
    let (_app, wire, mut mechanic, stranded) = spawn_on_road().await;
    let job = id_of(&stranded.call().await);
    let accept = format!("/offers/{}/accept", id_of(&mechanic.offer().await));
    wire.lose_next_commit(ANSWER);
    mechanic.client.post(&accept, json!({})).await.expect(200);
    assert_eq!(stranded.job(&job).await["status"], "accepted");
}

#[actix_web::test]
async fn a_commit_is_answered_as_done_when_the_wire_is_cut_afterwards() {
    let (app, wire, mut mechanic, stranded) = spawn_on_road().await;
    let job = app.taken(&stranded, &mut mechanic).await;
    let cancel = format!("/jobs/{job}/cancel");
    wire.cut_after_next_commit(CANCEL);
    let cancelled = stranded.client.post(&cancel, json!({"reason_code": "changed_mind"})).await.expect(200);
    assert_eq!(cancelled["status"], "cancelled");
    wire.mend();
    assert_eq!(stranded.job(&job).await["status"], "cancelled");
}

#[actix_web::test]
async fn a_commit_that_cannot_be_read_back_is_not_reported_as_unchanged() {
    let (app, wire, mut mechanic, stranded) = spawn_on_road().await;
    stranded.call().await;
    let offer = id_of(&mechanic.offer().await);
    let decline = format!("/offers/{offer}/decline");
    wire.cut_after_next_commit(ANSWER);
    mechanic.client.post(&decline, json!({})).await.refused(503, "OUTCOME_UNKNOWN");
    wire.mend();
    let status: String = app.value("select status from offers where id = $1::uuid", &[&offer]).await;
    assert_eq!(status, "declined");
}
