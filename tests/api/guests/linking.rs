//! Tests what a link may show, and how it reaches the beneficiary.

use futures_util::future::join;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{MEERA, link, seen, spawn_for_meera, try_link};
use crate::support::{
    Answer, Person, Stranded, TestApp,
    bodies::{id_of, set},
    roadside::PICKUP,
    rows::until_blocked,
    spawn_accepted, spawn_app, spawn_app_with,
    twilio::{TwilioPeer, error},
};

async fn spawn(peer: &TwilioPeer, per_job: i64, per_person: i64) -> TestApp {
    spawn_app_with(|settings| {
        peer.set(&mut settings.sms);
        settings.shares.sms_per_job_per_day = per_job;
        settings.shares.sms_per_person_per_day = per_person;
    })
    .await
}

/// Returns the texts that Meera got.
fn received(peer: &TwilioPeer) -> Vec<String> {
    let to_meera = peer.asked().into_iter().filter(|form| form["To"] == MEERA);
    to_meera.map(|form| form["Body"].clone()).collect()
}

#[actix_web::test]
async fn a_link_shows_the_start_code_until_the_work_starts_if_the_customer_allows_it() {
    let (app, scene) = spawn_for_meera().await;
    let (shown, with) = link(&scene, json!({"shows_start_code": true})).await;
    assert_eq!(shown["shows_start_code"], true);
    let (_, without) = link(&scene, json!({"may_contact": true})).await;
    let nobody = app.anonymous();
    let code = scene.customer.get(&scene.path("")).await.expect(200)["start_code"].clone();
    assert!(code.is_string());
    for step in ["accepted", "en_route", "arrived"] {
        match step {
            "en_route" => drop(scene.step("en-route", json!({})).await),
            "arrived" => drop(scene.step("arrive", json!({"override_reason": "no receiver"})).await),
            _ => {}
        }
        let shown = seen(&nobody, &with).await;
        assert_eq!((&shown["status"], &shown["start_code"]), (&json!(step), &code));
        assert_eq!(seen(&nobody, &without).await["start_code"], Value::Null, "{step}");
    }
    scene.step("start", json!({"start_code": code})).await;
    assert_eq!(seen(&nobody, &with).await["start_code"], Value::Null, "it has served its purpose");
}

#[actix_web::test]
async fn after_a_mechanic_loses_the_job_the_link_shows_no_start_code() {
    let (app, scene) = spawn_for_meera().await;
    let (_, path) = link(&scene, json!({"shows_start_code": true})).await;
    scene.step("release", json!({"reason_code": "vehicle_trouble"})).await;
    assert_eq!(seen(&app.anonymous(), &path).await["start_code"], Value::Null);
}

#[actix_web::test]
async fn a_link_permits_talking_if_the_customer_allows_it_or_names_the_beneficiary_as_contact() {
    for (preference, expected) in [("booker", false), ("beneficiary", true), ("both", true)] {
        let app = spawn_app().await;
        let scene = app.accepted_for(preference).await;
        let (made, path) = link(&scene, json!({})).await;
        assert_eq!(made["may_contact"], expected, "{preference}");
        assert_eq!(seen(&app.anonymous(), &path).await["may_contact"], expected, "{preference}");
        let (made, _) = link(&scene, json!({"may_contact": !expected})).await;
        assert_eq!(made["may_contact"], !expected, "the customer's word, whatever the preference");
        let listed = scene.customer.get(&scene.path("/shares")).await.expect(200);
        assert_eq!(listed["data"][0]["may_contact"], !expected, "{listed}");
        assert_eq!(listed["data"][0]["sent_at"], Value::Null);
    }
}

#[actix_web::test]
async fn the_link_is_sent_to_the_beneficiary() {
    let peer = TwilioPeer::start().await;
    let app = spawn(&peer, 2, 10).await;
    let scene = app.accepted_for_meera().await;
    let (made, path) = link(&scene, json!({"send_to": "beneficiary", "shows_start_code": true})).await;
    assert!(made["sent_at"].is_string(), "{made}");
    let texts = received(&peer);
    assert_eq!(texts.len(), 1);
    assert_eq!(texts[0].split_whitespace().last(), made["url"].as_str());
    assert_eq!(seen(&app.anonymous(), &path).await["status"], "accepted");
    let listed = scene.customer.get(&scene.path("/shares")).await.expect(200);
    assert_eq!(listed["data"][0]["sent_at"], made["sent_at"]);
}

