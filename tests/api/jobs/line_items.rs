use serde_json::{Value, json};

use crate::support::{
    Answer, AssertFields, Client, TestApp,
    bodies::{id_of, set},
    roadside::{OnRoad, Scene},
    socket::Socket,
    spawn_app, spawn_app_with,
};

fn tube() -> Value {
    json!({"type": "part", "description": "A tube", "quantity": 2, "unit_price": 120.5,
        "photo_url": "https://files.example/tube.jpg"})
}

fn discount(amount: Value) -> Value {
    json!({"type": "discount", "description": "For the wait", "quantity": 1, "unit_price": amount})
}

/// Returns a job whose mechanic is at the vehicle.
async fn arrived(app: &TestApp) -> Scene {
    let scene = app.accepted().await;
    scene.drive().await;
    scene
}

/// Starts the service with such a job.
async fn spawn_arrived() -> (TestApp, Scene) {
    let app = spawn_app().await;
    let scene = arrived(&app).await;
    (app, scene)
}

async fn propose(scene: &Scene, body: Value) -> Value {
    scene.mechanic.client.post(&scene.path("/line-items"), body).await.expect(201)
}

async fn decide(scene: &Scene, item: &Value, verb: &str) -> Answer {
    let path = scene.path(&format!("/line-items/{}/{verb}", id_of(item)));
    scene.customer.post(&path, json!({"version": item["version"]})).await
}

async fn listed(client: &Client, scene: &Scene) -> Vec<Value> {
    client.list(&scene.path("/line-items")).await
}

/// Returns the frames of a job's log with these numbers, one for each.
async fn frames(socket: &mut Socket, seqs: std::ops::RangeInclusive<i64>) -> Vec<Value> {
    let mut frames = Vec::new();
    for seq in seqs {
        frames.push(socket.find(&format!("frame {seq}"), |frame| frame["seq"] == seq).await);
    }
    frames
}

fn kinds(frames: &[Value]) -> Vec<(&str, &str)> {
    frames
        .iter()
        .filter_map(|frame| Some((frame["type"].as_str()?, frame["data"]["status"].as_str()?)))
        .collect()
}

#[actix_web::test]
async fn approved_items_make_the_final_price() {
    let (app, scene) = spawn_arrived().await;
    let item = propose(&scene, tube()).await;
    assert_eq!((&item["unit_price"], &item["total"]), (&json!(120.5), &json!(241.0)));
    assert_eq!((&item["status"], &item["job_id"]), (&json!("proposed"), &json!(scene.job)));
    scene.start().await;
    let labour = json!({"type": "labour", "description": "An hour", "quantity": 1, "unit_price": 300});
    let labour = propose(&scene, labour).await;
    let off = propose(&scene, discount(json!(40.01))).await;
    assert_eq!((&off["unit_price"], &off["total"]), (&json!(40.01), &json!(-40.01)));
    let complete = json!({"outcome": "fixed"});
    let path = scene.path("/complete");
    scene.mechanic.client.post(&path, complete.clone()).await.refused(409, "PENDING_APPROVAL");
    for (item, verb, status) in
        [(&item, "approve", "approved"), (&labour, "reject", "rejected"), (&off, "approve", "approved")]
    {
        assert_eq!(decide(&scene, item, verb).await.expect(200)["status"], status);
        assert_eq!(decide(&scene, item, verb).await.expect(200)["status"], status, "again is the same");
        let other = if verb == "approve" { "reject" } else { "approve" };
        decide(&scene, item, other).await.refused(409, "INVALID_TRANSITION");
    }
    let done = scene.step("complete", complete).await;
    let base = done["estimated_price"].as_f64().expect("a price");
    assert_eq!(done["final_price"], json!(base + 241.0 - 40.01));
    for client in [&*scene.customer, &*scene.mechanic.client, &*app.admin().await] {
        let statuses = client.column(&scene.path("/line-items"), "status").await;
        assert_eq!(statuses, ["approved", "rejected", "approved"]);
    }
    app.customer().await.get(&scene.path("/line-items")).await.refused(404, "NOT_FOUND");
    scene.mechanic.client.post(&scene.path("/line-items"), tube()).await.refused(409, "INVALID_TRANSITION");
}

