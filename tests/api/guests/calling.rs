//! Calls between the holder of a link and the mechanic.

use futures_util::future::join;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{link, revoke, seen, spawn_for_meera};
use crate::support::{
    Client, TestApp, bodies::id_of, roadside::Scene, rows::until_blocked, spawn_app, spawn_app_with,
    stream::EventStream, within,
};

async fn listening(app: &TestApp, path: &str) -> EventStream {
    let mut stream = app.try_stream(None, &format!("{path}/stream"), None).await.expect("a stream");
    stream.comment().await;
    stream
}

/// Lets the mechanic call the customer's side.
async fn rung(scene: &Scene) -> Value {
    scene.mechanic.client.post(&scene.path("/calls"), json!({})).await.expect(201)
}

async fn tell(nobody: &Client, path: &str, call: &Value, verb: &str) -> crate::support::Answer {
    nobody.post(&format!("{path}/calls/{}/{verb}", id_of(call)), json!({})).await
}

#[actix_web::test]
async fn the_person_at_the_vehicle_calls_the_mechanic_and_their_devices_find_each_other() {
    let (app, mut scene) = spawn_for_meera().await;
    let (_, path) = link(&scene, json!({})).await;
    let nobody = app.anonymous();
    let mut stream = listening(&app, &path).await;
    let call = nobody.post(&format!("{path}/calls"), json!({})).await.expect(201);
    let token = nobody.post(&format!("{path}/calls/token"), json!({})).await.expect(200);
    assert!(token["token"].is_string());
    assert_eq!((&call["status"], &call["is_incoming"]), (&json!("ringing"), &json!(false)));
    let frame = scene.mechanic.socket.expect("call.ringing").await;
    assert_eq!((&frame["data"]["id"], &frame["data"]["caller_is_guest"]), (&call["id"], &json!(true)));
    let payload = json!({"call_id": call["id"]});
    scene.mechanic.socket.ask("call.ringing", payload.clone()).await.expect("an ack");
    assert_eq!(stream.expect("call.ringing").await.frame, seen(&nobody, &path).await["call"]);
    scene.mechanic.socket.ask("call.accept", payload.clone()).await.expect("a call");
    stream.expect("changed").await;
    assert_eq!(seen(&nobody, &path).await["call"]["status"], "accepted");
    let offer = json!({"payload": {"type": "offer"}});
    let signalled = nobody.post(&format!("{path}/calls/{}/signal", id_of(&call)), offer).await.expect(200);
    assert_eq!(signalled["delivered"], true);
    assert_eq!(scene.mechanic.socket.expect("call.signal").await["data"]["payload"]["type"], "offer");
    let answer = json!({"call_id": call["id"], "payload": {"type": "answer"}});
    let delivered = scene.mechanic.socket.ask("call.signal", answer).await.expect("an ack");
    assert_eq!(delivered["delivered"], true);
    assert_eq!(stream.expect("call.signal").await.frame["payload"]["type"], "answer");
    let ended = tell(&nobody, &path, &call, "end").await.expect(200);
    assert_eq!((&ended["status"], &ended["end_reason"]), (&json!("ended"), &json!("caller_hung_up")));
    assert_eq!(seen(&nobody, &path).await["call"], Value::Null);
    let listed = scene.customer.get(&scene.path("/calls")).await.expect(200);
    assert_eq!(listed["data"][0]["caller_is_guest"], true, "the customer sees who called: {listed}");
}

#[actix_web::test]
async fn a_mechanics_call_reaches_the_customers_chosen_contact() {
    for (preference, listens, rings) in [
        ("booker", true, "account"),
        ("beneficiary", true, "guests"),
        ("beneficiary", false, "both"),
        ("both", true, "both"),
    ] {
        let app = spawn_app().await;
        let scene = app.accepted_for(preference).await;
        let (_, path) = link(&scene, json!({"may_contact": true})).await;
        let mut stream = match listens {
            true => Some(listening(&app, &path).await),
            false => None,
        };
        let call = rung(&scene).await;
        assert_eq!(call["rings"], rings, "{preference}, listening: {listens}");
        let shown = scene.customer.get("/notifications?type=call_incoming").await.expect(200);
        assert_eq!(shown["total"], i32::from(rings != "guests"), "{preference}: {shown}");
        let nobody = app.anonymous();
        if rings == "account" {
            assert_eq!(seen(&nobody, &path).await["call"], Value::Null);
            tell(&nobody, &path, &call, "accept").await.refused(404, "NOT_FOUND");
            continue;
        }
        if let Some(stream) = &mut stream {
            assert_eq!(stream.expect("call.ringing").await.frame["id"], call["id"]);
        }
        assert_eq!(seen(&nobody, &path).await["call"]["is_incoming"], true);
        tell(&nobody, &path, &call, "accept").await.expect(200);
        let listed = scene.mechanic.client.get(&scene.path("/calls")).await.expect(200);
        assert_eq!(listed["data"][0]["answered_by_guest"], true, "{listed}");
        let late = scene.customer.post(&format!("/calls/{}/accept", id_of(&call)), json!({})).await;
        late.refused(409, "CONFLICT");
    }
}

