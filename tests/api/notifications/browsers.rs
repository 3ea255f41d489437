//! Browsers that have subscribed with the service's own key.

use chrono::{DateTime, FixedOffset, Utc};
use serde_json::{Value, json};

use super::{listed, register, spawn_with, until_status};
use crate::support::{
    Person, TestApp,
    bodies::{id_of, set, without},
    browser::Browser,
    fcm::FcmPeer,
    peer::says,
    roadside::PICKUP,
    spawn_app, spawn_app_with, spawn_with_customer, until_so, within,
};

const PATH: &str = "/notifications/push-tokens";
const MESSAGE: &str = "5b1e7a4c-3d1f-4c55-9f0e-2f6f1c1a7d10";

async fn push_key(person: &Person) -> Value {
    person.get("/config").await.expect(200)["push"]["vapid_public_key"].clone()
}

async fn devices(app: &TestApp) -> Vec<String> {
    let devices = sqlx::query_scalar("select device_id from push_tokens order by created_at, id");
    devices.fetch_all(&app.database.db).await.unwrap()
}

#[actix_web::test]
async fn only_the_browser_can_read_its_pushes() {
    let app = spawn_app().await;
    let (admin, browser) = (app.admin().await, Browser::start().await);
    let mut mechanic = app.on_road(&admin).await;
    let registered = mechanic.client.post(PATH, browser.registration("laptop")).await.expect(201);
    assert_eq!((&registered["platform"], &registered["device_id"]), (&json!("web"), &json!("laptop")));
    let job = app.breakdown().await.call().await;
    let offer = mechanic.offer().await;
    let pushed = browser.until_pushed("job_offer", 1).await.remove(0);
    let shown = until_status(&mechanic.client, "job_offer", "sent").await;
    let pay = format!("{:.2}", offer["estimated_earnings"].as_f64().unwrap());
    let km = offer["distance_m"].as_f64().unwrap() / 1000.0;
    let content = json!({
        "id": shown["id"], "type": "job_offer",
        "title": format!("Flat tyre: ₹{}", pay.trim_end_matches(".00")),
        "body": format!("{km:.1} km away. Accept or decline before the offer expires."),
        "data": {"job_id": id_of(&job), "offer_id": id_of(&offer)}, "ends_at": offer["expires_at"],
        "actions": [{"action": "accept", "title": "Accept"}, {"action": "decline", "title": "Decline"}],
    });
    assert_eq!((&pushed.content, pushed.urgency.as_str()), (&content, "high"));
    assert!((1..=20).contains(&pushed.ttl_s), "{pushed:?}");
    assert_eq!(pushed.topic, shown["id"].as_str().unwrap().replace('-', ""));
    assert_eq!(json!(pushed.public_key), push_key(&mechanic.client).await);
    let endpoint = browser.registration("laptop")["token"].as_str().unwrap().to_owned();
    assert_eq!(pushed.claims["aud"], json!(endpoint.split("/send").next()));
    let life = pushed.claims["exp"].as_i64().unwrap() - app.service.clock.now().timestamp();
    assert!((1..=86_400).contains(&life), "{life}");
}

#[actix_web::test]
async fn apps_and_browsers_are_pushed_to_side_by_side() {
    let (peer, browser) = (FcmPeer::start().await, Browser::start().await);
    let app = spawn_with(&peer, |_| {}).await;
    let scene_admin = app.admin().await;
    let mut mechanic = app.on_road(&scene_admin).await;
    let stranded = app.breakdown().await;
    register(&stranded.client, "phone").await;
    stranded.client.post(PATH, browser.registration("laptop")).await.expect(201);
    let job = app.taken(&stranded, &mut mechanic).await;
    let (by_app, by_browser) =
        (peer.until_taken("job_accepted").await, browser.until_pushed("job_accepted", 1).await.remove(0));
    assert_eq!(by_app["data"]["notification_id"], by_browser.content["id"]);
    // The push says who comes and when: only the browser can decrypt it.
    let job = stranded.job(&job).await;
    let name = job["mechanic_first_name"].as_str().unwrap();
    assert_eq!(by_browser.content["title"], format!("{name} is coming to help"));
    let body = by_browser.content["body"].as_str().unwrap();
    assert!(body.starts_with("Expected by "), "{body}");
    assert!(body.ends_with("m. Follow them on the map in the app."), "{body}");
    assert_eq!(by_browser.content["actions"][0]["action"], "chat");
    assert_eq!(by_app["notification"]["title"], "Mechanic assigned");
    assert!(!by_app.to_string().contains(name), "{by_app}");
    assert_eq!(by_browser.urgency, "normal");
    assert!(peer.asked().iter().all(|message| message["token"] == "phone"));
}