#[actix_web::test]
async fn an_item_changes_until_it_is_decided() {
    let (_app, scene) = spawn_arrived().await;
    let item = propose(&scene, tube()).await;
    let path = scene.path(&format!("/line-items/{}", id_of(&item)));
    let mechanic = &scene.mechanic.client;
    let same = mechanic.patch(&path, json!({})).await.expect(200);
    assert_eq!(same, item, "nothing to change changes nothing");
    let amended = mechanic.patch(&path, json!({"unit_price": 99, "photo_url": null})).await.expect(200);
    amended.assert_fields(json!({"total": 198.0, "photo_url": null, "description": "A tube"}));
    let stale = json!({"version": 2, "quoted_total": 241.0});
    scene.customer.post(&format!("{path}/approve"), stale).await.refused(409, "CONFLICT");
    let quoted = json!({"version": 2, "quoted_total": 198.0});
    scene.customer.post(&format!("{path}/approve"), quoted).await.expect(200);
    mechanic.patch(&path, json!({"unit_price": 1})).await.refused(409, "INVALID_TRANSITION");
    mechanic.delete(&path).await.refused(409, "INVALID_TRANSITION");
    let other = propose(&scene, tube()).await;
    let path = scene.path(&format!("/line-items/{}", id_of(&other)));
    mechanic.delete(&path).await.expect(204);
    mechanic.delete(&path).await.refused(404, "NOT_FOUND");
    let first = json!({"version": 1});
    scene.customer.post(&format!("{path}/approve"), first).await.refused(404, "NOT_FOUND");
    assert_eq!(listed(mechanic, &scene).await.len(), 1);
}

#[actix_web::test]
async fn a_decision_names_the_version_that_was_shown() {
    let (_app, scene) = spawn_arrived().await;
    let shown = propose(&scene, set(&tube(), "unit_price", json!(60))).await;
    assert_eq!(shown["version"], 1);
    let path = scene.path(&format!("/line-items/{}", id_of(&shown)));
    let dear = scene.mechanic.client.patch(&path, json!({"unit_price": 24_000})).await.expect(200);
    assert_eq!(dear["version"], 2);
    for verb in ["approve", "reject"] {
        let decide = format!("{path}/{verb}");
        // The total alone does not name the item: its description may have changed.
        for unnamed in [json!({}), json!({"quoted_total": 48_000})] {
            scene.customer.post(&decide, unnamed).await.refused_field("version");
        }
        for stale in [json!({"version": 1}), json!({"version": 1, "quoted_total": 48_000})] {
            let refused = scene.customer.post(&decide, stale).await;
            let refused = refused.refused_saying(409, "CONFLICT", "version 2");
            assert!(refused["error"]["message"].as_str().unwrap().contains("48000"), "{refused}");
        }
        for odd in [json!({"version": 0}), json!({"version": 1.5})] {
            scene.customer.post(&decide, odd).await.refused_field("version");
        }
    }
    assert_eq!(listed(&scene.customer, &scene).await, std::slice::from_ref(&dear), "nothing was decided");
    let approved = decide(&scene, &dear, "approve").await.expect(200);
    assert_eq!((&approved["status"], &approved["version"]), (&json!("approved"), &json!(3)));
}

#[actix_web::test]
async fn an_item_whose_description_changed_is_not_approved_by_its_total() {
    let (_app, scene) = spawn_arrived().await;
    let shown = propose(&scene, tube()).await;
    let path = scene.path(&format!("/line-items/{}", id_of(&shown)));
    let other = json!({"description": "Nothing that you need"});
    let other = scene.mechanic.client.patch(&path, other).await.expect(200);
    assert_eq!(other["total"], shown["total"]);
    decide(&scene, &shown, "approve").await.refused(409, "CONFLICT");
    assert_eq!(listed(&scene.customer, &scene).await[0]["status"], "proposed");
    decide(&scene, &other, "approve").await.expect(200);
}