#[actix_web::test]
async fn another_link_neither_answers_nor_ends_a_call() {
    let (app, scene) = spawn_for_meera().await;
    let (_, path) = link(&scene, json!({})).await;
    let (_, friend) = link(&scene, json!({})).await;
    let nobody = app.anonymous();
    let own = nobody.post(&format!("{path}/calls"), json!({})).await.expect(201);
    nobody.post(&format!("{friend}/calls"), json!({})).await.refused(409, "CONFLICT");
    for verb in ["accept", "reject", "end", "signal"] {
        tell(&nobody, &friend, &own, verb).await.refused(404, "NOT_FOUND");
        let odd = nobody.post(&format!("{friend}/calls/{}/{verb}", id_of(&own)), json!({"odd": 1})).await;
        odd.refused(404, "NOT_FOUND");
    }
    assert_eq!(seen(&nobody, &friend).await["call"], Value::Null);
    tell(&nobody, &path, &own, "accept").await.refused(409, "INVALID_TRANSITION");
    tell(&nobody, &path, &own, "end").await.expect(200);
    let call = rung(&scene).await;
    tell(&nobody, &friend, &call, "accept").await.expect(200);
    assert_eq!(seen(&nobody, &path).await["call"], Value::Null, "it was answered elsewhere");
    for (verb, code) in [("accept", "CONFLICT"), ("reject", "INVALID_TRANSITION"), ("end", "CONFLICT")] {
        tell(&nobody, &path, &call, verb).await.refused(409, code);
    }
    assert_eq!(seen(&nobody, &friend).await["call"]["status"], "accepted");
    let elsewhere =
        nobody.post(&format!("{path}/calls/{}/signal", id_of(&call)), json!({"payload": 1})).await;
    elsewhere.refused(409, "CONFLICT");
}

#[actix_web::test]
async fn a_guest_enters_the_room_only_for_a_call_of_their_own() {
    let (app, scene) = spawn_for_meera().await;
    let (_, path) = link(&scene, json!({})).await;
    let nobody = app.anonymous();
    let token = async || nobody.post(&format!("{path}/calls/token"), json!({})).await;
    token().await.refused(409, "CONFLICT");
    let customers = scene.customer.post(&scene.path("/calls"), json!({})).await.expect(201);
    scene.mechanic.client.post(&format!("/calls/{}/accept", id_of(&customers)), json!({})).await.expect(200);
    token().await.refused(409, "CONFLICT");
    scene.customer.post(&format!("/calls/{}/end", id_of(&customers)), json!({})).await.expect(200);
    let call = rung(&scene).await;
    token().await.expect(200);
    let answered = tell(&nobody, &path, &call, "accept").await.expect(200);
    assert!(token().await.expect(200)["expires_at"].as_str() <= answered["expires_at"].as_str());
    tell(&nobody, &path, &call, "end").await.expect(200);
    token().await.refused(409, "CONFLICT");
}

#[actix_web::test]
async fn a_call_by_a_link_ends_when_the_link_expires() {
    let app = spawn_app_with(|settings| {
        settings.shares.ttl_s = 60;
        settings.calls.ring_s = 120;
    })
    .await;
    let scene = app.accepted_for_meera().await;
    let (made, path) = link(&scene, json!({})).await;
    let nobody = app.anonymous();
    let own = nobody.post(&format!("{path}/calls"), json!({})).await.expect(201);
    assert_eq!(own["expires_at"], made["expires_at"]);
    let accept = format!("/calls/{}/accept", id_of(&own));
    let answered = scene.mechanic.client.post(&accept, json!({})).await.expect(200);
    assert_eq!(answered["expires_at"], made["expires_at"]);
    tell(&nobody, &path, &own, "end").await.expect(200);
    let call = rung(&scene).await;
    assert_ne!(call["expires_at"], made["expires_at"], "the customer can answer it, too");
    let answered = tell(&nobody, &path, &call, "accept").await.expect(200);
    assert_eq!(answered["expires_at"], made["expires_at"]);
    let token = nobody.post(&format!("{path}/calls/token"), json!({})).await.expect(200);
    assert_eq!(token["expires_at"], made["expires_at"]);
}

/// Waits until the revocation of a link is committed. The request that revokes the link may still wait for the job, whose calls it ends.
async fn until_revoked(app: &TestApp, link: &Value) {
    let id: Uuid = id_of(link).parse().expect("an id");
    let is_revoked = || {
        sqlx::query_scalar::<_, bool>("select revoked_at is not null from share_links where id = $1")
            .bind(id)
            .fetch_one(&app.database.db)
    };
    within("the link is revoked", async { while !is_revoked().await.expect("an answer") {} }).await;
}