#[actix_web::test]
async fn a_caller_without_an_app_gets_the_link() {
    let peer = TwilioPeer::start().await;
    let app = spawn(&peer, 2, 10).await;
    let (admin, scene) = (app.admin().await, app.accepted_for_meera().await);
    let path = format!("/admin/jobs/{}/shares", scene.job);
    for (send_to, phone) in [("customer", scene.customer.phone.as_str()), ("beneficiary", MEERA)] {
        let sent = admin.post(&path, json!({"send_to": send_to})).await.expect(201);
        assert!(sent["sent_at"].is_string() && sent.get("token").is_none(), "{sent}");
        let texts = peer.asked();
        let text = texts.iter().rfind(|form| form["To"] == phone && form["Body"].contains("/track/"));
        let link = text.expect("a text")["Body"].split_whitespace().last().unwrap().to_owned();
        let token = link.rsplit_once('/').unwrap().1.to_owned();
        assert!(!sent.to_string().contains(&token), "{sent}");
        let shown = seen(&app.anonymous(), &format!("/shares/{token}")).await;
        let code = scene.customer.get(&scene.path("")).await.expect(200)["start_code"].clone();
        assert_eq!((&shown["start_code"], &shown["may_contact"]), (&code, &json!(true)));
    }
    let audited = "select after->>'sent_to' from audit_log where action = 'job.share' order by at, id";
    let audited: Vec<String> = app.values(audited, &[]).await;
    assert_eq!(audited, ["customer", "beneficiary"]);
    admin.post(&path, json!({"send_to": "customer"})).await.refused(429, "RATE_LIMITED");
    admin.post(&path, json!({})).await.refused_field("send_to");
    admin.post(&path, json!({"send_to": "mechanic"})).await.refused_field("send_to");
}

#[actix_web::test]
async fn sent_links_are_limited_per_job_and_per_person() {
    for (per_job, per_person) in [(1, 5), (5, 1)] {
        let peer = TwilioPeer::start().await;
        let app = spawn(&peer, per_job, per_person).await;
        let scene = app.accepted_for_meera().await;
        link(&scene, json!({"send_to": "beneficiary"})).await;
        try_link(&scene, json!({"send_to": "beneficiary"})).await.put_off(429, "RATE_LIMITED");
        link(&scene, json!({})).await;
        assert_eq!(received(&peer).len(), 1);
    }
}

/// Calls for help for the owner of a number, requests a link for it, and cancels; returns the answer to the request.
async fn call_and_share(person: &Person, number: &str) -> Answer {
    let vehicle = json!({"vehicle_type": "two_wheeler", "make": "Hero", "model": "Splendor",
        "registration_number": "KA01AB1234"});
    let vehicle_id = id_of(&person.post("/vehicles", vehicle).await.expect(201));
    let stranded = Stranded { client: person.clone(), vehicle_id, place: PICKUP };
    let call = set(&stranded.call_body(), "beneficiary_phone", json!(number));
    let call = set(&call, "beneficiary_name", json!("Meera Rao"));
    let job = id_of(&person.post("/jobs", call).await.expect(201));
    let sent = person.post(&format!("/jobs/{job}/shares"), json!({"send_to": "beneficiary"})).await;
    stranded.cancel(&job).await;
    sent
}

#[actix_web::test]
async fn a_new_account_does_not_reset_the_limit_of_sent_links() {
    let peer = TwilioPeer::start().await;
    let app = spawn(&peer, 5, 2).await;
    let mut customer = app.customer().await;
    let phone = customer.phone.clone();
    for _ in 0..2 {
        call_and_share(&customer, MEERA).await.expect(201);
        customer.delete("/users/me").await.expect(204);
        customer = app.sign_in(&phone).await;
    }
    call_and_share(&customer, MEERA).await.put_off(429, "RATE_LIMITED");
    assert_eq!(received(&peer).len(), 2);
    let rows: Vec<String> = app.values("select row_to_json(c)::text from counted_messages c", &[]).await;
    let digits = [phone.trim_start_matches('+'), MEERA.trim_start_matches('+')];
    assert!(rows.iter().all(|row| !digits.iter().any(|digits| row.contains(digits))), "no phone is kept");
}