#[actix_web::test]
async fn amounts_and_texts_are_read_strictly() {
    let (_app, scene) = spawn_arrived().await;
    let path = scene.path("/line-items");
    let mechanic = &scene.mechanic.client;
    for (field, odd) in [
        ("unit_price", json!(0)),
        ("unit_price", json!(-5)),
        ("unit_price", json!(1.005)),
        ("unit_price", json!(10_000_001)),
        ("quantity", json!(0)),
        ("quantity", json!(1.5)),
        ("quantity", json!(1001)),
        ("description", json!("")),
        ("photo_url", json!("ftp://files.example/a.jpg")),
    ] {
        mechanic.post(&path, set(&tube(), field, odd)).await.refused_field(field);
    }
    // Each value is valid by itself, but together they exceed the maximum price of a job.
    let dear = set(&set(&tube(), "unit_price", json!(9_000_000)), "quantity", json!(2));
    mechanic.post(&path, dear).await.refused_field("unit_price");
    let price = scene.customer.get(&scene.path("")).await.expect(200)["estimated_price"].as_f64();
    let price = price.expect("a price");
    mechanic.post(&path, discount(json!(price + 0.01))).await.refused_field("unit_price");
    // A discount on a part has to wait for the part.
    let part = propose(&scene, set(&tube(), "quantity", json!(1))).await;
    let off = propose(&scene, discount(json!(price + 100.0))).await;
    decide(&scene, &off, "approve").await.refused(409, "CONFLICT");
    decide(&scene, &part, "approve").await.expect(200);
    decide(&scene, &off, "approve").await.expect(200);
}

#[actix_web::test]
async fn the_same_request_under_a_key_makes_one_item() {
    let (_app, scene) = spawn_arrived().await;
    let path = scene.path("/line-items");
    let post = async |body: Value| scene.mechanic.client.post_once(&path, &body, "tube-1").await;
    let first = post(tube()).await.expect(201);
    decide(&scene, &first, "approve").await.expect(200);
    assert_eq!(post(tube()).await.expect(201), first, "the same answer, although it is approved since");
    post(set(&tube(), "quantity", json!(3))).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(listed(&scene.customer, &scene).await.len(), 1);
}

#[actix_web::test]
async fn each_change_is_one_frame_live_replayed_and_over_http() {
    let (app, scene) = spawn_arrived().await;
    let mut watcher = app.socket(&scene.customer).await;
    let ack = watcher.ask("job.subscribe", json!({"job_id": scene.job})).await.expect("an ack");
    let seq = ack["seq"].as_i64().expect("a number");
    let first = propose(&scene, tube()).await;
    let path = scene.path(&format!("/line-items/{}", id_of(&first)));
    let amended = scene.mechanic.client.patch(&path, json!({"quantity": 1})).await.expect(200);
    let approved = decide(&scene, &amended, "approve").await.expect(200);
    let second = propose(&scene, tube()).await;
    let gone = scene.path(&format!("/line-items/{}", id_of(&second)));
    scene.mechanic.client.delete(&gone).await.expect(204);
    let third = propose(&scene, tube()).await;
    let rejected = decide(&scene, &third, "reject").await.expect(200);
    scene.start().await;

    let live = frames(&mut watcher, seq + 1..=seq + 8).await;
    let expected = [
        ("line_item.updated", "proposed"),
        ("line_item.updated", "proposed"),
        ("line_item.updated", "approved"),
        ("line_item.updated", "proposed"),
        ("line_item.updated", "withdrawn"),
        ("line_item.updated", "proposed"),
        ("line_item.updated", "rejected"),
        ("job.updated", "in_progress"),
    ];
    assert_eq!(kinds(&live), expected);
    for (frame, item) in
        [(0, &first), (1, &amended), (2, &approved), (3, &second), (5, &third), (6, &rejected)]
    {
        assert_eq!(&live[frame]["data"], item, "as it stood then");
    }
    assert!(live.iter().all(|frame| frame["job_id"] == *scene.job));
    // The mechanic's own socket follows the job without a subscription.
    let mut own = scene.mechanic;
    let followed = frames(&mut own.socket, seq + 1..=seq + 8).await;
    assert_eq!(followed[..7], live[..7], "of a job each side sees its own");
    assert_eq!(kinds(&followed), expected);
    let mut later = app.socket(&scene.customer).await;
    later.ask("job.subscribe", json!({"job_id": scene.job, "since_seq": seq})).await.expect("an ack");
    assert_eq!(frames(&mut later, seq + 1..=seq + 8).await, live, "replayed as it was live");
    let events = scene.customer.list(&format!("/jobs/{}/events?since_seq={seq}", scene.job)).await;
    let over_http = |frame: &Value| json!({"seq": frame["seq"], "type": frame["type"], "at": frame["at"], "data": frame["data"]});
    let live: Vec<Value> = live.iter().map(over_http).collect();
    assert_eq!(events, live);
    let timeline = scene.customer.list(&format!("/jobs/{}/timeline", scene.job)).await;
    let entry = timeline.iter().find(|entry| entry["event"] == "line_item_approved");
    assert_eq!(entry.expect("an entry")["data"], approved);
}

