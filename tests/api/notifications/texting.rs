//! Texts that customers get by SMS, and the reasons for sending none.

use roadcall::service::settings::Settings;
use serde_json::{Value, json};

use super::{register, until_status};
use crate::support::{
    Client, Scene, Stranded, TestApp,
    bodies::id_of,
    fcm::FcmPeer,
    peer::{PeerRequest, says},
    sms_gateway::SmsGateway,
    spawn_app_with, until, until_so,
};

/// Starts an app that sends texts to the gateway, without waiting for apps.
async fn spawn(gateway: &SmsGateway, alter: impl FnOnce(&mut Settings)) -> TestApp {
    spawn_app_with(|settings| {
        gateway.set(&mut settings.sms);
        settings.sms.status = true;
        settings.check().expect("sound settings");
        settings.sms.status_after_s = 0;
        alter(settings);
    })
    .await
}

async fn phone_of(person: &Client) -> String {
    person.get("/users/me").await.expect(200)["phone"].as_str().expect("a number").to_owned()
}

/// Waits until a text has this status, and returns its note.
async fn decided(app: &TestApp, job: &str, kind: &str, status: &str) -> Option<String> {
    let note =
        "select text.note from notification_texts text join notifications n on n.id = text.notification_id
        where text.job_id = $1::uuid and n.type = $2 and text.status = $3";
    until(&format!("{kind} is {status}"), async || app.values(note, &[job, kind, status]).await.pop()).await
}

/// Starts an app with a job whose customer, of whom the number is returned, has got a text about the mechanic.
async fn texted(alter: impl FnOnce(&mut Settings)) -> (SmsGateway, TestApp, Scene, String) {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway, alter).await;
    let scene = app.accepted().await;
    let phone = phone_of(&scene.customer).await;
    gateway.until_texts(&phone, 1).await;
    (gateway, app, scene, phone)
}

#[actix_web::test]
async fn a_customer_without_an_app_gets_texts_about_the_jobs_progress() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway, |_| {}).await;
    let scene = app.accepted().await;
    let phone = phone_of(&scene.customer).await;
    let found = gateway.until_texts(&phone, 1).await.remove(0);
    let (said, link) = found.split_once(". Follow: ").expect("a link");
    let mechanic = scene.customer.get(&scene.path("")).await.expect(200);
    let name = mechanic["mechanic_first_name"].as_str().expect("a name");
    let said = said.strip_prefix(&format!("Roadcall: a mechanic is coming to help: {name}. About "));
    let minutes = said.and_then(|rest| rest.strip_suffix(" min")).expect("a wait");
    assert!(minutes.parse::<i64>().is_ok_and(|minutes| (1..=60).contains(&minutes)), "{found}");
    let token = link.rsplit('/').next().expect("a token");
    let shown = app.anonymous().get(&format!("/shares/{token}")).await.expect(200);
    assert_eq!(shown["status"], "accepted", "{shown}");
    assert_eq!(decided(&app, &scene.job, "job_accepted", "sent").await, None);

    scene.step("en-route", json!({})).await;
    scene.step("arrive", json!({"override_reason": "the receiver is off"})).await;
    let texts = gateway.until_texts(&phone, 2).await;
    assert_eq!(texts[1], format!("Roadcall: your mechanic is there: {name}."));
    let of_mechanic = gateway.texts_to(&phone_of(&scene.mechanic.client).await);
    assert_eq!(of_mechanic, Vec::<String>::new(), "mechanics have an app");
}

#[actix_web::test]
async fn losing_the_mechanic_and_a_cancellation_are_texted_in_the_customers_language() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway, |settings| {
        settings.sms.status_links = false;
        let own = "{name} आ रहे हैं|, {link}".to_owned();
        settings.sms.status_texts.insert("found_hi".to_owned(), own);
    })
    .await;
    let admin = app.admin().await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    stranded.client.patch("/users/me", json!({"language": "hi-IN"})).await.expect(200);
    let job = app.taken(&stranded, &mut mechanic).await;
    let phone = phone_of(&stranded.client).await;
    assert!(gateway.until_texts(&phone, 1).await[0].ends_with(" आ रहे हैं"));
    mechanic.tell(&job, "release", json!({"reason_code": "vehicle_trouble"})).await;
    assert!(gateway.until_texts(&phone, 2).await[1].starts_with("Roadcall: आपके मैकेनिक नहीं आ सकते।"));
    let why = json!({"reason": "No mechanic can come today"});
    admin.post(&format!("/admin/jobs/{job}/cancel"), why).await.expect(200);
    assert!(gateway.until_texts(&phone, 3).await[2].starts_with("Roadcall: आपका काम रद्द हो गया है।"));
}

