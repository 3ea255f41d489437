//! Limits on what one customer may hold at once.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{
    Answer, Client, OnRoad, TestApp,
    bodies::{FLAT_TYRE, id_of, set, vehicle},
    new_phone,
    roadside::PICKUP,
    spawn_admin_with, spawn_app_with, spawn_with_customer,
};

/// Returns bodies of jobs for so many vehicles of the customer.
async fn calls(customer: &Client, count: usize) -> Vec<Value> {
    let mut calls = Vec::new();
    for number in 0..count {
        let plate = format!("KA01AB{:04}", 1000 + number);
        let vehicle = id_of(&customer.post("/vehicles", vehicle(&plate)).await.expect(201));
        let pickup = json!({"pickup_address": "MG Road", "pickup_lat": PICKUP.0, "pickup_lng": PICKUP.1});
        calls.push(set(&set(&pickup, "vehicle_id", json!(vehicle)), "service_category_id", json!(FLAT_TYRE)));
    }
    calls
}

async fn call(customer: &Client, body: &Value) -> Answer {
    customer.post("/jobs", body.clone()).await
}

async fn set_limit(app: &TestApp, customer: &str, most: Value) -> Value {
    let path = format!("/admin/users/{customer}/job-limit");
    app.admin().await.put(&path, json!({ "max_open_jobs": most })).await.expect(200)
}

#[actix_web::test]
async fn a_customer_has_at_most_three_jobs_at_once() {
    let (app, customer) = spawn_with_customer().await;
    let calls = calls(&customer, 8).await;
    let answers = join_all(calls.iter().map(|body| call(&customer, body))).await;
    let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 201);
    assert_eq!(made.len(), 3);
    for answer in refused {
        let body = answer.refused(409, "TOO_MANY_OPEN_JOBS");
        let message = body["error"]["message"].as_str().unwrap();
        assert!(message.contains('3') && message.contains("cancel one"), "{message}");
    }
    // A job that ends makes room for another.
    let cancel = format!("/jobs/{}/cancel", id_of(&made[0].body));
    customer.post(&cancel, json!({"reason_code": "changed_mind"})).await.expect(200);
    let free = calls.iter().find(|body| body["vehicle_id"] == made[0].body["vehicle_id"]).expect("its call");
    call(&customer, free).await.expect(201);
    // Other customers are not held up.
    app.breakdown().await.call().await;
}

#[actix_web::test]
async fn booked_jobs_are_counted_separately() {
    let app = spawn_app_with(|settings| settings.jobs.max_open_per_person = 1).await;
    let customer = app.customer().await;
    let calls = calls(&customer, 4).await;
    let later = (app.service.clock.now() + chrono::TimeDelta::days(2)).to_rfc3339();
    let at_its_time = |body: &Value| set(body, "scheduled_for", json!(later));
    call(&customer, &at_its_time(&calls[0])).await.expect(201);
    call(&customer, &at_its_time(&calls[1])).await.refused(409, "TOO_MANY_OPEN_JOBS");
    call(&customer, &calls[1]).await.expect(201);
    call(&customer, &calls[2]).await.refused(409, "TOO_MANY_OPEN_JOBS");
}

#[actix_web::test]
async fn bookings_whose_time_has_come_still_count() {
    let app = spawn_app_with(|settings| settings.jobs.max_open_per_person = 1).await;
    let customer = app.customer().await;
    let later = (app.service.clock.now() + chrono::TimeDelta::days(2)).to_rfc3339();
    let bookings = calls(&customer, 3).await;
    let bookings: Vec<Value> = bookings.iter().map(|body| set(body, "scheduled_for", json!(later))).collect();
    for booking in &bookings[..2] {
        call(&customer, booking).await.expect(201);
        let begin =
            "update job_facts set begin_at = now() - interval '1 second' where customer_id = $1::uuid";
        sqlx::query(begin).bind(&customer.user_id).execute(&app.database.db).await.unwrap();
    }
    call(&customer, &bookings[2]).await.refused(409, "TOO_MANY_OPEN_JOBS");
}

