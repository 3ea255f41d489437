use roadcall::service::settings::SmsSettings;
use serde_json::json;

use crate::support::{TestApp, midday, new_phone, peer::says, spawn_app_at, twilio::TwilioPeer};

/// Starts an app whose text messages are sent, and cost money. No hour ends during a test: budgets are counted by the hour.
async fn spawn(alter: impl FnOnce(&mut SmsSettings)) -> (TestApp, TwilioPeer) {
    let peer = TwilioPeer::start().await;
    let app = spawn_app_at(midday(), |settings| {
        peer.set(&mut settings.sms);
        alter(&mut settings.sms);
    })
    .await;
    (app, peer)
}

#[actix_web::test]
async fn foreign_countries_have_a_budget_of_text_messages() {
    let (app, peer) = spawn(|sms| (sms.per_country_per_hour, sms.reserved_percent) = (2, 0)).await;
    app.send_otp("+447700900001").await.expect(200);
    app.send_otp("+447700900002").await.expect(200);
    let refused = app.send_otp("+447700900003").await;
    let seconds: u64 = refused.header("retry-after").expect("Retry-After").parse().expect("seconds");
    assert!((1..=3601).contains(&seconds));
    refused.refused_saying(503, "UNAVAILABLE", "to that country");
    app.send_otp("+14155550100").await.expect(200);
    for _ in 0..3 {
        app.send_otp(&new_phone()).await.expect(200);
    }
    let later = "update text_message_counts set hour = hour - interval '1 hour'";
    app.sql(later).await;
    app.send_otp("+447700900003").await.expect(200);
    assert_eq!(peer.asked().len(), 7, "what was refused was not sent");
}

#[actix_web::test]
async fn all_text_messages_together_have_a_budget_that_holds_under_parallel_requests() {
    let (app, peer) = spawn(|sms| (sms.per_day, sms.reserved_percent) = (4, 0)).await;
    let phones: Vec<String> = (0..8).map(|_| new_phone()).collect();
    let answers = futures_util::future::join_all(phones.iter().map(|phone| app.send_otp(phone))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 4);
    assert_eq!(peer.asked().len(), 4);
    let an_hour_ago = "update text_message_counts set hour = hour - interval '1 hour'";
    app.sql(an_hour_ago).await;
    app.send_otp(&new_phone()).await.refused(503, "UNAVAILABLE");
    let yesterday = "update text_message_counts set hour = hour - interval '23 hours'";
    app.sql(yesterday).await;
    app.send_otp(&new_phone()).await.expect(200);
}

#[actix_web::test]
async fn a_share_of_the_budget_is_reserved_for_known_phones_and_devices() {
    let (app, _peer) = spawn(|sms| (sms.per_hour, sms.reserved_percent) = (10, 20)).await;
    let sign_in = async |phone: &str| {
        let sent = app.send_otp(phone).await.expect(200);
        let body = json!({"phone": phone, "otp": sent["data"]["otp"]});
        app.anonymous().post("/auth/verify-otp", body).await.expect(200)["data"]["deviceToken"].clone()
    };
    let (phone, other) = (new_phone(), new_phone());
    let device = sign_in(&phone).await;
    sign_in(&other).await;
    for _ in 2..6 {
        app.send_otp(&new_phone()).await.expect(200);
    }
    app.send_otp(&new_phone()).await.refused(503, "UNAVAILABLE");
    app.send_otp(&other).await.expect(200);
    sign_in(&phone).await;
    allow_resend(&app).await;
    app.send_otp(&other).await.refused(503, "UNAVAILABLE");
    let by_device = json!({"phone": phone, "deviceToken": device});
    for _ in 0..2 {
        app.anonymous().post("/auth/send-otp", by_device.clone()).await.expect(200);
        allow_resend(&app).await;
    }
    app.anonymous().post("/auth/send-otp", by_device).await.refused(503, "UNAVAILABLE");
}

async fn allow_resend(app: &TestApp) {
    app.sql("update otp_codes set resend_at = null").await;
}

#[actix_web::test]
async fn a_message_that_was_not_taken_does_not_use_the_budget() {
    let (app, peer) = spawn(|sms| (sms.per_hour, sms.reserved_percent) = (2, 0)).await;
    let refused = || says(400, json!({"code": 21211}));
    peer.answer_next((0..3).map(|_| refused()).collect::<Vec<_>>());
    for _ in 0..3 {
        app.send_otp(&new_phone()).await.refused(502, "PROVIDER_ERROR");
    }
    let sent = async || {
        let sent = "select coalesce(sum(sent), 0)::bigint from text_message_counts where scope = 'all'";
        app.sql_value::<i64>(sent).await
    };
    assert_eq!(sent().await, 0);
    app.send_otp(&new_phone()).await.expect(200);
    // A message that may have been sent counts: this one gets a 500, and another when it is tried again.
    peer.answer_next([says(500, "{}"), says(500, "{}")]);
    app.send_otp(&new_phone()).await.refused(502, "PROVIDER_ERROR");
    assert_eq!(sent().await, 2);
    app.send_otp(&new_phone()).await.refused(503, "UNAVAILABLE");
}

#[actix_web::test]
async fn a_number_that_gets_no_texts_is_sent_no_code() {
    let (app, peer) = spawn(|_| ()).await;
    // These are a landline, a toll-free, a shared-cost and a premium-rate number, and a number of no country.
    for phone in ["(022) 2345 6789", "1800 11 4000", "1860 123 4567", "+1 900 234 5678", "+979 123 456 789"] {
        let refused = app.send_otp(phone).await.refused_field("phone");
        let why = refused["error"]["errors"]["phone"][0].as_str().unwrap();
        assert!(why.contains("text messages"), "{refused}");
    }
    assert!(peer.asked().is_empty());
    // If the library does not know the kind of a number, or the country's plan does not tell, it is sent its code.
    app.send_otp("+447700900123").await.expect(200);
    app.send_otp("+14155550100").await.expect(200);
}

#[actix_web::test]
async fn codes_go_only_to_the_configured_regions_with_or_without_an_account() {
    let (app, peer) = spawn(|sms| sms.regions = vec!["IN".parse().unwrap(), "US".parse().unwrap()]).await;
    let admin = app.admin().await;
    let (known, stranger) = ("+18765550100", "+18765550101");
    admin.post("/admin/users", json!({"phone": known, "name": "Asha Rao"})).await.expect(201);
    let refused = app.send_otp(known).await;
    assert_eq!(refused.text, app.send_otp(stranger).await.text);
    let why = refused.refused_field("phone");
    assert_eq!(why["error"]["errors"]["phone"], json!(["is of a country that we send no text messages to"]));
    assert!(peer.asked().is_empty());
    // Jamaica and the United States share their calling code.
    app.send_otp("+14155550100").await.expect(200);
    app.send_otp(&new_phone()).await.expect(200);
    assert_eq!(peer.asked().len(), 2);
}

#[actix_web::test]
async fn countries_that_share_a_calling_code_have_a_budget_each() {
    let peer = TwilioPeer::start().await;
    let app = spawn_app_at(midday(), |settings| {
        peer.set(&mut settings.sms);
        settings.phone.region = "US".parse().unwrap();
        (settings.sms.per_country_per_hour, settings.sms.reserved_percent) = (1, 0);
    })
    .await;
    for phone in ["415 555 0100", "415 555 0101", "+1 876 555 0100", "+1 403 555 0100"] {
        app.send_otp(phone).await.expect(200);
    }
    app.send_otp("876 555 0101").await.refused(503, "UNAVAILABLE");
    app.send_otp("415 555 0102").await.expect(200);
}
