//! Text messages through a gateway that the settings describe.

use base64::{Engine, engine::general_purpose::STANDARD};
use roadcall::service::settings::{Secret, Settings, SmsHttpMethod};
use serde_json::json;

use crate::support::{
    AssertFields, TestApp, midday, new_phone,
    peer::{Manner, redirects, says},
    sms_gateway::SmsGateway,
    spawn_app_at,
};

/// Starts an app that sends texts through the gateway. No hour ends during a test: budgets of text messages are counted by the
/// hour.
async fn spawn(gateway: &SmsGateway, alter: impl FnOnce(&mut Settings)) -> TestApp {
    spawn_app_at(midday(), |settings| {
        gateway.set(&mut settings.sms);
        alter(settings);
        settings.check().expect("sound settings");
    })
    .await
}

#[actix_web::test]
async fn a_code_is_sent_in_the_query_of_a_get_and_signs_in() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway, |settings| {
        settings.auth.dev_otp = false;
        settings.sms.otp_text = "{code} opens Roadcall & more: 100% {to}".to_owned();
        let http = &mut settings.sms.http;
        http.method = SmsHttpMethod::Get;
        http.body = Secret(String::new());
        http.url = gateway.link("/send?key=k&to={to_digits}&from={sender}&text={text}&coding={coding}");
        http.sender = "ROADCL".to_owned();
        http.success_contains = "OK".to_owned();
    })
    .await;
    let phone = new_phone();
    app.send_otp(&phone).await.expect(200);
    let asked = gateway.requests().remove(0);
    assert_eq!((asked.line(), asked.body.len()), ("GET /send".to_owned(), 0));
    let query = asked.parameters();
    assert_eq!(["key", "from", "coding"].map(|name| query[name].as_str()), ["k", "ROADCL", "0"]);
    assert_eq!(format!("+{}", query["to"]), phone);
    let code = query["text"].strip_suffix(" opens Roadcall & more: 100% {to}").expect("the text");
    let signed_in = app.anonymous().post("/auth/verify-otp", json!({"phone": phone, "otp": code})).await;
    signed_in.expect(200);
}

#[actix_web::test]
async fn a_json_body_is_sent_with_headers_credentials_and_register_ids() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway, |settings| {
        settings.sms.otp_text = "आपका \"कोड\" {code} है".to_owned();
        let http = &mut settings.sms.http;
        http.body = Secret(
            json!({"messages": [{"to": "{to}", "text": "{text}", "unicode": "{unicode}", "ref": "{id}"}],
                "dlt": {"template": "{template_id}", "entity": "{entity_id}"}, "flash": false})
            .to_string(),
        );
        http.entity_id = "1201159100000000001".to_owned();
        for (kind, id) in [("otp", "1107"), ("share", "1108"), ("number_changed", "1109")] {
            http.templates.insert(kind.to_owned(), id.to_owned());
        }
        http.headers.insert("x_api_key".to_owned(), Secret("of the gateway".to_owned()));
        (http.basic_user, http.basic_password) = ("roadcall".to_owned(), Secret("pass:word".to_owned()));
        (http.success_pointer, http.success_value) = ("/status".to_owned(), "queued".to_owned());
    })
    .await;
    gateway.answer_next([says(200, r#"{"status": "queued"}"#)]);
    let phone = new_phone();
    let code = app.send_otp(&phone).await.expect(200)["data"]["otp"].as_str().expect("a code").to_owned();
    let asked = gateway.requests().remove(0);
    let mut body = asked.json();
    let id = body["messages"][0]["ref"].take();
    assert!(id.as_str().is_some_and(|id| id.parse::<uuid::Uuid>().is_ok()), "{id}");
    let text = format!("आपका \"कोड\" {code} है");
    let expected = json!({"messages": [{"to": phone, "text": text, "unicode": "1", "ref": null}],
        "dlt": {"template": "1107", "entity": "1201159100000000001"}, "flash": false});
    assert_eq!((asked.line(), body), ("POST /send".to_owned(), expected));
    let header = |name: &str| asked.headers[name].clone();
    assert_eq!(header("content-type"), "application/json");
    assert_eq!(header("x-api-key"), "of the gateway");
    assert_eq!(header("authorization"), format!("Basic {}", STANDARD.encode("roadcall:pass:word")));
}

#[actix_web::test]
async fn an_error_in_the_body_of_a_200_is_a_refusal_and_costs_nothing() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway, |settings| {
        settings.sms.http.success_contains = "Accepted".to_owned();
        (settings.sms.per_hour, settings.sms.reserved_percent) = (1, 0);
    })
    .await;
    gateway.answer_next([says(200, "ERR 105 +919800000000 is on the DND list")]);
    let refused = app.send_otp(&new_phone()).await;
    assert!(!refused.text.contains("98000") && !refused.text.contains("ERR 105"), "{}", refused.text);
    refused.refused(502, "PROVIDER_ERROR");
    assert_eq!(gateway.count(), 1, "it would be refused again");
    gateway.answer_next([says(202, "0: Accepted for delivery")]);
    app.send_otp(&new_phone()).await.expect(200);
    app.send_otp(&new_phone()).await.refused(503, "UNAVAILABLE");
}

