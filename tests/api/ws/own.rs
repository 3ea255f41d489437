//! Frames that a mechanic's sockets get without a subscription.

use roadcall::platform::db::Transaction;
use roadcall_actors::{
    ids::{JobId, UserId},
    ports::Announcement,
};
use serde_json::{Value, json};

use crate::support::{
    Socket, TestApp,
    bodies::{id_of, registration},
    roadside::PICKUP,
    spawn_app_with, spawn_on_road, spawn_with_admin, within,
};

const NOBODYS: &str = "018f0000-0000-7000-8000-0000000000fe";
pub const JOBS: &str = "lock table jobs in access exclusive mode";
pub const EVENTS: &str = "lock table job_events in access exclusive mode";

/// Locks the table, so that nothing can use it until this is rolled back.
pub async fn stall(app: &TestApp, lock: &'static str) -> Transaction {
    let mut holder = app.database.db.begin().await.unwrap();
    sqlx::query(lock).execute(&mut *holder).await.unwrap();
    holder
}

/// Waits until a read of this job, begun after all earlier ones, has failed because of the stall.
async fn a_look_fails(socket: &mut Socket, job: &str) {
    let error = socket.ask("job.subscribe", json!({"job_id": job})).await.expect_err("stalled");
    assert_eq!(error["code"], "UNAVAILABLE");
}

/// Returns an accepted job, and a socket of its mechanic that does not follow it.
async fn unfollowed(app: &TestApp) -> (Scene, Socket) {
    let scene = app.accepted().await;
    let mut socket = app.socket(&scene.mechanic.client).await;
    socket.expect("job.snapshot").await;
    socket.ask("job.unsubscribe", json!({"job_id": scene.job})).await.expect("an ack");
    (scene, socket)
}

/// Announces the job to its mechanic's sockets as theirs.
fn announce(app: &TestApp, scene: &Scene) {
    let mechanic = UserId(scene.mechanic.client.user_id.parse().unwrap());
    let job = JobId(scene.job.parse().unwrap());
    app.service.hub.announce(Announcement::Assigned { mechanic, job, is_on_it: true });
}

#[actix_web::test]
async fn a_socket_opened_during_a_database_stall_follows_its_job_afterwards() {
    let app = spawn_app_with(|settings| settings.database.lock_timeout_ms = 300).await;
    let scene = app.accepted().await;
    let holder = stall(&app, JOBS).await;
    let mut socket = app.socket(&scene.mechanic.client).await;
    a_look_fails(&mut socket, NOBODYS).await;
    holder.rollback().await.unwrap();
    let snapshot = socket.expect("job.snapshot").await;
    assert_eq!(snapshot["job_id"], scene.job.as_str());
    scene.step("en-route", json!({})).await;
    assert_eq!(socket.expect("job.updated").await["data"]["status"], "en_route");
}

#[actix_web::test]
async fn a_job_won_during_a_database_stall_is_followed_afterwards_whatever_the_client_asked_meanwhile() {
    for is_own in [false, true] {
        let app = spawn_app_with(|settings| settings.database.lock_timeout_ms = 300).await;
        let (scene, mut socket) = unfollowed(&app).await;
        let holder = stall(&app, JOBS).await;
        announce(&app, &scene);
        if is_own {
            socket.settle().await;
        }
        let job = if is_own { scene.job.as_str() } else { NOBODYS };
        a_look_fails(&mut socket, job).await;
        holder.rollback().await.unwrap();
        let first = socket.expect("job.updated").await;
        assert_eq!(first["data"]["status"], "accepted", "from the assignment on");
        assert!(is_own || socket.came("error").is_empty(), "nobody sent a frame that this could answer");
    }
}

#[actix_web::test]
async fn a_client_that_subscribes_to_its_own_job_at_once_gets_no_error() {
    let app = spawn_app_with(|settings| settings.database.lock_timeout_ms = 20_000).await;
    let scene = app.accepted().await;
    // The client's subscription comes while the server's own is being looked up.
    let holder = stall(&app, EVENTS).await;
    let mut socket = app.socket(&scene.mechanic.client).await;
    socket.expect("location.rate").await;
    let asked = socket.ask_later("job.subscribe", json!({"job_id": scene.job})).await;
    socket.settle().await;
    holder.rollback().await.unwrap();
    socket.answer(&asked).await.expect("subscribed");
    socket.expect("job.snapshot").await;
    socket.settle().await;
    assert!(socket.came("error").is_empty(), "{:?}", socket.came("error"));
    assert!(socket.came("job.snapshot").is_empty(), "it is followed once");
}

#[actix_web::test]
async fn a_person_who_registers_with_an_open_socket_sees_the_job_on_it() {
    let (app, admin) = spawn_with_admin().await;
    let client = app.customer().await;
    let mut socket = app.socket(&client).await;
    let profile_id = id_of(&client.post("/mechanics/register", registration()).await.expect(201));
    admin.post(&format!("/admin/mechanics/{profile_id}/verify"), json!({})).await.expect(200);
    let job = id_of(&app.breakdown().await.call().await);
    let chosen = json!({"mechanic_profile_id": profile_id, "override_reason": "nobody else is near"});
    admin.post(&format!("/admin/jobs/{job}/assign"), chosen).await.expect(200);
    assert_eq!(socket.expect("job.updated").await["data"]["status"], "accepted");
    client.post(&format!("/jobs/{job}/en-route"), json!({})).await.expect(200);
    assert_eq!(socket.expect("job.updated").await["data"]["status"], "en_route");
}