#[actix_web::test]
async fn admins_raise_a_persons_limit_and_create_jobs_beyond_it() {
    let app = spawn_app_with(|settings| settings.jobs.max_open_per_person = 1).await;
    let (customer, admin) = (app.customer().await, app.admin().await);
    let calls = calls(&customer, 4).await;
    call(&customer, &calls[0]).await.expect(201);
    call(&customer, &calls[1]).await.refused(409, "TOO_MANY_OPEN_JOBS");
    let id = customer.user_id.to_string();
    assert_eq!(set_limit(&app, &id, json!(2)).await["max_open_jobs"], 2);
    call(&customer, &calls[1]).await.expect(201);
    call(&customer, &calls[2]).await.refused(409, "TOO_MANY_OPEN_JOBS");
    admin.post(&format!("/admin/users/{id}/jobs"), calls[2].clone()).await.expect(201);
    assert_eq!(set_limit(&app, &id, Value::Null).await["max_open_jobs"], Value::Null);
    call(&customer, &calls[3]).await.refused(409, "TOO_MANY_OPEN_JOBS");
    for odd in [json!(0), json!(1001), json!("3")] {
        let path = format!("/admin/users/{id}/job-limit");
        admin.put(&path, json!({ "max_open_jobs": odd })).await.refused_field("max_open_jobs");
    }
    let log = admin.get(&format!("/admin/audit-log?action=user.job_limit&object_id={id}")).await.expect(200);
    assert_eq!(log["total"], 2, "{log}");
}

#[actix_web::test]
async fn searching_again_counts_against_the_limit() {
    let mut app = spawn_app_with(|settings| {
        settings.jobs.max_open_per_person = 1;
        settings.dispatch.attempt_ttl_s = 1;
    })
    .await;
    let customer = app.customer().await;
    let calls = calls(&customer, 2).await;
    let mut watcher = app.socket(&customer).await;
    let first = id_of(&call(&customer, &calls[0]).await.expect(201));
    watcher.ask("job.subscribe", json!({"job_id": first})).await.expect("an ack");
    watcher.until_status("no_mechanic_found").await;
    // The second is to stay open.
    app.restart_with(|settings| settings.dispatch.attempt_ttl_s = 3_600).await;
    let customer = customer.at(app.address);
    let second = id_of(&call(&customer, &calls[1]).await.expect(201));
    let retry = format!("/jobs/{first}/retry");
    customer.post(&retry, json!({})).await.refused(409, "TOO_MANY_OPEN_JOBS");
    customer.post(&format!("/jobs/{second}/cancel"), json!({"reason_code": "other"})).await.expect(200);
    customer.post(&retry, json!({})).await.expect(200);
}

/// Cancels a job that was accepted a moment ago, for free or for the fee that the quote named.
async fn accepted_and_cancelled(app: &TestApp, customer: &Client, body: &Value) -> (Value, Value) {
    let admin = app.admin().await;
    let mut mechanic = app.on_road(&admin).await;
    let job = id_of(&call(customer, body).await.expect(201));
    mechanic.accept().await;
    let quote = customer.get(&format!("/jobs/{job}/cancellation-quote")).await.expect(200);
    let agreed = json!({"reason_code": "changed_mind", "quoted_fee": quote["cancellation_fee"]});
    let cancelled = customer.post(&format!("/jobs/{job}/cancel"), agreed).await.expect(200);
    mechanic.go_offline().await;
    (quote, cancelled)
}

#[actix_web::test]
async fn after_the_free_cancellations_the_next_quote_names_a_fee() {
    let app = spawn_app_with(|settings| settings.fees.free_cancellations = 2).await;
    let customer = app.customer().await;
    let body = calls(&customer, 1).await.remove(0);
    for left in [2, 1] {
        let (quote, cancelled) = accepted_and_cancelled(&app, &customer, &body).await;
        assert_eq!(quote["free_cancellations"], json!({"left": left, "most": 2, "days": 7}), "{quote}");
        assert_eq!(
            (&quote["reason"], &cancelled["cancellation_fee"]),
            (&json!("within_free_time"), &json!(0.0))
        );
    }
    let (quote, cancelled) = accepted_and_cancelled(&app, &customer, &body).await;
    assert_eq!((&quote["reason"], &quote["free_until"]), (&json!("free_cancellations_used"), &Value::Null));
    assert_eq!(quote["free_cancellations"]["left"], 0);
    assert_eq!(cancelled["cancellation_fee"], 50.0);
    let owed = customer.get("/payments/unpaid-fees").await.expect(200);
    assert_eq!(owed["data"][0]["cancellation_fee"], 50.0);
    // After those days, they no longer count.
    let older = "update free_cancellations set cancelled_at = cancelled_at - interval '8 days'";
    app.sql(older).await;
    let (quote, cancelled) = accepted_and_cancelled(&app, &customer, &body).await;
    assert_eq!((&quote["reason"], &cancelled["cancellation_fee"]), (&json!("within_free_time"), &json!(0.0)));
}

