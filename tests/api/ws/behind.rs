//! Changes that nobody could announce: whoever watches has them all the same, without another event.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{TestApp, roadside::Scene, spawn_app, spawn_app_behind, stream::EventStream};

async fn streamed(app: &TestApp, scene: &Scene) -> EventStream {
    let mut stream = app.stream(&scene.customer, &scene.path("/stream")).await;
    stream.expect("job.snapshot").await;
    stream
}

#[actix_web::test]
async fn a_cancellation_whose_answer_was_lost_reaches_whoever_watches() {
    let (app, wire) = spawn_app_behind(|_| {}).await;
    let scene = app.accepted().await;
    let mut watcher = app.socket(&scene.customer).await;
    watcher.ask("job.subscribe", json!({"job_id": scene.job})).await.expect("an ack");
    let mut stream = streamed(&app, &scene).await;
    wire.lose_next_answer();
    let why = json!({"reason_code": "changed_mind"});
    scene.customer.post(&scene.path("/cancel"), why).await.refused(503, "OUTCOME_UNKNOWN");
    assert_eq!(watcher.until_status("cancelled").await["type"], "job.updated");
    assert_eq!(stream.expect("job.updated").await.frame["data"]["status"], "cancelled");
}

#[actix_web::test]
async fn a_call_whose_commit_was_not_answered_reaches_whoever_watches() {
    let (app, wire) = spawn_app_behind(|_| {}).await;
    let scene = app.accepted().await;
    let mut watcher = app.socket(&scene.customer).await;
    watcher.ask("job.subscribe", json!({"job_id": scene.job})).await.expect("an ack");
    let mut stream = streamed(&app, &scene).await;
    wire.lose_next_answer();
    scene.customer.post(&scene.path("/calls"), json!({})).await.refused(503, "OUTCOME_UNKNOWN");
    let listed = scene.customer.get(&scene.path("/calls")).await.expect(200);
    let told = watcher.expect("call.updated").await;
    assert_eq!(told["data"]["id"], listed["data"][0]["id"]);
    assert_eq!(stream.expect("call.updated").await.id, told["seq"].as_i64());
}

/// As another process would: the row and its event, and nobody is told.
async fn set_off_behind_the_engine(app: &TestApp, scene: &Scene) {
    let moved = sqlx::query(
        "with moved as (
            update jobs set status = 'en_route', en_route_at = now(), version = version + 1, seq = seq + 1
            where id = $1 returning *)
        insert into job_events (job_id, version, seq, kind, command_id, actor_kind, snapshot, at)
        select id, version, seq, 'en_route', $2, 'system', to_jsonb(moved), now() from moved",
    );
    let command = app.state.random.id(app.state.clock.now());
    let moved = moved.bind(scene.job.parse::<Uuid>().unwrap()).bind(command);
    moved.execute(&app.database.db).await.expect("the job moves");
}

#[actix_web::test]
async fn a_row_that_was_changed_behind_the_engine_reaches_whoever_watches() {
    let app = spawn_app().await;
    let scene = app.accepted().await;
    let mut watcher = app.socket(&scene.customer).await;
    let ack = watcher.ask("job.subscribe", json!({"job_id": scene.job})).await.expect("an ack");
    let mut stream = streamed(&app, &scene).await;
    set_off_behind_the_engine(&app, &scene).await;
    let told = watcher.until_status("en_route").await;
    assert_eq!(told["seq"].as_i64(), ack["seq"].as_i64().map(|seq| seq + 1));
    assert_eq!(stream.expect("job.updated").await.frame["data"]["status"], "en_route");
    watcher.settle().await;
    assert_eq!(watcher.came("job.updated"), Vec::<&Value>::new(), "each event comes once");
}
