//! "Where are you?": a dispatcher asks somebody on the phone, who answers by a link.

use chrono::TimeDelta;
use roadcall::{
    places::sweep_requests,
    service::settings::{Settings, SmsProvider},
};
use serde_json::{Value, json};

use crate::support::{
    Client, TestApp, bodies::id_of, peer::says, sms_gateway::SmsGateway, spawn_app, spawn_app_with,
    spawn_with_admin,
};

const PHONE: &str = "+919800112233";

async fn spawn(gateway: &SmsGateway, alter: impl FnOnce(&mut Settings)) -> TestApp {
    spawn_app_with(|settings| {
        gateway.set(&mut settings.sms);
        alter(settings);
        settings.check().expect("sound settings");
    })
    .await
}

async fn ask(admin: &Client, phone: &str) -> Value {
    admin.post("/admin/place-requests", json!({"phone": phone})).await.expect(201)
}

fn code_of(asked: &Value) -> String {
    asked["url"].as_str().and_then(|url| url.rsplit('/').next()).expect("a link").to_owned()
}

fn mg_road() -> Value {
    json!({"lat": 12.97301, "lng": 77.61698, "accuracy_m": 12.5})
}

#[actix_web::test]
async fn a_person_without_an_account_shares_and_corrects_their_place_until_it_is_used() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway, |settings| settings.operator.name = "Highway Help".to_owned()).await;
    let admin = app.admin().await;
    let asked = ask(&admin, PHONE).await;
    assert_eq!(asked["not_texted"], Value::Null, "{asked}");
    let texts = gateway.until_texts(PHONE, 1).await;
    let url = asked["url"].as_str().expect("a link");
    assert_eq!(texts[0], format!("Where are you? Share your place with roadside help here: {url}"));

    let (nobody, code) = (app.anonymous(), code_of(&asked));
    let shown = nobody.get(&format!("/place-requests/{code}")).await.expect(200);
    assert_eq!((&shown["asked_by"], &shown["is_placed"]), (&json!("Highway Help"), &json!(false)));
    let page = format!("/admin/place-requests/{}", id_of(&asked));
    let waiting = admin.get(&page).await.expect(200);
    assert_eq!((&waiting["status"], &waiting["place"]), (&json!("waiting"), &Value::Null));
    admin.post(&format!("{page}/use"), json!({})).await.refused(409, "INVALID_TRANSITION");

    let answer = format!("/place-requests/{}", code.to_uppercase());
    let shown = nobody.post(&answer, mg_road()).await.expect(200);
    assert_eq!(shown["is_placed"], true);
    let placed = admin.get(&page).await.expect(200);
    assert_eq!(placed["status"], "placed");
    assert_eq!((&placed["place"]["lat"], &placed["place"]["accuracy_m"]), (&json!(12.97301), &json!(12.5)));
    nobody.post(&answer, json!({"lat": 12.98, "lng": 77.6})).await.expect(200);
    let used = admin.post(&format!("{page}/use"), json!({})).await.expect(200);
    assert_eq!((&used["status"], &used["place"]["lat"]), (&json!("used"), &json!(12.98)));
    assert_eq!(used["place"]["accuracy_m"], Value::Null, "a pin that was put by hand");
    nobody.post(&answer, mg_road()).await.refused(410, "LINK_EXPIRED");
    nobody.get(&format!("/place-requests/{code}")).await.refused(410, "LINK_EXPIRED");
    admin.post(&format!("{page}/use"), json!({})).await.expect(200);
}

#[actix_web::test]
async fn a_request_is_audited_without_its_number_and_code() {
    let (app, admin) = spawn_with_admin().await;
    let asked = ask(&admin, PHONE).await;
    assert_eq!(asked["not_texted"], "no_provider", "development sends no text");
    let trail = "select action, after from audit_log where subject_id = $1::uuid order by at, id";
    let trail: Vec<(String, Value)> = app.rows(trail, &[&id_of(&asked)]).await;
    assert_eq!(trail[0], ("place_request.create".to_owned(), json!({"country": "IN"})));
    let kept: String = app.value("select row_to_json(place_requests)::text from place_requests", &[]).await;
    assert!(!kept.contains(&code_of(&asked)) && !kept.contains("9800112233"), "{kept}");
}