#[actix_web::test]
async fn a_mechanic_who_lost_an_assigned_job_gets_no_details_of_it() {
    let app = spawn_app().await;
    let (admin, browser) = (app.admin().await, Browser::start().await);
    let (first, second) = (app.verified_mechanic(&admin).await, app.verified_mechanic(&admin).await);
    first.client.post(PATH, browser.registration("laptop")).await.expect(201);
    let job = id_of(&app.breakdown().await.call().await);
    let assign = async |profile_id: &str| {
        let who = json!({"mechanic_profile_id": profile_id, "override_reason": "nobody else is near"});
        admin.post(&format!("/admin/jobs/{job}/assign"), who).await.expect(200);
    };
    browser.answer_next([says(503, "").with("retry-after", 3600)]);
    assign(&first.profile_id).await;
    let pushed = browser.until_pushed("job_assigned", 1).await.remove(0);
    let title = pushed.content["title"].as_str().unwrap();
    assert!(title.starts_with("New job: Flat tyre, ₹"), "{title}");

    let why = json!({"reason": "the van broke down"});
    admin.post(&format!("/admin/jobs/{job}/reassign"), why).await.expect(200);
    assign(&second.profile_id).await;
    let due = "update notifications set next_try_at = now() where type = 'job_assigned'
        and next_try_at > now() + interval '30 minutes'";
    until_so("the push is put off, and due again", async || app.change(due, &[]).await == 1).await;
    // Any other notification wakes the worker.
    let message = json!({"client_message_id": MESSAGE, "type": "text", "body": "I am coming"});
    second.client.post(&format!("/jobs/{job}/messages"), message).await.expect(201);
    let again = browser.until_pushed("job_assigned", 2).await.remove(1);
    let listed = listed(&first.client, "&type=job_assigned").await.remove(0);
    for field in ["title", "body"] {
        assert_eq!(again.content[field], listed[field], "the constant text");
    }
}

#[actix_web::test]
async fn a_push_of_a_promise_names_its_minute_in_local_time() {
    let app = spawn_app().await;
    let (admin, browser) = (app.admin().await, Browser::start().await);
    // The mechanic is 2 km away: the promise is still ahead when it is pushed.
    let mut mechanic = app.on_road_at(&admin, (PICKUP.0 + 0.018, PICKUP.1)).await;
    let stranded = app.breakdown().await;
    stranded.client.post(PATH, browser.registration("laptop")).await.expect(201);
    let job = app.taken(&stranded, &mut mechanic).await;
    let expected = async || {
        let promised = stranded.job(&job).await["promised_at"].take();
        let promised: DateTime<Utc> = promised.as_str().expect("a promise").parse().expect("a time");
        let india = FixedOffset::east_opt(5 * 3600 + 30 * 60).expect("an offset");
        let minute = promised.with_timezone(&india).format("%-I:%M %P");
        json!(format!("Expected by {minute}. Follow them on the map in the app."))
    };
    let pushed = browser.until_pushed("job_accepted", 1).await.remove(0);
    assert_eq!(pushed.content["body"], expected().await);
    mechanic.tell(&job, "en-route", json!({})).await;
    let pushed = browser.until_pushed("job_en_route", 1).await.remove(0);
    assert_eq!(pushed.content["body"], expected().await);
}