#[actix_web::test]
async fn redirects_are_not_followed_and_endless_answers_are_cut() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway, |settings| settings.sms.http.success_contains = "OK".to_owned()).await;
    gateway.answer_next([redirects("/elsewhere"), Manner::Endless]);
    for asked in 1..=2 {
        app.send_otp(&new_phone()).await.refused(502, "PROVIDER_ERROR");
        assert_eq!(gateway.count(), asked);
    }
    assert!(gateway.lines().iter().all(|line| line == "POST /send"));
    app.send_otp(&new_phone()).await.expect(200);
}

#[actix_web::test]
async fn a_busy_gateway_is_asked_once_more_and_a_silent_one_is_not() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway, |settings| settings.sms.timeout_ms = 2000).await;
    for (index, status) in [429, 503].into_iter().enumerate() {
        gateway.answer_next([says(status, "busy")]);
        app.send_otp(&new_phone()).await.expect(200);
        let asked = gateway.requests();
        assert_eq!(asked.len(), 2 * (index + 1));
        assert_eq!(asked[2 * index].body, asked[2 * index + 1].body, "the same message both times");
    }
    gateway.answer_next([Manner::Silent]);
    app.send_otp(&new_phone()).await.refused(502, "PROVIDER_ERROR");
    assert_eq!(gateway.count(), 5);
}

#[actix_web::test]
async fn a_super_admin_sends_a_test_message_and_sees_the_gateways_answer() {
    let gateway = SmsGateway::start().await;
    let app = spawn(&gateway, |settings| {
        settings.sms.http.success_contains = "OK".to_owned();
        settings.sms.tests_per_day = 4;
    })
    .await;
    let admin = app.super_admin().await;
    let phone = new_phone();
    let test = async || admin.post("/super-admin/sms/test", json!({"phone": phone})).await;
    assert_eq!(test().await.expect(200), json!({"outcome": "taken", "reason": null}));
    let sent = gateway.requests()[0].json();
    assert_eq!(sent["to"], phone);
    assert!(sent["text"].as_str().unwrap().contains("000000"), "{sent}");
    gateway.answer_next([says(403, "who are you"), says(200, "no"), Manner::Endless]);
    assert_eq!(test().await.expect(200), json!({"outcome": "refused", "reason": "status 403"}));
    let body = test().await.expect(200);
    assert_eq!(body["outcome"], "refused");
    assert!(body["reason"].as_str().is_some_and(|why| why.contains("sms.http.success")), "{body}");
    assert_eq!(test().await.expect(200)["outcome"], "unknown");
    test().await.refused(429, "RATE_LIMITED");
    assert_eq!(gateway.count(), 4);
    let log = admin.list("/admin/audit-log?action=sms.test").await;
    assert_eq!(log.len(), 4, "{log:?}");
    log[0].assert_fields(json!({"object_id": log[0]["actor_id"], "after": {"country": "IN"}}));
    let signs_in = json!({"phone": phone, "otp": "000000"});
    app.anonymous().post("/auth/verify-otp", signs_in).await.refused(401, "INVALID_OTP");
}

#[actix_web::test]
async fn without_a_provider_a_test_message_is_not_sent() {
    let app = crate::support::spawn_app().await;
    let admin = app.super_admin().await;
    let tested = admin.post("/super-admin/sms/test", json!({"phone": new_phone()})).await.expect(200);
    assert_eq!(tested, json!({"outcome": "not_sent", "reason": null}));
    let wrong = admin.post("/super-admin/sms/test", json!({"phone": "12"})).await;
    wrong.refused(422, "VALIDATION_FAILED");
}