#[actix_web::test]
async fn a_new_account_does_not_reset_the_free_cancellations() {
    let app = spawn_app_with(|settings| settings.fees.free_cancellations = 1).await;
    let customer = app.customer().await;
    let body = calls(&customer, 1).await.remove(0);
    accepted_and_cancelled(&app, &customer, &body).await;
    customer.delete("/users/me").await.expect(204);
    let anew = app.sign_in(&customer.phone).await;
    assert_ne!(anew.user_id, customer.user_id);
    let body = calls(&anew, 1).await.remove(0);
    let (quote, cancelled) = accepted_and_cancelled(&app, &anew, &body).await;
    assert_eq!(quote["free_cancellations"], json!({"left": 0, "most": 1, "days": 7}), "{quote}");
    assert_eq!(quote["reason"], "free_cancellations_used");
    assert_eq!(cancelled["cancellation_fee"], 50.0);
    let rows: Vec<String> = app.sql_column("select row_to_json(f)::text from free_cancellations f").await;
    assert!(rows.iter().all(|row| !row.contains(customer.phone.trim_start_matches('+'))), "no phone is kept");
}

#[actix_web::test]
async fn only_one_of_two_simultaneous_last_cancellations_is_free() {
    let app = spawn_app_with(|settings| settings.fees.free_cancellations = 1).await;
    let (customer, admin) = (app.customer().await, app.admin().await);
    let calls = calls(&customer, 2).await;
    let mut jobs = Vec::new();
    for body in &calls {
        let mut mechanic = app.on_road(&admin).await;
        jobs.push(id_of(&call(&customer, body).await.expect(201)));
        mechanic.accept().await;
    }
    let why = || json!({"reason_code": "changed_mind"});
    let paths: Vec<String> = jobs.iter().map(|job| format!("/jobs/{job}/cancel")).collect();
    let answers = join_all(paths.iter().map(|path| customer.post(path, why()))).await;
    let (done, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!((done.len(), refused.len()), (1, 1), "nobody agreed to a fee");
    refused.into_iter().for_each(|answer| drop(answer.refused(409, "FEE_CHANGED")));
    assert_eq!(app.sql_value::<i64>("select count(*) from free_cancellations").await, 1);
}

#[actix_web::test]
async fn cancellations_by_admins_and_of_unaccepted_jobs_are_not_counted() {
    let (app, admin) = spawn_admin_with(|settings| settings.fees.free_cancellations = 0).await;
    let scene = app.accepted().await;
    let reason = json!({"reason": "The customer asked for it on the phone"});
    let cancelled = admin.post(&format!("/admin/jobs/{}/cancel", scene.job), reason).await.expect(200);
    assert_eq!(cancelled["cancellation_fee"], 0.0);
    let stranded = app.breakdown_at((PICKUP.0 + 1.0, PICKUP.1)).await;
    let job = id_of(&stranded.call().await);
    stranded.cancel(&job).await;
    assert_eq!(app.sql_value::<i64>("select count(*) from free_cancellations").await, 0);
}

/// Calls for help, and cancels while the mechanic looks at the offer.
async fn offered_and_cancelled(customer: &Client, mechanic: &mut OnRoad, body: &Value) {
    let job = id_of(&call(customer, body).await.expect(201));
    mechanic.offer().await;
    let why = json!({"reason_code": "changed_mind"});
    customer.post(&format!("/jobs/{job}/cancel"), why).await.expect(200);
}

/// Checks that a call came too soon; returns how long to wait, in seconds, and the message of the refusal.
fn to_wait(refused: Answer) -> (u64, String) {
    let seconds = refused.header("retry-after").and_then(|value| value.parse().ok()).expect("seconds");
    let body = refused.refused(429, "RATE_LIMITED");
    (seconds, body["error"]["message"].as_str().expect("a message").to_owned())
}

#[actix_web::test]
async fn people_who_call_and_cancel_wait_before_they_call_again() {
    let app = spawn_app_with(|settings| {
        settings.jobs.max_withdrawn_offers = 2;
        settings.support.phone = "+918001234567".to_owned();
    })
    .await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    let mut mechanic = app.on_road(&admin).await;
    let body = calls(&customer, 1).await.remove(0);
    for _ in 0..2 {
        offered_and_cancelled(&customer, &mut mechanic, &body).await;
    }
    let (seconds, message) = to_wait(call(&customer, &body).await);
    assert!((1..=61).contains(&seconds), "{seconds}");
    assert!(message.contains("You can call again in ") && !message.contains("+918001234567"), "{message}");
    let accident = set(&body, "urgency", json!("accident"));
    let (_, message) = to_wait(call(&customer, &accident).await);
    assert!(message.ends_with("Call +918001234567, and we send help."), "{message}");

    // Another account of the same phone is the same person.
    customer.delete("/users/me").await.expect(204);
    let customer = app.sign_in(&customer.phone).await;
    let body = calls(&customer, 1).await.remove(0);
    to_wait(call(&customer, &body).await);
    // Other customers are not held up, and an admin can help.
    let other = app.customer().await;
    call(&other, &calls(&other, 1).await[0]).await.expect(201);
    let path = format!("/admin/users/{}/jobs", customer.user_id);
    let job = id_of(&admin.post(&path, body.clone()).await.expect(201));
    let reason = json!({"reason": "The customer asked for it on the phone"});
    admin.post(&format!("/admin/jobs/{job}/cancel"), reason).await.expect(200);

    app.service.clock.advance(Duration::from_secs(seconds));
    call(&customer, &body).await.expect(201);
}

#[actix_web::test]
async fn offers_that_are_over_are_not_counted() {
    let app = spawn_app_with(|settings| settings.jobs.max_withdrawn_offers = 1).await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    let mut mechanic = app.on_road(&admin).await;
    let body = calls(&customer, 1).await.remove(0);
    let job = id_of(&call(&customer, &body).await.expect(201));
    let offer = id_of(&mechanic.offer().await);
    mechanic.client.post(&format!("/offers/{offer}/decline"), json!({})).await.expect(200);
    let why = json!({"reason_code": "wait_too_long"});
    customer.post(&format!("/jobs/{job}/cancel"), why).await.expect(200);
    call(&customer, &body).await.expect(201);
}

/// Signs in by a code on a device that has this token; returns the person's client and their device's token.
async fn sign_in_on(app: &TestApp, device: Option<&Value>) -> (Client, Value) {
    let (anyone, phone) = (app.anonymous(), new_phone());
    let sent = anyone.post("/auth/send-otp", json!({"phone": phone})).await.expect(200);
    let mut body = json!({"phone": phone, "otp": sent["data"]["otp"], "name": "Asha Rao"});
    if let Some(token) = device {
        body["deviceToken"] = token.clone();
    }
    let signed_in = anyone.post("/auth/verify-otp", body).await.expect(200);
    let token = signed_in["data"]["accessToken"].as_str().expect("a token");
    (anyone.with_token(token), signed_in["data"]["deviceToken"].clone())
}

#[actix_web::test]
async fn people_of_one_device_are_counted_together() {
    let (app, admin) = spawn_admin_with(|settings| settings.jobs.max_withdrawn_offers = 1).await;
    let mut mechanic = app.on_road(&admin).await;
    let (mut customer, mut device) = sign_in_on(&app, None).await;
    for _ in 0..2 {
        let body = calls(&customer, 1).await.remove(0);
        offered_and_cancelled(&customer, &mut mechanic, &body).await;
        to_wait(call(&customer, &body).await);
        (customer, device) = sign_in_on(&app, Some(&device)).await;
    }
    // The third person on this device has cancelled nothing themself.
    let body = calls(&customer, 1).await.remove(0);
    to_wait(call(&customer, &body).await);
    let (elsewhere, _) = sign_in_on(&app, None).await;
    call(&elsewhere, &calls(&elsewhere, 1).await[0]).await.expect(201);
}