#[actix_web::test]
async fn a_customer_reported_absent_gets_a_text_that_the_job_is_over() {
    // Each text is waited for: a text about a step that is over would be skipped.
    let (gateway, app, scene, phone) = texted(|settings| settings.jobs.no_show_after_s = 0).await;
    scene.step("en-route", json!({})).await;
    scene.step("arrive", json!({})).await;
    gateway.until_texts(&phone, 2).await;
    scene.step("no-show", json!({})).await;
    assert_eq!(decided(&app, &scene.job, "no_show_reported", "sent").await, None);
    let texts = gateway.texts_to(&phone);
    assert!(texts.iter().any(|text| text.starts_with("Roadcall: your job was cancelled")), "{texts:?}");
}

#[actix_web::test]
async fn customers_who_are_reached_otherwise_or_want_no_texts_get_none() {
    let (gateway, pushes) = (SmsGateway::start().await, FcmPeer::start().await);
    let app = spawn(&gateway, |settings| pushes.set(&mut settings.push)).await;
    let admin = app.admin().await;
    let mut jobs = Vec::new();
    for number in 0..4 {
        let place = (20.0 + f64::from(number), 77.0);
        let (mut mechanic, stranded) =
            (app.on_road_at(&admin, (place.0 + 0.001, place.1)).await, app.breakdown_at(place).await);
        let socket = match number {
            0 => Some(app.socket(&stranded.client).await),
            1 => {
                let body = json!({"texts": false});
                stranded.client.patch("/notifications/preferences", body).await.expect(200);
                None
            }
            2 => {
                register(&stranded.client, "phone").await;
                None
            }
            _ => None,
        };
        let job = app.taken(&stranded, &mut mechanic).await;
        if number == 2 {
            until_status(&stranded.client, "job_accepted", "sent").await;
        }
        jobs.push((stranded.client, job, socket));
    }
    let note = |number: usize| decided(&app, &jobs[number].1, "job_accepted", "skipped");
    assert_eq!(note(0).await.as_deref(), Some("an app is open"));
    assert_eq!(note(1).await.as_deref(), Some("switched off"));
    // The last customer's text comes after the check that would have sent the others'.
    gateway.until_texts(&phone_of(&jobs[3].0).await, 1).await;
    for (customer, ..) in &jobs[..3] {
        assert_eq!(gateway.texts_to(&phone_of(customer).await), Vec::<String>::new());
    }
    let shown = jobs[1].0.get("/notifications/preferences").await.expect(200);
    assert_eq!((&shown["texts"], &shown["jobs"]), (&json!(false), &json!(true)));
}

#[actix_web::test]
async fn a_number_that_gets_no_texts_is_skipped_for_good() {
    let gateway = SmsGateway::start().await;
    let mut app = spawn(&gateway, |_| {}).await;
    let admin = app.admin().await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    // This is a landline in Mumbai. Nobody can sign in with it now, but an older account may have it.
    let landline = "+912223456789";
    let phone = phone_of(&stranded.client).await;
    app.change("update users set phone = $1 where phone = $2", &[landline, &phone]).await;
    let job = app.taken(&stranded, &mut mechanic).await;
    let note = decided(&app, &job, "job_accepted", "skipped").await;
    assert_eq!(note.as_deref(), Some("the number gets no texts"));
    app.restart().await;
    // Another customer's text comes after the check that would have sent the first one's.
    let scene = app.accepted_at((22.0, 77.0)).await;
    gateway.until_texts(&phone_of(&scene.customer).await, 1).await;
    assert_eq!(gateway.texts_to(landline), Vec::<String>::new());
    let tries: i32 =
        app.value("select attempts from notification_texts where job_id = $1::uuid", &[&job]).await;
    assert_eq!(tries, 0);
}

#[actix_web::test]
async fn the_texts_of_a_job_are_limited() {
    let (_gateway, app, scene, _phone) = texted(|settings| settings.sms.status_per_job = 1).await;
    scene.step("en-route", json!({})).await;
    scene.step("arrive", json!({"override_reason": "the receiver is off"})).await;
    let note = decided(&app, &scene.job, "job_arrived", "skipped").await;
    assert_eq!(note.as_deref(), Some("enough texts were sent"));
}

