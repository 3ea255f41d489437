//! Changes that nobody could announce: watchers still get them, without another event.

use serde_json::{Value, json};

use crate::support::{TestApp, roadside::Scene, spawn_accepted, spawn_app_behind, stream::EventStream};

async fn streamed(app: &TestApp, scene: &Scene) -> EventStream {
    let mut stream = app.stream(&scene.customer, &scene.path("/stream")).await;
    stream.expect("job.snapshot").await;
    stream
}

#[actix_web::test]
async fn a_line_item_whose_commit_got_no_response_reaches_watchers() {
    let (app, wire) = spawn_app_behind(|_| {}).await;
    let scene = app.accepted().await;
    scene.step("en-route", json!({})).await;
    scene.step("arrive", json!({"override_reason": "the receiver is off"})).await;
    let mut watcher = app.following(&scene).await;
    let mut stream = streamed(&app, &scene).await;
    wire.lose_next_answer("insert into line_items");
    let labour = json!({"type": "labour", "description": "Patching", "quantity": 1, "unit_price": 80});
    scene.mechanic.client.post(&scene.path("/line-items"), labour).await.expect(201);
    let listed = scene.customer.get(&scene.path("/line-items")).await.expect(200);
    let item = &listed["data"][0]["id"];
    assert!(item.is_string(), "it was committed: {listed}");
    watcher.find("the item", |frame| frame["data"]["id"] == *item).await;
    assert_eq!(stream.expect("line_item.updated").await.frame["data"]["id"], *item);
}

#[actix_web::test]
async fn a_call_whose_commit_got_no_response_reaches_watchers() {
    let (app, wire) = spawn_app_behind(|_| {}).await;
    let scene = app.accepted().await;
    let mut watcher = app.following(&scene).await;
    let mut stream = streamed(&app, &scene).await;
    wire.lose_next_answer("insert into calls");
    scene.customer.post(&scene.path("/calls"), json!({})).await.refused(503, "OUTCOME_UNKNOWN");
    let listed = scene.customer.get(&scene.path("/calls")).await.expect(200);
    let call = &listed["data"][0];
    assert_eq!(call["status"], "ringing");
    let is_shown = |frame: &Value| frame["type"] == "call.updated" && frame["data"]["id"] == call["id"];
    watcher.find("the call", is_shown).await;
    assert_eq!(stream.expect("call.updated").await.frame["data"]["id"], call["id"]);
}

/// Writes the row and its event like another process, and notifies nobody.
async fn set_off_behind_the_engine(app: &TestApp, scene: &Scene) {
    let moved = "with moved as (
            update job_states set status = 'en_route', en_route_at = now(), version = version + 1, seq = seq + 1
            where id = $1::uuid returning *)
        insert into job_events (job_id, version, seq, kind, command_id, actor_kind, replaced, at)
        select id, version, seq, 'en_route', gen_random_uuid(), 'system',
            '{\"status\": \"accepted\", \"en_route_at\": null}', now()
        from moved";
    app.change(moved, &[&scene.job]).await;
}

#[actix_web::test]
async fn a_change_made_behind_the_engine_reaches_watchers() {
    let (app, scene) = spawn_accepted().await;
    let mut watcher = app.socket(&scene.customer).await;
    let ack = watcher.ask("job.subscribe", json!({"job_id": scene.job})).await.expect("an ack");
    let mut stream = streamed(&app, &scene).await;
    set_off_behind_the_engine(&app, &scene).await;
    let shown = watcher.until_status("en_route").await;
    assert_eq!(shown["seq"].as_i64(), ack["seq"].as_i64().map(|seq| seq + 1));
    assert_eq!(stream.expect("job.updated").await.frame["data"]["status"], "en_route");
    watcher.settle().await;
    assert_eq!(watcher.came("job.updated"), Vec::<&Value>::new(), "each event comes once");
}