#[actix_web::test]
async fn a_link_expires_after_half_an_hour_and_its_place_after_a_day() {
    let (app, admin) = spawn_with_admin().await;
    let asked = ask(&admin, PHONE).await;
    let answer = format!("/place-requests/{}", code_of(&asked));
    app.anonymous().post(&answer, mg_road()).await.expect(200);
    app.change("update place_requests set expires_at = created_at", &[]).await;
    app.anonymous().post(&answer, mg_road()).await.refused(410, "LINK_EXPIRED");
    let page = format!("/admin/place-requests/{}", id_of(&asked));
    let expired = admin.get(&page).await.expect(200);
    assert_eq!((&expired["status"], &expired["place"]["lat"]), (&json!("expired"), &json!(12.97301)));
    let now = app.service.clock.now();
    assert_eq!(sweep_requests(&app.database.db, now, 10).await.expect("swept"), 0);
    assert_eq!(sweep_requests(&app.database.db, now + TimeDelta::days(1), 10).await.expect("swept"), 1);
    admin.get(&page).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn bad_input_names_its_field() {
    let app = spawn_app().await;
    let (admin, nobody) = (app.admin().await, app.anonymous());
    for phone in ["12", "+912223456789", "+18002345678"] {
        admin.post("/admin/place-requests", json!({"phone": phone})).await.refused_field("phone");
    }
    let answer = format!("/place-requests/{}", code_of(&ask(&admin, PHONE).await));
    for (field, bad) in [
        ("lat", json!({"lat": 91, "lng": 77.6})),
        ("lng", json!({"lat": 12.9, "lng": "east"})),
        ("accuracy_m", json!({"lat": 12.9, "lng": 77.6, "accuracy_m": -1})),
        ("accuracy_m", json!({"lat": 12.9, "lng": 77.6, "accuracy_m": 1e9})),
        ("name", json!({"lat": 12.9, "lng": 77.6, "name": "Asha"})),
    ] {
        nobody.post(&answer, bad).await.refused_field(field);
    }
    for code in ["0000000000", "x", "%00", "zzzzzzzzzzzzzzzzzzzzzz", "..%2f..%2fusers"] {
        nobody.post(&format!("/place-requests/{code}"), mg_road()).await.refused(404, "NOT_FOUND");
        nobody.get(&format!("/place-requests/{code}")).await.refused(404, "NOT_FOUND");
    }
}

#[actix_web::test]
async fn requests_are_limited_by_admin_and_by_number() {
    let app = spawn_app_with(|settings| {
        settings.sms.wheres_per_admin_per_day = 3;
        settings.sms.wheres_per_number_per_day = 2;
    })
    .await;
    let (admin, other) = (app.admin().await, app.admin().await);
    ask(&admin, PHONE).await;
    ask(&other, PHONE).await;
    let body = |phone: &str| json!({"phone": phone});
    admin.post("/admin/place-requests", body(PHONE)).await.refused(429, "RATE_LIMITED");
    ask(&admin, "+919800112244").await;
    ask(&admin, "+919800112255").await;
    admin.post("/admin/place-requests", body("+919800112266")).await.refused(429, "RATE_LIMITED");
    ask(&other, "+919800112266").await;
}

#[actix_web::test]
async fn the_link_is_shown_even_if_no_text_message_is_sent() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway, |_| {}).await;
    let admin = app.admin().await;
    gateway.answer_next([says(400, "no")]);
    let asked = ask(&admin, PHONE).await;
    assert_eq!((&asked["not_texted"], &asked["sent_at"]), (&json!("refused"), &Value::Null));
    app.anonymous().post(&format!("/place-requests/{}", code_of(&asked)), mg_road()).await.expect(200);

    let app = spawn(&gateway, |settings| {
        settings.sms.per_hour = 0;
        assert_eq!(settings.sms.provider, SmsProvider::Http);
    })
    .await;
    let admin = app.admin().await;
    let asked = ask(&admin, PHONE).await;
    assert_eq!(asked["not_texted"], "no_budget");
}

#[actix_web::test]
async fn a_request_survives_a_restart() {
    let mut app = spawn_app().await;
    let admin = app.admin().await;
    let asked = ask(&admin, PHONE).await;
    app.restart().await;
    app.anonymous().post(&format!("/place-requests/{}", code_of(&asked)), mg_road()).await.expect(200);
}