#[actix_web::test]
async fn links_sent_to_a_number_are_limited_across_senders() {
    let peer = TwilioPeer::start().await;
    let app = spawn_app_with(|settings| {
        peer.set(&mut settings.sms);
        settings.shares.sms_per_number_per_day = 2;
    })
    .await;
    for _ in 0..2 {
        call_and_share(&app.customer().await, MEERA).await.expect(201);
    }
    call_and_share(&app.customer().await, MEERA).await.refused(429, "RATE_LIMITED");
    assert_eq!(received(&peer).len(), 2);
    call_and_share(&app.customer().await, "+919812300078").await.expect(201);
}

#[actix_web::test]
async fn a_link_is_only_sent_to_a_known_number() {
    let (_app, scene) = spawn_accepted().await;
    try_link(&scene, json!({"send_to": "beneficiary"})).await.refused_field("send_to");
    try_link(&scene, json!({"send_to": "police"})).await.refused_field("send_to");
    let listed = scene.customer.get(&scene.path("/shares")).await.expect(200);
    assert_eq!(listed["data"], json!([]));
}

#[actix_web::test]
async fn a_link_is_only_sent_to_a_number_that_we_send_texts_to() {
    let peer = TwilioPeer::start().await;
    let app = spawn_app_with(|settings| {
        peer.set(&mut settings.sms);
        settings.sms.regions = vec!["IN".parse().unwrap()];
    })
    .await;
    let (admin, scene) = (app.admin().await, app.accepted_for_meera().await);
    let before = peer.asked().len();
    for number in ["+912223456789", "+911800114000", "+19002345678", "+447700900123"] {
        let other = "update job_facts set beneficiary_phone = $2 where id = $1::uuid";
        app.change(other, &[&scene.job, number]).await;
        let body = json!({"send_to": "beneficiary"});
        try_link(&scene, body.clone()).await.refused_field("send_to");
        admin.post(&format!("/admin/jobs/{}/shares", scene.job), body).await.refused_field("send_to");
    }
    assert_eq!(peer.asked().len(), before);
    let listed = scene.customer.get(&scene.path("/shares")).await.expect(200);
    assert_eq!(listed["data"], json!([]), "no link was made");
    link(&scene, json!({})).await;
}

#[actix_web::test]
async fn a_link_goes_to_a_number_that_was_corrected_meanwhile() {
    let peer = TwilioPeer::start().await;
    let app = spawn(&peer, 3, 10).await;
    let scene = app.accepted_for_meera().await;
    let mut correction = app.database.db.begin().await.unwrap();
    sqlx::query("update job_facts set beneficiary_phone = '+919812300078' where id = $1")
        .bind(scene.job.parse::<Uuid>().unwrap())
        .execute(&mut *correction)
        .await
        .unwrap();
    let corrected = async {
        until_blocked(&app.database.db).await;
        correction.commit().await.unwrap();
    };
    let body = json!({"send_to": "beneficiary", "shows_start_code": true});
    let (sent, ()) = join(try_link(&scene, body), corrected).await;
    sent.expect(201);
    assert!(received(&peer).is_empty(), "nothing goes to the former number");
    assert!(peer.asked().iter().any(|form| form["To"] == "+919812300078"));
}

#[actix_web::test]
async fn a_service_that_sends_no_links_says_so() {
    for (per_job, per_person) in [(0, 5), (5, 0)] {
        let peer = TwilioPeer::start().await;
        let app = spawn(&peer, per_job, per_person).await;
        let scene = app.accepted_for_meera().await;
        try_link(&scene, json!({"send_to": "beneficiary"})).await.refused_field("send_to");
        link(&scene, json!({})).await;
        assert!(received(&peer).is_empty());
    }
}

#[actix_web::test]
async fn a_link_that_could_not_be_sent_is_revoked() {
    let peer = TwilioPeer::start().await;
    let app = spawn(&peer, 3, 10).await;
    let scene = app.accepted_for_meera().await;
    peer.answer_next([error(400, 21211, "The 'To' number +919812300077 is not a valid phone number.")]);
    let refused = try_link(&scene, json!({"send_to": "beneficiary"})).await;
    assert!(!refused.text.contains(&MEERA[1..]), "{}", refused.text);
    refused.refused(502, "PROVIDER_ERROR");
    let listed = scene.customer.get(&scene.path("/shares")).await.expect(200);
    assert_eq!(listed["data"][0]["is_live"], false, "{listed}");
}