#[actix_web::test]
async fn the_items_of_a_mechanic_who_lost_the_job_are_gone() {
    let (app, scene) = spawn_arrived().await;
    let kept = propose(&scene, tube()).await;
    propose(&scene, tube()).await;
    decide(&scene, &kept, "approve").await.expect(200);
    let admin = app.admin().await;
    let mut next: OnRoad = app.on_road(&admin).await;
    scene.step("release", json!({"reason_code": "missing_parts"})).await;
    scene.mechanic.client.get(&scene.path("/line-items")).await.refused(404, "NOT_FOUND");
    assert_eq!(listed(&scene.customer, &scene).await, Vec::<Value>::new());
    next.accept().await;
    next.drive_and_start(&scene.customer, &scene.job).await;
    let path = scene.path(&format!("/line-items/{}", id_of(&kept)));
    next.client.delete(&path).await.refused(404, "NOT_FOUND");
    let done = next.tell(&scene.job, "complete", json!({"outcome": "fixed"})).await;
    assert_eq!(done["final_price"], done["estimated_price"]);
}

#[actix_web::test]
async fn a_restart_keeps_items() {
    let (mut app, scene) = spawn_arrived().await;
    let (first, second) = (propose(&scene, tube()).await, propose(&scene, discount(json!(10))).await);
    decide(&scene, &first, "approve").await.expect(200);
    app.restart().await;
    let customer = app.anonymous().with_token(scene.customer.token().expect("signed in"));
    let mechanic = app.anonymous().with_token(scene.mechanic.client.token().expect("signed in"));
    assert_eq!(listed(&customer, &scene).await.len(), 2);
    let code = customer.get(&scene.path("")).await.expect(200)["start_code"].clone();
    mechanic.post(&scene.path("/start"), json!({"start_code": code})).await.expect(200);
    let complete = json!({"outcome": "fixed"});
    mechanic.post(&scene.path("/complete"), complete.clone()).await.refused(409, "PENDING_APPROVAL");
    let approve = scene.path(&format!("/line-items/{}/approve", id_of(&second)));
    customer.post(&approve, json!({"version": 1})).await.expect(200);
    let done = mechanic.post(&scene.path("/complete"), complete).await.expect(200);
    let base = done["estimated_price"].as_f64().expect("a price");
    assert_eq!(done["final_price"], json!(base + 241.0 - 10.0));
}

#[actix_web::test]
async fn a_job_has_at_most_fifty_items() {
    let app = spawn_app_with(|settings| settings.limits.per_user_per_minute = 10_000).await;
    let scene = arrived(&app).await;
    for _ in 0..50 {
        propose(&scene, tube()).await;
    }
    scene.mechanic.client.post(&scene.path("/line-items"), tube()).await.refused(409, "CONFLICT");
}
