//! Calls over HTTP: their course, who may call, and until when.

use chrono::DateTime;
use serde_json::{Value, json};

use super::{logged, pass, tell, told};
use crate::support::{bodies::id_of, spawn_accepted, spawn_app, spawn_app_with};

#[actix_web::test]
async fn a_call_rings_is_answered_and_ends_with_its_duration() {
    let (app, scene) = spawn_accepted().await;
    let (customer, mechanic) = (&scene.customer, &scene.mechanic.client);
    let rung = scene.ring().await;
    assert_eq!((&rung["status"], &rung["job_id"]), (&json!("ringing"), &json!(scene.job)));
    assert_eq!(rung["caller_id"], json!(customer.user_id));
    assert_eq!(rung["callee_id"], json!(mechanic.user_id));
    assert_eq!((&rung["answered_at"], &rung["duration_s"]), (&Value::Null, &Value::Null));
    let time = |call: &Value, field: &str| {
        DateTime::parse_from_rfc3339(call[field].as_str().expect("a time")).expect("RFC 3339")
    };
    assert_eq!((time(&rung, "expires_at") - time(&rung, "started_at")).num_seconds(), 30);
    assert_eq!(told(mechanic, "call_incoming").await, [rung["id"].clone()]);

    tell(customer, &rung, "accept").await.refused(409, "INVALID_TRANSITION");
    let answered = tell(mechanic, &rung, "accept").await.expect(200);
    assert_eq!(answered["status"], "accepted");
    assert_eq!((time(&answered, "expires_at") - time(&answered, "answered_at")).num_seconds(), 3600);
    assert_eq!(tell(mechanic, &rung, "accept").await.expect(200), answered, "once more by the same device");
    tell(mechanic, &rung, "reject").await.refused(409, "INVALID_TRANSITION");

    pass(&app, &rung, 71).await;
    let ended = tell(mechanic, &rung, "end").await.expect(200);
    assert_eq!((&ended["status"], &ended["end_reason"]), (&json!("ended"), &json!("callee_hung_up")));
    assert_eq!(ended["duration_s"], (time(&ended, "ended_at") - time(&ended, "answered_at")).num_seconds());
    assert!(ended["duration_s"].as_i64().is_some_and(|seconds| seconds >= 71), "{ended}");
    assert_eq!(ended["expires_at"], Value::Null);
    assert_eq!(tell(customer, &rung, "end").await.expect(200), ended, "it stays as it ended");
    tell(mechanic, &rung, "accept").await.refused(409, "INVALID_TRANSITION");

    let listed = customer.get(&scene.path("/calls")).await.expect(200);
    assert_eq!((&listed["data"], &listed["total"]), (&json!([ended]), &json!(1)));
    for reader in [mechanic, &app.admin().await] {
        assert_eq!(reader.get(&scene.path("/calls")).await.expect(200), listed);
    }
    assert_eq!(
        logged(&scene).await,
        [json!("ended"), json!("ended"), json!("ended")],
        "ringing, accepted, ended"
    );
    assert_eq!(told(mechanic, "call_missed").await, [] as [Value; 0]);
}

#[actix_web::test]
async fn a_declined_or_abandoned_call_frees_the_line() {
    let (_app, scene) = spawn_accepted().await;
    let (customer, mechanic) = (&scene.customer, &scene.mechanic.client);
    let first = scene.ring().await;
    let rejected = tell(mechanic, &first, "reject").await.expect(200);
    assert_eq!((&rejected["status"], &rejected["end_reason"]), (&json!("rejected"), &json!("declined")));
    assert_eq!(tell(mechanic, &first, "reject").await.expect(200), rejected);
    assert_eq!(told(mechanic, "call_missed").await, [] as [Value; 0], "who rejects knows");

    let second = mechanic.post(&scene.path("/calls"), json!({})).await.expect(201);
    assert_eq!(second["callee_id"], json!(customer.user_id));
    let busy = customer.post(&scene.path("/calls"), json!({})).await.refused(409, "CONFLICT");
    assert!(busy["error"]["message"].as_str().expect("a text").contains(&id_of(&second)), "{busy}");
    tell(mechanic, &second, "reject").await.refused(409, "INVALID_TRANSITION");
    let cancelled = tell(mechanic, &second, "end").await.expect(200);
    assert_eq!(cancelled["status"], "cancelled");
    assert_eq!(cancelled["end_reason"], "caller_hung_up");
    assert_eq!(told(customer, "call_missed").await, [second["id"].clone()]);
    tell(customer, &second, "accept").await.refused(409, "INVALID_TRANSITION");
    scene.ring().await;
}

#[actix_web::test]
async fn a_call_that_nobody_answers_is_missed_once() {
    let (app, scene) = spawn_accepted().await;
    let call = scene.ring().await;
    pass(&app, &call, 31).await;
    let missed = scene.until_call(&call, "missed").await;
    assert_eq!((&missed["end_reason"], &missed["duration_s"]), (&json!("no_answer"), &Value::Null));
    tell(&scene.mechanic.client, &call, "accept").await.refused(409, "INVALID_TRANSITION");
    assert_eq!(tell(&scene.customer, &call, "end").await.expect(200), missed);
    assert_eq!(told(&scene.mechanic.client, "call_missed").await, [call["id"].clone()]);
    assert_eq!(told(&scene.customer, "call_missed").await, [] as [Value; 0]);
    assert_eq!(logged(&scene).await.len(), 2, "ringing and missed");
    scene.ring().await;
}