#[actix_web::test]
async fn an_offer_declined_on_one_device_disappears_from_the_others() {
    let (app, admin) = spawn_with_admin().await;
    let mut mechanic = app.on_road(&admin).await;
    let mut tablet = app.socket(&mechanic.client).await;
    let stranded = app.breakdown().await;
    stranded.call().await;
    let offer = mechanic.offer().await;
    assert_eq!(tablet.expect("offer.created").await["data"], offer);
    mechanic.socket.ask("offer.decline", json!({"offer_id": offer["id"]})).await.expect("the offer");
    let gone = tablet.expect("offer.revoked").await;
    assert_eq!((&gone["data"]["id"], &gone["data"]["status"]), (&offer["id"], &json!("declined")));
    mechanic.socket.settle().await;
    assert!(mechanic.socket.came("offer.revoked").is_empty(), "who declined was told by its ack");

    // The offer was declined over HTTP, so no socket answered.
    let mut other = app.on_road(&admin).await;
    let mut second = app.socket(&other.client).await;
    let offer = other.offer().await;
    second.expect("offer.created").await;
    other.client.post(&format!("/offers/{}/decline", id_of(&offer)), json!({})).await.expect(200);
    for socket in [&mut other.socket, &mut second] {
        assert_eq!(socket.expect("offer.revoked").await["data"]["status"], "declined");
    }
}

#[actix_web::test]
async fn an_offline_mechanics_offer_goes_to_the_next() {
    let (app, admin, mut mechanic, stranded) = spawn_on_road().await;
    let job = stranded.call().await;
    let offer = mechanic.offer().await;
    let mut next = app.on_road_at(&admin, (PICKUP.0 + 0.002, PICKUP.1)).await;
    mechanic.socket.ask("availability.set", json!({"is_available": false})).await.expect("the profile");
    let revoked = mechanic.socket.expect("offer.revoked").await;
    assert_eq!((&revoked["data"]["id"], &revoked["data"]["status"]), (&offer["id"], &json!("revoked")));
    let late = format!("/offers/{}/accept", id_of(&offer));
    mechanic.client.post(&late, json!({})).await.refused(409, "OFFER_EXPIRED");
    assert_eq!(next.accept().await["id"], job["id"]);
}

#[actix_web::test]
async fn after_the_arrival_nobody_gets_an_eta() {
    let app = spawn_app_with(|settings| settings.ws.location_interval_ms = 20).await;
    let mut scene = app.accepted().await;
    let mut first = app.following(&scene).await;
    let lat = PICKUP.0 + 0.002;
    scene.mechanic.ping((lat, PICKUP.1)).await;
    first.find("the position", |frame| frame["data"]["lat"] == lat).await;
    scene.step("en-route", json!({})).await;
    scene.step("arrive", json!({"override_reason": "the receiver is off"})).await;
    first.until_status("arrived").await;
    let mut second = app.following(&scene).await;
    second.expect("location.updated").await;
    second.settle().await;
    assert_eq!(second.came("eta.updated"), Vec::<&Value>::new());
    let shown = scene.customer.get(&scene.path("/location")).await.expect(200);
    assert_eq!(shown["eta"], Value::Null, "as over HTTP: {shown}");
    within("the first socket is still there", first.settle()).await;
}

#[actix_web::test]
async fn a_client_is_subscribed_although_the_server_follows_the_job_itself() {
    let app = spawn_app_with(|settings| settings.database.lock_timeout_ms = 20_000).await;
    let (scene, mut socket) = unfollowed(&app).await;
    let holder = stall(&app, EVENTS).await;
    let asked = socket.ask_later("job.subscribe", json!({"job_id": scene.job})).await;
    socket.settle().await;
    announce(&app, &scene);
    socket.settle().await;
    holder.rollback().await.unwrap();
    socket.answer(&asked).await.expect("subscribed");
    socket.expect("job.snapshot").await;
    scene.step("en-route", json!({})).await;
    socket.until_status("en_route").await;
    assert!(socket.came("error").is_empty(), "{:?}", socket.came("error"));
}

#[actix_web::test]
async fn simultaneous_subscriptions_are_both_acknowledged_and_the_newer_counts() {
    let app = spawn_app_with(|settings| settings.database.lock_timeout_ms = 20_000).await;
    let scene = app.accepted().await;
    let mut socket = app.socket(&scene.customer).await;
    let holder = stall(&app, JOBS).await;
    let older = socket.ask_later("job.subscribe", json!({"job_id": scene.job})).await;
    let newer = socket.ask_later("job.subscribe", json!({"job_id": scene.job, "since_seq": 2})).await;
    socket.settle().await;
    holder.rollback().await.unwrap();
    let last = socket.answer(&newer).await.expect("subscribed")["seq"].as_i64().expect("a number");
    socket.answer(&older).await.expect("subscribed");
    for seq in 3..=last {
        assert_eq!(socket.expect("job.updated").await["seq"], seq, "after the newer one's since_seq");
    }
    scene.step("en-route", json!({})).await;
    assert_eq!(socket.expect("job.updated").await["seq"], last + 1, "once, not twice");
    socket.settle().await;
    assert!(socket.came("job.updated").is_empty() && socket.came("error").is_empty());
}
