//! Mechanics who fall silent on their way, as their customers, they themselves and operators see it.

use serde_json::{Value, json};

use crate::support::{TestApp, bodies::id_of, roadside::PICKUP, spawn_app, spawn_app_with};

/// The watch checks every 5 s; everything else is as short as possible.
async fn watchful(dark_after_s: i64) -> TestApp {
    spawn_app_with(|settings| {
        settings.fees.free_after_accept_s = -1;
        settings.watch.dark_after_s = dark_after_s;
        settings.watch.debounce_s = 0;
        settings.watch.tell_after_s = 0;
        settings.watch.reassign_after_s = 2;
    })
    .await
}

#[actix_web::test]
async fn a_silent_mechanic_is_nudged_the_customer_notified_and_somebody_else_sent() {
    let app = watchful(1).await;
    let admin = app.admin().await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    let job = app.taken(&stranded, &mut mechanic).await;
    let mut other = app.on_road(&admin).await;
    let mut socket = app.socket(&stranded.client).await;
    socket.ask("job.subscribe", json!({"job_id": job})).await.expect("an ack");

    let shown = socket.find("a delay", |frame| frame["data"]["concern"] == "dark").await;
    assert_eq!((&shown["type"], &shown["data"]["status"]), (&json!("job.updated"), &json!("accepted")));
    assert!(shown["data"]["concern_since"].is_string(), "{shown}");
    let nudge = mechanic.socket.expect("job.nudge").await;
    assert_eq!((&nudge["job_id"], &nudge["data"]["concern"]), (&json!(job), &json!("dark")));
    assert_eq!(nudge["data"]["since"], shown["data"]["concern_since"]);
    assert_eq!(nudge["seq"], Value::Null);

    let quote = stranded.client.get(&format!("/jobs/{job}/cancellation-quote")).await.expect(200);
    assert_eq!(
        (&quote["cancellation_fee"], &quote["reason"]),
        (&json!(0.0), &json!("mechanic_dark")),
        "who was told owes nothing"
    );
    for (filter, count) in [("any", 1), ("dark", 1), ("stalled", 0)] {
        let listed = admin.get(&format!("/admin/jobs?concern={filter}")).await.expect(200);
        assert_eq!(listed["total"], count, "{filter}: {listed}");
    }
    admin.get("/admin/jobs?concern=odd").await.refused_field("concern");

    let offer = other.offer().await;
    assert_eq!(offer["job_id"], job.as_str());
    let again = socket.find("another search", |frame| frame["data"]["seq"] == 5).await;
    assert_eq!((&again["data"]["status"], &again["data"]["concern"]), (&json!("dispatching"), &Value::Null));
    assert_eq!(again["data"]["estimated_price"], shown["data"]["estimated_price"]);
    mechanic.client.get(&format!("/jobs/{job}")).await.refused(404, "NOT_FOUND");
    let accept = format!("/offers/{}/accept", id_of(&offer));
    other.client.post(&accept, json!({})).await.expect(200);
    let timeline = stranded.client.get(&format!("/jobs/{job}/timeline")).await.expect(200);
    let entry = |index: usize| timeline["data"][index].clone();
    assert_eq!((&entry(3)["event"], &entry(3)["data"]["concern"]), (&json!("delayed"), &json!("dark")));
    assert_eq!(entry(4)["event"], "released");
    assert_eq!(
        (&entry(4)["by"], &entry(4)["data"]["reason_code"]),
        (&json!("system"), &json!("watchdog_dark"))
    );
}

#[actix_web::test]
async fn a_mechanic_who_sends_again_keeps_the_job_and_the_customer_is_notified() {
    let app = watchful(6).await;
    let mut scene = app.accepted().await;
    let mut socket = app.socket(&scene.customer).await;
    socket.ask("job.subscribe", json!({"job_id": scene.job})).await.expect("an ack");
    socket.find("a delay", |frame| frame["data"]["concern"] == "dark").await;
    scene.mechanic.ping((PICKUP.0 + 0.002, PICKUP.1)).await;
    let over = socket.find("its end", |frame| frame["seq"] == 5).await;
    assert_eq!((&over["data"]["concern"], &over["data"]["status"]), (&Value::Null, &json!("accepted")));
    let timeline = scene.customer.get(&scene.path("/timeline")).await.expect(200);
    assert_eq!(timeline["data"][4]["event"], "recovered");
}

#[actix_web::test]
async fn an_app_sends_often_while_the_customer_watches_and_the_receipt_says_the_same() {
    let app = spawn_app().await;
    let mut scene = app.accepted().await;
    let place = (PICKUP.0 + 0.002, PICKUP.1);
    let rate = |seconds: u64| move |frame: &Value| frame["data"]["interval_s"] == seconds;
    scene.mechanic.socket.find("the rate unwatched", rate(10)).await;
    assert_eq!(scene.mechanic.ping(place).await["next_interval_s"], 10);
    let mut socket = app.socket(&scene.customer).await;
    socket.ask("job.subscribe", json!({"job_id": scene.job})).await.expect("an ack");
    assert_eq!(scene.mechanic.ping(place).await["next_interval_s"], 3);
    let shown = scene.mechanic.socket.find("the rate watched", rate(3)).await;
    assert_eq!(shown["type"], "location.rate");
}
