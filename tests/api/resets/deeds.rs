//! Requests that take effect, for routes whose row in the table is refused early.

use std::sync::atomic::{AtomicU32, Ordering};

use reqwest::Method;
use roadcall::accounts::auth::Role;
use serde_json::json;

use super::giving_up::Request;
use crate::support::{
    Person, TestApp,
    bodies::id_of,
    new_phone,
    roadside::Scene,
    uploads::{photo, presigned},
};

/// Each deed is a state to create and a request to make in it.
pub const DEEDS: [&str; 21] = [
    "POST /auth/send-otp",
    "POST /auth/verify-otp",
    "POST /auth/admin-login",
    "POST /auth/refresh",
    "POST /auth/logout",
    "GET /ws",
    "POST /jobs/estimate",
    "POST /jobs",
    "POST /admin/users",
    "POST /admin/users/{id}/jobs",
    "POST /admin/jobs/{id}/assign",
    "POST /jobs/{id}/en-route",
    "POST /jobs/{id}/arrive",
    "POST /jobs/{id}/start",
    "POST /jobs/{id}/complete",
    "POST /jobs/{id}/cancel",
    "POST /payments/orders",
    "POST /payments/webhook",
    "POST /wallet/withdrawals",
    "POST /notifications/read-all",
    "PUT /uploads/{id}/content",
];

pub async fn prepare(app: &TestApp, admin: &Person, deed: &str) -> Request {
    let place = place();
    let anyone = app.anonymous();
    match deed {
        "POST /auth/send-otp" => Request::post(&anyone, "/auth/send-otp", &json!({"phone": new_phone()})),
        "POST /auth/verify-otp" => {
            let phone = new_phone();
            let sent = anyone.post("/auth/send-otp", json!({"phone": phone})).await.expect(200);
            let body = json!({"phone": phone, "otp": sent["data"]["otp"], "name": "Asha Rao"});
            Request::post(&anyone, "/auth/verify-otp", &body)
        }
        "POST /auth/admin-login" => {
            let email = format!("{}@example.com", app.service.random.id(app.service.clock.now()));
            app.make_admin(&email, Role::Admin).await;
            let token = app.id_token(&email).await;
            Request::post(&anyone, "/auth/admin-login", &json!({"idpIdToken": token}))
        }
        "POST /auth/refresh" => {
            let body = json!({"refreshToken": app.customer().await.refresh_token});
            Request::post(&anyone, "/auth/refresh", &body)
        }
        "POST /auth/logout" => {
            let person = app.customer().await;
            let body = json!({"refreshToken": person.refresh_token, "allDevices": true});
            Request::post(&person, "/auth/logout", &body)
        }
        "GET /ws" => Request::by(&*app.customer().await, Method::GET, "/ws", None)
            .header("connection", "upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        "POST /jobs/estimate" | "POST /jobs" => {
            let stranded = app.breakdown_at(place).await;
            let mut body = stranded.call_body();
            if deed == "POST /jobs/estimate" {
                body.as_object_mut().expect("an object").remove("pickup_address");
                return Request::post(&stranded.client, "/jobs/estimate", &body);
            }
            Request::post(&stranded.client, "/jobs", &body).header("idempotency-key", "k")
        }
        "POST /admin/users" => {
            Request::post(admin, "/admin/users", &json!({"phone": new_phone(), "name": "Asha Rao"}))
        }
        "POST /admin/users/{id}/jobs" => {
            let stranded = app.breakdown_at(place).await;
            let path = format!("/admin/users/{}/jobs", stranded.client.user_id);
            let key = app.service.random.digits(9);
            Request::post(admin, &path, &stranded.call_body()).header("idempotency-key", &key)
        }
        "POST /admin/jobs/{id}/assign" => {
            let stranded = app.breakdown_at(place).await;
            let mechanic = app.verified_mechanic(admin).await;
            let path = format!("/admin/jobs/{}/assign", id_of(&stranded.call().await));
            Request::post(
                admin,
                &path,
                &json!({"mechanic_profile_id": mechanic.profile_id, "override_reason": "nobody else is near"}),
            )
        }
        "POST /wallet/withdrawals" => {
            let mechanic = app.verified_mechanic(admin).await;
            let vpa = format!("ravi{}@okbank", app.service.random.digits(9));
            let account = json!({"vpa": vpa, "holder_name": "Asha Rao"});
            mechanic.client.post("/wallet/upi", account).await.expect(201);
            app.fund(&mechanic.profile_id, 50_000).await;
            Request::post(&mechanic.client, "/wallet/withdrawals", &json!({"amount": 100}))
        }
        "PUT /uploads/{id}/content" => {
            let upload = presigned(&*app.customer().await, "document", &photo()).await;
            let request = Request::by(&anyone, Method::PUT, &upload.put_path, None);
            Request { body: photo(), ..request.header("content-type", "image/jpeg") }
        }
        "POST /payments/webhook" => {
            let event = json!({"event": "invoice.paid", "payload": {"number": app.service.random.digits(9)}});
            let signature = app.service.payments.webhook_keys.sign(event.to_string().as_bytes());
            Request::post(&anyone, "/payments/webhook", &event).header("x-gateway-signature", &signature)
        }
        _ => on_a_job(&app.accepted_at(place).await, deed).await,
    }
}

/// Returns a place out of the reach of everybody else, including people of earlier requests.
fn place() -> (f64, f64) {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    (20.0 + 0.3 * f64::from(number % 40), 70.0 + 0.3 * f64::from(number / 40))
}

async fn on_a_job(scene: &Scene, deed: &str) -> Request {
    let by = &scene.mechanic.client;
    let here = json!({"override_reason": "the receiver is off"});
    match deed {
        "POST /jobs/{id}/en-route" => Request::post(by, &scene.path("/en-route"), &json!({})),
        "POST /jobs/{id}/arrive" => {
            scene.step("en-route", json!({})).await;
            Request::post(by, &scene.path("/arrive"), &here)
        }
        "POST /jobs/{id}/start" => {
            scene.step("en-route", json!({})).await;
            scene.step("arrive", here).await;
            let code = scene.customer.get(&scene.path("")).await.expect(200)["start_code"].clone();
            Request::post(by, &scene.path("/start"), &json!({"start_code": code}))
        }
        "POST /jobs/{id}/complete" => {
            scene.mechanic.drive_and_start(&scene.customer, &scene.job).await;
            Request::post(by, &scene.path("/complete"), &json!({"outcome": "fixed"}))
        }
        "POST /jobs/{id}/cancel" => {
            let why = json!({"reason_code": "changed_mind"});
            Request::post(&scene.customer, &scene.path("/cancel"), &why)
        }
        "POST /notifications/read-all" => {
            Request::post(&scene.customer, "/notifications/read-all", &json!({}))
        }
        "POST /payments/orders" => {
            scene.serve().await;
            Request::post(&scene.customer, "/payments/orders", &json!({"job_id": scene.job}))
        }
        other => panic!("nobody knows how to do {other}"),
    }
}
