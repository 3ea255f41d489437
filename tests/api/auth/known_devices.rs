use serde_json::{Value, json};

use super::otp::{post_from, spawn_behind_proxy};
use crate::support::{Client, TestApp, new_phone};

async fn spawn() -> TestApp {
    spawn_behind_proxy(|auth| auth.otp_resend_after_s = 0).await
}

async fn sign_in(client: &Client, phone: &str, device: Option<&str>) -> Value {
    let mut body = json!({"phone": phone});
    if let Some(token) = device {
        body["deviceToken"] = json!(token);
    }
    let sent = post_from(client, "203.0.113.200", "/auth/send-otp", body.clone()).await.expect(200);
    body["otp"] = sent["data"]["otp"].clone();
    post_from(client, "203.0.113.200", "/auth/verify-otp", body).await.expect(200)["data"].take()
}

/// Tries wrong codes from many addresses until the phone is locked.
async fn lock_out(client: &Client, phone: &str) {
    for network in 0..4 {
        let address = format!("203.0.113.{network}");
        for _ in 0..5 {
            let guess = json!({"phone": phone, "otp": "000000"});
            post_from(client, &address, "/auth/verify-otp", guess).await.refused(401, "INVALID_OTP");
        }
    }
    let locked = post_from(client, "203.0.113.99", "/auth/send-otp", json!({"phone": phone})).await;
    locked.refused_saying(429, "RATE_LIMITED", "a device you have used before");
}

#[actix_web::test]
async fn a_device_that_signed_in_before_is_not_locked_out_by_strangers() {
    let app = spawn().await;
    let (nobody, phone) = (app.anonymous(), new_phone());
    let device = sign_in(&nobody, &phone, None).await["deviceToken"].as_str().unwrap().to_owned();
    lock_out(&nobody, &phone).await;
    let again = sign_in(&nobody, &phone, Some(&device)).await;
    let renewed = again["deviceToken"].as_str().expect("a token").to_owned();
    sign_in(&nobody, &phone, Some(&renewed)).await;
}

#[actix_web::test]
async fn a_known_device_has_no_more_wrong_tries_than_others() {
    let app = spawn().await;
    let (nobody, phone) = (app.anonymous(), new_phone());
    let device = sign_in(&nobody, &phone, None).await["deviceToken"].clone();
    let guess = json!({"phone": phone, "otp": "000000", "deviceToken": device});
    for network in 0..5 {
        let address = format!("203.0.113.{network}");
        post_from(&nobody, &address, "/auth/verify-otp", guess.clone()).await.refused(401, "INVALID_OTP");
    }
    post_from(&nobody, "203.0.113.9", "/auth/verify-otp", guess).await.refused(429, "RATE_LIMITED");
}

#[actix_web::test]
async fn a_token_of_another_phone_does_not_help() {
    let app = spawn().await;
    let (nobody, phone) = (app.anonymous(), new_phone());
    let others = sign_in(&nobody, &new_phone(), None).await["deviceToken"].clone();
    lock_out(&nobody, &phone).await;
    for token in [others, json!("made up")] {
        let body = json!({"phone": phone, "deviceToken": token});
        post_from(&nobody, "203.0.113.99", "/auth/send-otp", body).await.refused(429, "RATE_LIMITED");
    }
}