#[actix_web::test]
async fn a_call_ends_with_its_job_or_at_the_maximum_length() {
    let (app, scene) = spawn_accepted().await;
    let call = scene.talk().await;
    scene.mechanic.drive_and_start(&scene.customer, &scene.job).await;
    scene.step("complete", json!({"outcome": "fixed"})).await;
    let ended = scene.until_call(&call, "ended").await;
    assert_eq!(ended["end_reason"], "job_over");
    let again = scene.talk().await;
    assert_eq!(again["status"], "accepted", "about what was done, too");
    pass(&app, &again, 3601).await;
    let ended = scene.until_call(&again, "ended").await;
    assert_eq!((&ended["end_reason"], &ended["duration_s"]), (&json!("max_length"), &json!(3600)));
}

#[actix_web::test]
async fn neither_strangers_nor_a_mechanic_who_lost_the_job_see_a_call() {
    let (app, scene) = spawn_accepted().await;
    let (stranger, admin) = (app.customer().await, app.admin().await);
    let call = scene.talk().await;
    stranger.post(&scene.path("/calls"), json!({})).await.refused(404, "NOT_FOUND");
    stranger.get(&scene.path("/calls")).await.refused(404, "NOT_FOUND");
    admin.post(&scene.path("/calls"), json!({})).await.refused(403, "FORBIDDEN");
    for verb in ["accept", "reject", "end"] {
        tell(&stranger, &call, verb).await.refused(404, "NOT_FOUND");
        tell(&admin, &call, verb).await.refused(403, "FORBIDDEN");
    }
    scene.step("release", json!({"reason_code": "vehicle_trouble"})).await;
    let ended = scene.until_call(&call, "ended").await;
    assert_eq!(ended["end_reason"], "reassigned");
    let mechanic = &scene.mechanic.client;
    tell(mechanic, &call, "end").await.refused(404, "NOT_FOUND");
    mechanic.get(&scene.path("/calls")).await.refused(404, "NOT_FOUND");
    mechanic.post(&scene.path("/calls"), json!({})).await.refused(404, "NOT_FOUND");
    let nobody = scene.customer.post(&scene.path("/calls"), json!({})).await;
    nobody.refused(409, "INVALID_TRANSITION");

    let mut next = app.on_road(&admin).await;
    next.accept().await;
    let seen = next.client.get(&scene.path("/calls")).await.expect(200);
    assert_eq!(seen["total"], 0, "what another mechanic talked about is not the next one's");
    tell(&next.client, &call, "end").await.refused(404, "NOT_FOUND");
    let own = scene.ring().await;
    assert_eq!(own["callee_id"], json!(next.client.user_id));
    assert_eq!(next.client.get(&scene.path("/calls")).await.expect(200)["data"], json!([own]));
}

#[actix_web::test]
async fn calls_are_possible_until_a_day_after_the_job() {
    let (app, scene) = spawn_accepted().await;
    scene.serve().await;
    app.pass_since_end(&scene.job, 23 * 3600 + 3000).await;
    let call = scene.ring().await;
    tell(&scene.customer, &call, "end").await.expect(200);
    app.pass_since_end(&scene.job, 1000).await;
    for person in [&scene.customer, &scene.mechanic.client] {
        person.post(&scene.path("/calls"), json!({})).await.refused(409, "CONFLICT");
    }
}

#[actix_web::test]
async fn calls_are_counted_by_caller() {
    let app = spawn_app_with(|settings| settings.calls.invites_per_minute = 2).await;
    let scene = app.accepted().await;
    app.service.clock.stop();
    for _ in 0..2 {
        let call = scene.ring().await;
        tell(&scene.customer, &call, "end").await.expect(200);
    }
    scene.customer.post(&scene.path("/calls"), json!({})).await.put_off(429, "RATE_LIMITED");
    scene.mechanic.client.post(&scene.path("/calls"), json!({})).await.expect(201);
}

#[actix_web::test]
async fn a_restart_keeps_a_call_and_ends_it_later() {
    let mut app = spawn_app().await;
    let mut scene = app.accepted().await;
    let call = scene.ring().await;
    app.restart().await;
    scene.customer = app.sign_in(&scene.customer.phone).await;
    scene.mechanic.client = app.sign_in(&scene.mechanic.client.phone).await;
    assert_eq!(scene.now(&call).await["status"], "ringing");
    let answered = tell(&scene.mechanic.client, &call, "accept").await.expect(200);
    app.stop().await;
    pass(&app, &answered, 3601).await;
    app.restart().await;
    scene.customer = app.sign_in(&scene.customer.phone).await;
    let ended = scene.until_call(&call, "ended").await;
    assert_eq!((&ended["end_reason"], &ended["duration_s"]), (&json!("max_length"), &json!(3600)));
}
