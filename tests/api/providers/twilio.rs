//! One-time passwords through Twilio, against a peer that responds as documented.

use roadcall::service::settings::Settings;
use serde_json::json;

use crate::support::{
    TestApp, new_phone,
    peer::{Manner, says},
    spawn_app_with,
    twilio::{SENDER, TwilioPeer, error},
};

async fn spawn(peer: &TwilioPeer, alter: impl FnOnce(&mut Settings)) -> TestApp {
    spawn_app_with(|settings| {
        peer.set(&mut settings.sms);
        alter(settings);
        settings.check().expect("sound settings");
    })
    .await
}

#[actix_web::test]
async fn a_code_is_sent_with_the_configured_text_and_signs_in() {
    let peer = TwilioPeer::start().await;
    let app = spawn(&peer, |settings| {
        settings.auth.dev_otp = false;
        settings.sms.otp_text = "{code} opens Roadcall & more: don't share it".to_owned();
    })
    .await;
    let phone = new_phone();
    let body = app.send_otp(&phone).await.expect(200);
    assert!(body["data"].get("otp").is_none(), "{body}");
    let form = peer.asked().remove(0);
    assert_eq!((form["To"].as_str(), form["From"].as_str()), (phone.as_str(), SENDER));
    assert!(!form.contains_key("MessagingServiceSid"));
    let code = form["Body"].strip_suffix(" opens Roadcall & more: don't share it").expect("the text");
    let signed_in = app.anonymous().post("/auth/verify-otp", json!({"phone": phone, "otp": code})).await;
    signed_in.expect(200);
}

#[actix_web::test]
async fn a_messaging_service_may_choose_the_sender() {
    let peer = TwilioPeer::start().await;
    let service = "MG00000000000000000000000000000001";
    let app = spawn(&peer, |settings| {
        settings.sms.twilio_from.clear();
        settings.sms.twilio_messaging_service_sid = service.to_owned();
    })
    .await;
    app.send_otp(&new_phone()).await.expect(200);
    let form = peer.asked().remove(0);
    assert_eq!(form["MessagingServiceSid"], service);
    assert!(!form.contains_key("From"));
}

#[actix_web::test]
async fn a_number_that_cannot_be_reached_is_tried_once_and_reported_as_502() {
    let peer = TwilioPeer::start().await;
    let app = spawn(&peer, |_| {}).await;
    for (index, (status, code)) in
        [(400, 21211), (400, 21610), (400, 21614), (403, 20003), (404, 20404)].into_iter().enumerate()
    {
        peer.answer_next([error(status, code, "The 'To' number +919800000000 is not a valid phone number")]);
        let refused = app.send_otp(&new_phone()).await;
        assert!(!refused.text.contains("9800000000") && !refused.text.contains("twilio"), "{}", refused.text);
        refused.refused(502, "PROVIDER_ERROR");
        assert_eq!(peer.asked().len(), index + 1, "{code} was tried again");
    }
}

#[actix_web::test]
async fn a_busy_server_is_asked_once_more() {
    let peer = TwilioPeer::start().await;
    let app = spawn(&peer, |_| {}).await;
    let busy = |status, after| says(status, "{}").retry_after(after);
    for (index, first) in [busy(429, Some("1")), busy(429, None), busy(503, None), busy(500, Some("soon"))]
        .into_iter()
        .enumerate()
    {
        peer.answer_next([first]);
        app.send_otp(&new_phone()).await.expect(200);
        let asked = peer.asked();
        assert_eq!(asked.len(), 2 * (index + 1));
        assert_eq!(asked[2 * index], asked[2 * index + 1], "the same code both times");
    }
    peer.answer_next([busy(503, None), busy(503, None), busy(503, None)]);
    app.send_otp(&new_phone()).await.refused(502, "PROVIDER_ERROR");
    assert_eq!(peer.asked().len(), 10, "twice at most");
}

#[actix_web::test]
async fn a_retry_after_that_exceeds_the_time_limit_is_respected() {
    let peer = TwilioPeer::start().await;
    let app = spawn(&peer, |_| {}).await;
    peer.answer_next([says(429, "{}").with("retry-after", 3600)]);
    app.send_otp(&new_phone()).await.refused(502, "PROVIDER_ERROR");
    assert_eq!(peer.asked().len(), 1);
}

#[actix_web::test]
async fn a_missing_answer_is_not_treated_as_a_refusal() {
    let peer = TwilioPeer::start().await;
    let app = spawn(&peer, |settings| settings.sms.timeout_ms = 300).await;
    peer.answer_next([Manner::Silent]);
    let phone = new_phone();
    app.send_otp(&phone).await.refused(502, "PROVIDER_ERROR");
    assert_eq!(peer.asked().len(), 1);
    // The code that may have arrived is valid, and the next code is sent.
    app.send_otp(&phone).await.expect(200);
}

#[actix_web::test]
async fn a_rejected_token_is_reported_as_502() {
    let peer = TwilioPeer::start().await;
    let app = spawn(&peer, |settings| settings.sms.twilio_auth_token.0 = "another".to_owned()).await;
    app.send_otp(&new_phone()).await.refused(502, "PROVIDER_ERROR");
    assert_eq!(peer.asked().len(), 1);
}