#[actix_web::test]
async fn a_phones_texts_per_day_are_limited_across_accounts() {
    let (_gateway, app, scene, phone) = texted(|settings| settings.sms.status_per_person_per_day = 1).await;
    scene.serve().await;
    scene.pay_cash().await;
    scene.customer.delete("/users/me").await.expect(204);
    let (admin, client) = (app.admin().await, app.sign_in(&phone).await);
    let place = (22.0, 77.0);
    let mut mechanic = app.on_road_at(&admin, place).await;
    let vehicle = json!({"vehicle_type": "two_wheeler", "make": "Hero", "model": "Splendor",
        "registration_number": "KA01AB1234"});
    let vehicle_id = id_of(&client.post("/vehicles", vehicle).await.expect(201));
    let job = app.taken(&Stranded { client, vehicle_id, place }, &mut mechanic).await;
    let note = decided(&app, &job, "job_accepted", "skipped").await;
    assert_eq!(note.as_deref(), Some("enough texts were sent"));
}

#[actix_web::test]
async fn no_text_is_sent_twice_and_a_refused_one_is_tried_again() {
    let gateway = SmsGateway::start().await;
    let mut app = spawn(&gateway, |settings| {
        settings.sms.status_links = false;
        settings.sms.http.success_contains = "OK".to_owned();
    })
    .await;
    let admin = app.admin().await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    let phone = phone_of(&stranded.client).await;
    gateway.answer_next([says(200, "no credit")]);
    let job = app.taken(&stranded, &mut mechanic).await;
    let note = decided(&app, &job, "job_accepted", "put_off").await;
    assert!(note.is_some_and(|note| note.contains("sms.http.success")));
    let earlier = "update notification_texts set tried_at = tried_at - interval '1 minute'";
    app.change(earlier, &[]).await;
    app.restart().await;
    let texts = gateway.until_texts(&phone, 2).await;
    assert_eq!(texts[0], texts[1]);
    decided(&app, &job, "job_accepted", "sent").await;
    // After a crash during the hand-over, it is unknown whether the text was sent.
    app.change("update notification_texts set status = 'sending'", &[]).await;
    app.restart().await;
    let ids: Vec<Value> = gateway
        .requests()
        .iter()
        .map(PeerRequest::json)
        .filter(|body| {
            body["to"] == phone.as_str() && !body["text"].as_str().expect("a text").contains("code")
        })
        .map(|body| body["id"].clone())
        .collect();
    assert_eq!(ids, [ids[0].clone(), ids[0].clone()], "one notification, one id");
    // Another customer's text comes after the check that would have sent it again.
    let scene = app.accepted_at((22.0, 77.0)).await;
    gateway.until_texts(&phone_of(&scene.customer).await, 1).await;
    assert_eq!(gateway.texts_to(&phone).len(), 2);
}

#[actix_web::test]
async fn a_mechanics_approach_is_texted_once() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway, |settings| {
        settings.sms.status_links = false;
        settings.sms.status_per_job = 10;
    })
    .await;
    let mut scene = app.accepted_at((20.0, 77.0)).await;
    let phone = phone_of(&scene.customer).await;
    gateway.until_texts(&phone, 1).await;
    scene.mechanic.ping((20.001, 77.0)).await;
    scene.step("en-route", json!({})).await;
    scene.mechanic.ping((20.0009, 77.0)).await;
    let texts = gateway.until_texts(&phone, 2).await;
    assert!(texts[1].starts_with("Roadcall: your mechanic is almost there: "), "{texts:?}");
    scene.mechanic.ping((20.0008, 77.0)).await;
    scene.step("arrive", json!({"override_reason": "the receiver is off"})).await;
    let texts = gateway.until_texts(&phone, 3).await;
    assert!(texts[2].starts_with("Roadcall: your mechanic is there"), "{texts:?}");
    let listed = scene.customer.get("/notifications?type=job_near").await.expect(200);
    assert_eq!(listed["data"].as_array().map(Vec::len), Some(1), "{listed}");
}

#[actix_web::test]
async fn simultaneously_due_texts_respect_the_limit_of_a_job() {
    let (gateway, app, scene, phone) = texted(|settings| {
        settings.sms.status_links = false;
        settings.sms.status_per_job = 2;
        settings.sms.near_m = 0;
    })
    .await;
    let copies = "insert into notifications (id, user_id, type, title, body, data, delivery_status, is_urgent, is_read, created_at, settled_at)
        select gen_random_uuid(), user_id, type, title, body, data, 'skipped', is_urgent, false, created_at, created_at
        from notifications, generate_series(1, 8) where type = 'job_accepted'";
    app.change(copies, &[]).await;
    scene.step("en-route", json!({})).await;
    let decided = "select count(*) = 9 from notification_texts";
    until_so("each is decided", async || app.value(decided, &[]).await).await;
    gateway.until_texts(&phone, 2).await;
    assert_eq!(gateway.texts_to(&phone).len(), 2, "{:?}", gateway.texts_to(&phone));
}