#[actix_web::test]
async fn an_assigned_mechanic_gets_the_job_and_the_customer_a_name_once_they_set_out() {
    let app = spawn_app().await;
    let (admin, phone, laptop) = (app.admin().await, Browser::start().await, Browser::start().await);
    // The mechanic is offline, so that no offer comes first.
    let mechanic = app.on_road(&admin).await;
    mechanic.client.put("/mechanics/me/availability", json!({"is_available": false})).await.expect(200);
    let stranded = app.breakdown().await;
    mechanic.client.post(PATH, phone.registration("phone")).await.expect(201);
    stranded.client.post(PATH, laptop.registration("laptop")).await.expect(201);
    let job = id_of(&stranded.call().await);
    let who = json!({"mechanic_profile_id": mechanic.profile_id, "override_reason": "they are next door"});
    admin.post(&format!("/admin/jobs/{job}/assign"), who).await.expect(200);

    let pushed = phone.until_pushed("job_assigned", 1).await.remove(0);
    let shown = until_status(&mechanic.client, "job_assigned", "sent").await;
    assert_eq!((&pushed.content["id"], &pushed.content["data"]["job_id"]), (&shown["id"], &json!(job)));
    // This is 299 rupees less 15 %.
    assert_eq!(pushed.content["title"], "New job: Flat tyre, ₹254.15");
    assert_eq!(pushed.content["body"], "We assigned it to you. Open it for the details.");
    assert_eq!(pushed.urgency, "high");

    // Nobody knows yet whether the mechanic will come.
    let pushed = laptop.until_pushed("job_accepted", 1).await.remove(0);
    assert_eq!(pushed.content["title"], "Mechanic assigned");
    assert_eq!(pushed.content["body"], "A mechanic has your job now.");
    mechanic.tell(&job, "en-route", json!({})).await;
    let pushed = laptop.until_pushed("job_en_route", 1).await.remove(0);
    let name = stranded.job(&job).await["mechanic_first_name"].as_str().expect("a name").to_owned();
    assert_eq!(pushed.content["title"], format!("{name} is on the way"));
}

#[actix_web::test]
async fn each_of_a_persons_apps_gets_only_its_own_pushes() {
    let app = spawn_app().await;
    let (admin, customers, mechanics, any) =
        (app.admin().await, Browser::start().await, Browser::start().await, Browser::start().await);
    let mut mechanic = app.on_road(&admin).await;
    let of = |browser: &Browser, name| set(&browser.registration(name), "app", json!(name));
    let registered = mechanic.client.post(PATH, of(&customers, "customer")).await.expect(201);
    assert_eq!(registered["app"], "customer");
    mechanic.client.post(PATH, of(&mechanics, "mechanic")).await.expect(201);
    let registered = mechanic.client.post(PATH, any.registration("old")).await.expect(201);
    assert_eq!(registered["app"], Value::Null);
    let asked = set(&any.registration("old"), "app", json!("console"));
    mechanic.client.post(PATH, asked).await.refused_field("app");

    let stranded = app.breakdown().await;
    let job = id_of(&stranded.call().await);
    // They get it before it is answered: nobody is woken for an offer that is over.
    for browser in [&mechanics, &any] {
        browser.until_pushed("job_offer", 1).await;
    }
    mechanic.accept().await;
    let message = json!({"client_message_id": MESSAGE, "type": "text", "body": "Here"});
    stranded.client.post(&format!("/jobs/{job}/messages"), message).await.expect(201);
    for browser in [&customers, &mechanics, &any] {
        browser.until_pushed("chat_message", 1).await;
    }
    let shown: Vec<_> = customers.pushed().into_iter().map(|pushed| pushed.content["type"].clone()).collect();
    assert_eq!(shown, [json!("chat_message")]);
}

#[actix_web::test]
async fn only_an_ended_subscription_is_forgotten() {
    for status in [404, 410] {
        let app = spawn_app().await;
        let (admin, ended, alive) = (app.admin().await, Browser::start().await, Browser::start().await);
        let mut mechanic = app.on_road(&admin).await;
        let stranded = app.breakdown().await;
        stranded.client.post(PATH, ended.registration("old")).await.expect(201);
        stranded.client.post(PATH, alive.registration("new")).await.expect(201);
        ended.answer_next([says(status, "")]);
        app.taken(&stranded, &mut mechanic).await;
        alive.until_pushed("job_accepted", 1).await;
        until_status(&stranded.client, "job_accepted", "sent").await;
        assert_eq!(devices(&app).await, ["new"], "{status}");
    }
}