#[actix_web::test]
async fn a_revoked_link_neither_starts_nor_answers_a_call() {
    let (app, scene) = spawn_for_meera().await;
    let nobody = app.anonymous();
    let job: Uuid = scene.job.parse().expect("an id");
    for answers in [false, true] {
        let (made, path) = link(&scene, json!({})).await;
        let ringing = match answers {
            true => Some(rung(&scene).await),
            false => None,
        };
        let asks = match &ringing {
            Some(call) => format!("{path}/calls/{}/accept", id_of(call)),
            None => format!("{path}/calls"),
        };
        let mut lock = app.database.db.begin().await.unwrap();
        sqlx::query("select from jobs where id = $1 for update").bind(job).execute(&mut *lock).await.unwrap();
        let revoked = async {
            until_blocked(&app.database.db).await;
            let unlocked = async {
                until_revoked(&app, &made).await;
                lock.commit().await.unwrap();
            };
            join(revoke(&scene, &made), unlocked).await;
        };
        let (refused, ()) = join(nobody.post(&asks, json!({})), revoked).await;
        refused.refused(410, "LINK_EXPIRED");
        let listed = scene.customer.get(&scene.path("/calls")).await.expect(200);
        assert_eq!(listed["total"], i32::from(answers), "{listed}");
        if answers {
            assert_eq!(listed["data"][0]["status"], "ringing", "the customer can still answer it");
        }
    }
}

#[actix_web::test]
async fn a_call_after_the_jobs_end_rings_only_the_customer() {
    let (_app, scene) = spawn_for_meera().await;
    link(&scene, json!({})).await;
    scene.serve().await;
    assert_eq!(rung(&scene).await["rings"], "account");
}

#[actix_web::test]
async fn a_call_and_a_stream_end_with_their_link() {
    let (app, scene) = spawn_for_meera().await;
    let (made, path) = link(&scene, json!({})).await;
    let nobody = app.anonymous();
    let mut stream = listening(&app, &path).await;
    let call = rung(&scene).await;
    tell(&nobody, &path, &call, "accept").await.expect(200);
    revoke(&scene, &made).await;
    let listed = scene.mechanic.client.get(&scene.path("/calls")).await.expect(200);
    assert_eq!((&listed["data"][0]["id"], &listed["data"][0]["status"]), (&call["id"], &json!("ended")));
    stream.expect("ended").await;
    tell(&nobody, &path, &call, "end").await.refused(410, "LINK_EXPIRED");
}

/// Waits for the end of a stream, and checks that only the link's end caused it: the first heartbeat comes before the regular
/// check.
async fn ended_at_once(mut stream: EventStream) {
    stream.expect("ended").await;
    assert_eq!(stream.comments, 1, "the regular check was faster");
    stream.ended().await;
}

#[actix_web::test]
async fn only_the_streams_of_a_revoked_link_end_and_at_once() {
    let (app, scene) = spawn_for_meera().await;
    let (made, path) = link(&scene, json!({})).await;
    let (_, other_path) = link(&scene, json!({})).await;
    let (one, two) = (listening(&app, &path).await, listening(&app, &path).await);
    let mut other = listening(&app, &other_path).await;
    revoke(&scene, &made).await;
    ended_at_once(one).await;
    ended_at_once(two).await;
    scene.step("en-route", json!({})).await;
    other.expect("changed").await;
}

#[actix_web::test]
async fn a_stream_ends_at_once_when_its_link_expires() {
    let (app, scene) = spawn_for_meera().await;
    let (made, path) = link(&scene, json!({})).await;
    let soon =
        "update share_links set expires_at = clock_timestamp() + interval '5 seconds' where id = $1::uuid";
    app.change(soon, &[&id_of(&made)]).await;
    ended_at_once(listening(&app, &path).await).await;
}

#[actix_web::test]
async fn a_stream_ends_with_the_job() {
    let (app, scene) = spawn_for_meera().await;
    let (_, path) = link(&scene, json!({})).await;
    let mut stream = listening(&app, &path).await;
    scene.step("en-route", json!({})).await;
    stream.expect("changed").await;
    scene.customer.post(&scene.path("/cancel"), json!({"reason_code": "changed_mind"})).await.expect(200);
    stream.expect("ended").await;
    app.anonymous().get(&path).await.refused(410, "LINK_EXPIRED");
}

#[actix_web::test]
async fn a_link_has_a_maximum_number_of_streams() {
    let app = spawn_app_with(|settings| settings.ws.sockets_per_user = 2).await;
    let scene = app.accepted_for_meera().await;
    let (_, path) = link(&scene, json!({})).await;
    let _open = (listening(&app, &path).await, listening(&app, &path).await);
    let refused = app.try_stream(None, &format!("{path}/stream"), None).await.expect_err("a refusal");
    assert_eq!((refused.0, &refused.1["error"]["code"]), (429, &json!("RATE_LIMITED")));
}