#[actix_web::test]
async fn a_busy_push_service_is_asked_again() {
    for (status, retry_after) in [(429, Some("1")), (503, None)] {
        let app = spawn_app_with(|settings| settings.push.retry_s = 1).await;
        let (admin, browser) = (app.admin().await, Browser::start().await);
        let mut mechanic = app.on_road(&admin).await;
        let stranded = app.breakdown().await;
        stranded.client.post(PATH, browser.registration("laptop")).await.expect(201);
        browser.answer_next([says(status, "").retry_after(retry_after)]);
        app.taken(&stranded, &mut mechanic).await;
        let pushed = browser.until_pushed("job_accepted", 2).await;
        assert_eq!((&pushed[0].content, &pushed[0].topic), (&pushed[1].content, &pushed[1].topic));
        until_status(&stranded.client, "job_accepted", "sent").await;
        assert_eq!(devices(&app).await, ["laptop"]);
    }
}

#[actix_web::test]
async fn a_permanently_refused_push_has_failed() {
    let app = spawn_app().await;
    let (admin, browser) = (app.admin().await, Browser::start().await);
    let mut mechanic = app.on_road(&admin).await;
    let stranded = app.breakdown().await;
    stranded.client.post(PATH, browser.registration("laptop")).await.expect(201);
    browser.answer_next([says(403, "")]);
    app.taken(&stranded, &mut mechanic).await;
    let failed = until_status(&stranded.client, "job_accepted", "failed").await;
    let listed = admin.get("/admin/failed-pushes").await.expect(200);
    let entry = listed["data"].as_array().unwrap().iter().find(|entry| entry["id"] == failed["id"]);
    assert_eq!(entry.unwrap()["failure"], "status 403");
}

#[actix_web::test]
async fn every_fault_of_a_subscription_is_named() {
    let (app, person) = spawn_with_customer().await;
    let good = Browser::start().await.registration("laptop");
    let keys = |field: &str, value: Value| set(&good, "keys", set(&good["keys"], field, value));
    let point = good["keys"]["p256dh"].as_str().unwrap();
    for (body, field) in [
        (without(&good, "keys"), "keys"),
        (set(&good, "platform", json!("android")), "keys"),
        (set(&good, "keys", json!({"p256dh": point})), "keys.auth"),
        (keys("p256dh", json!("AAAA")), "keys.p256dh"),
        (keys("p256dh", json!(point.replace(&point[40..44], "AAAA"))), "keys.p256dh"),
        (keys("auth", json!("AAAA")), "keys.auth"),
        (keys("auth", json!(7)), "keys.auth"),
        (keys("more", json!("AAAA")), "keys.more"),
        (set(&good, "token", json!("phone")), "token"),
        (set(&good, "token", json!("ftp://push.example/a")), "token"),
        (set(&good, "token", json!("https://asha:pw@push.example/a")), "token"),
        (set(&good, "token", json!(format!("https://push.example/{}", "a".repeat(1024)))), "token"),
    ] {
        person.post(PATH, body).await.refused_field(field);
    }
    assert_eq!(devices(&app).await, Vec::<String>::new());
}

#[actix_web::test]
async fn a_browser_is_forgotten_by_its_id_or_its_endpoint() {
    let app = spawn_app().await;
    let (person, stranger, browser) = (app.customer().await, app.customer().await, Browser::start().await);
    let id = id_of(&person.post(PATH, browser.registration("laptop")).await.expect(201));
    // A page registers again at each visit.
    assert_eq!(id_of(&person.post(PATH, browser.registration("laptop")).await.expect(200)), id);
    let path = format!("{PATH}/{id}");
    stranger.delete(&path).await.refused(404, "NOT_FOUND");
    person.delete(&path).await.expect(204);
    person.delete(&path).await.refused(404, "NOT_FOUND");
    assert_eq!(devices(&app).await, Vec::<String>::new());
    let mut odd = browser.registration("laptop");
    odd["token"] = json!("https://push.example/send/a+b%2Fc?d=e");
    person.post(PATH, odd).await.expect(201);
    let endpoint = "https%3A%2F%2Fpush.example%2Fsend%2Fa%2Bb%252Fc%3Fd%3De";
    person.delete(&format!("{PATH}/{endpoint}")).await.expect(204);
    assert_eq!(devices(&app).await, Vec::<String>::new());
}

#[actix_web::test]
async fn the_key_stays_the_same_after_a_restart() {
    let mut app = spawn_app().await;
    let key = push_key(&app.customer().await).await;
    assert_eq!(key.as_str().map(str::len), Some(87));
    app.restart().await;
    let customer = within("a customer", app.customer()).await;
    assert_eq!(push_key(&customer).await, key);
}
