use roadcall::money::payments::{
    actions::webhooks::{self, EventOutcome},
    inbox::{NewEvent, PendingEvent},
};
use serde_json::{Value, json};

use super::{completed, event, ids_of, order, spawn_ordered};
use crate::support::{
    AssertFields, bodies::id_of, spawn_admin_with, spawn_app, spawn_app_behind, spawn_app_with, until_fits,
};

const SECRET: &str = "whsec of a test";

fn with_secret(settings: &mut roadcall::service::settings::Settings) {
    settings.gateway.webhook_secret.0 = SECRET.to_owned();
}

#[actix_web::test]
async fn an_unreadable_body_is_400_and_an_unsigned_one_401() {
    let app = spawn_app_with(with_secret).await;
    let bomb = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    let nested = format!(r#"{{"event":"a","payload":{{"a":{}1{}}}}}"#, "[".repeat(500), "]".repeat(500));
    for body in [
        "",
        " ",
        "{",
        "null",
        "[]",
        "17",
        "\"event\"",
        "{}",
        r#"{"event":"payment.captured"}"#,
        r#"{"payload":{}}"#,
        r#"{"event":1,"payload":{}}"#,
        r#"{"event":"a","payload":[]}"#,
        r#"{"event":"a","payload":null}"#,
        bomb.as_str(),
        nested.as_str(),
    ] {
        let signature = app.service.payments.webhook_keys.sign(body.as_bytes());
        let answer = app.anonymous().webhook(body.to_owned(), &[("x-gateway-signature", &signature)]).await;
        answer.refused(400, "BAD_REQUEST");
    }
    app.anonymous().webhook(vec![0xff_u8, 0xfe], &[]).await.refused(400, "BAD_REQUEST");
    let body = r#"{"event":"payment.captured","payload":{}}"#;
    for signature in ["", "00", "zz", &"0".repeat(64)] {
        let answer = app.anonymous().webhook(body, &[("x-gateway-signature", signature)]).await;
        answer.refused(401, "SIGNATURE_INVALID");
    }
    app.anonymous().webhook(body, &[]).await.refused(401, "SIGNATURE_INVALID");
    let stored = app.admin().await.get("/admin/webhook-events").await.expect(200);
    assert_eq!(stored["total"], 0, "none of these is stored");
}

#[actix_web::test]
async fn signed_bodies_are_read_in_every_spelling_of_json() {
    let app = spawn_app_with(with_secret).await;
    let scene = completed(&app).await;
    let made = order(&scene).await;
    let paid = event("payment.captured", "pay_odd", ids_of(&made).1, 29_900, "captured");
    let deep = format!("{}0{}", "[".repeat(100), "]".repeat(100));
    let body = paid
        .to_string()
        .replace("29900", "2.9900e4")
        .replace(r#""method""#, &format!(r#""note":"\ud83d \u0000 half a car","deep":{deep},"method""#));
    let body = format!("\u{feff}{body}");
    assert!(body.contains("2.9900e4") && body.contains("half a car"), "{body}");
    let signature = app.service.payments.webhook_keys.sign(body.as_bytes());
    let answer = app.anonymous().webhook(body, &[("x-gateway-signature", &signature)]).await;
    assert_eq!(answer.expect(200)["status"], "ok");
    assert_eq!(scene.customer.get(&scene.path("")).await.expect(200)["status"], "paid");
    // A body that cannot be read is refused with the reason.
    for (body, why) in [
        (r#"{"event":"a","payload":{"a":1e400}}"#, "number out of range"),
        (r#"{"event":"a"}"#, "has no payload"),
    ] {
        let signature = app.service.payments.webhook_keys.sign(body.as_bytes());
        let answer = app.anonymous().webhook(body, &[("x-gateway-signature", &signature)]).await;
        answer.refused_saying(400, "BAD_REQUEST", why);
    }
}

#[actix_web::test]
async fn a_large_event_is_accepted_and_stored_in_part() {
    let app = spawn_app().await;
    let send = async |length: usize| {
        let body = format!(r#"{{"event":"a","payload":{{"x":"{}"}}}}"#, "x".repeat(length));
        let signature = app.service.payments.webhook_keys.sign(body.as_bytes());
        app.anonymous().webhook(body, &[("x-gateway-signature", &signature)]).await
    };
    for length in [70_000, 1_048_576, 4_000_000] {
        assert_eq!(send(length).await.expect(200)["status"], "ignored", "{length}");
        assert_eq!(send(length).await.expect(200)["status"], "duplicate", "{length}");
    }
    send(4_194_304).await.refused(400, "BAD_REQUEST");
    // The service reads no large body from a stranger.
    let nonsense = app.anonymous().webhook("[".repeat(70_000), &[("x-gateway-signature", "00")]).await;
    nonsense.refused(401, "SIGNATURE_INVALID");
    let kept: i32 = app.sql_value("select max(length(body)) from webhook_events").await;
    assert!(kept < 3_000, "{kept}");
}

#[actix_web::test]
async fn an_event_with_any_name_is_accepted_and_stored_in_part() {
    let app = spawn_app().await;
    let long = "x".repeat(5_000);
    let cut = "x".repeat(200);
    for (sent, kept) in [("", "(no name)"), ("pay\u{0}ment\n", "pay\u{fffd}ment\u{fffd}"), (&long, &cut)] {
        let answer = app.webhook(&json!({"event": sent, "payload": {}})).await;
        assert_eq!(answer.expect(200)["status"], "ignored", "{sent:?}");
        let events = app.admin().await.get("/admin/webhook-events?limit=1").await.expect(200);
        events.assert_fields(json!({"data/0/event": kept, "data/0/status": "ignored"}));
    }
}

#[actix_web::test]
async fn a_payment_in_an_unknown_status_ends_dead_where_admins_see_it() {
    let app = spawn_app_with(|settings| settings.gateway.inbox_attempts = 1).await;
    let (scene, admin) = (completed(&app).await, app.admin().await);
    let made = order(&scene).await;
    let order_id = made["gateway_order_id"].as_str().unwrap();
    let odd = event("payment.captured", "pay_odd", order_id, 29_900, "settled");
    assert_eq!(app.webhook(&odd).await.expect(200)["status"], "error");
    let events = admin.get("/admin/webhook-events?status=dead").await.expect(200);
    let why = events["data"][0]["last_error"].as_str().expect("a reason");
    assert!(why.contains("pay_odd") && why.contains("settled"), "{why}");
    assert_eq!(admin.get("/admin/live").await.expect(200)["waiting"]["dead_webhooks"], 1);
    let replay = format!("/admin/webhook-events/{}/replay", id_of(&events["data"][0]));
    assert_eq!(admin.post(&replay, json!({})).await.expect(200)["status"], "dead");
    assert_eq!(scene.customer.get(&scene.path("")).await.expect(200)["status"], "completed");
    let known = event("payment.captured", "pay_odd", order_id, 29_900, "captured");
    assert_eq!(app.webhook(&known).await.expect(200)["status"], "ok");
    assert_eq!(scene.customer.get(&scene.path("")).await.expect(200)["status"], "paid");
}

#[actix_web::test]
async fn business_failures_are_answered_with_200_and_an_error_status() {
    let app = spawn_app_with(with_secret).await;
    let status = async |event: Value| app.webhook(&event).await.expect(200)["status"].take();
    assert_eq!(status(json!({"event": "invoice.paid", "payload": {}})).await, "ignored");
    assert_eq!(status(json!({"event": "invoice.paid", "payload": {}})).await, "duplicate");
    assert_eq!(status(json!({"event": "payment.captured", "payload": {}})).await, "error");
    let unknown = event("payment.captured", "pay_1", "order_of_nobody", 100, "captured");
    assert_eq!(status(unknown).await, "error");
    let admin = app.admin().await;
    let parked = admin.get("/admin/parked-payments").await.expect(200);
    assert_eq!(parked["data"][0]["reason"], "unknown_order");
    let events = admin.get("/admin/webhook-events?status=pending").await.expect(200);
    assert_eq!((&events["total"], &events["data"][0]["attempts"]), (&json!(1), &json!(1)));
}

#[actix_web::test]
async fn a_repeat_is_recognised_by_its_event_id_or_else_by_its_body() {
    let app = spawn_app().await;
    let body = json!({"event": "invoice.paid", "payload": {}}).to_string();
    let signature = app.service.payments.webhook_keys.sign(body.as_bytes());
    let send = async |id: &str| {
        let mut headers = vec![("x-gateway-signature", signature.as_str())];
        headers.extend((!id.is_empty()).then_some(("x-gateway-event-id", id)));
        app.anonymous().webhook(body.clone(), &headers).await.expect(200)["status"].take()
    };
    for (id, expected) in [
        ("evt_1", "ignored"),
        ("evt_1", "duplicate"),
        ("evt_2", "ignored"),
        ("", "ignored"),
        ("", "duplicate"),
    ] {
        assert_eq!(send(id).await, expected, "{id}");
    }
}

#[actix_web::test]
async fn a_wrong_amount_or_currency_is_parked_and_never_paid() {
    let (app, scene, made) = spawn_ordered().await;
    let order_id = made["gateway_order_id"].as_str().unwrap();
    let short = event("payment.captured", "pay_short", order_id, 29_899, "captured");
    assert_eq!(app.webhook(&short).await.expect(200)["status"], "error");
    let mut foreign = event("payment.captured", "pay_usd", order_id, 29_900, "captured");
    foreign["payload"]["payment"]["entity"]["currency"] = json!("USD");
    assert_eq!(app.webhook(&foreign).await.expect(200)["status"], "error");
    let parked = app.admin().await.column("/admin/parked-payments", "reason").await;
    assert_eq!(parked.len(), 2, "{parked:?}");
    for reason in ["wrong_amount", "wrong_currency"] {
        assert!(parked.contains(&json!(reason)), "{reason}: {parked:?}");
    }
    assert_eq!(scene.customer.get(&scene.path("")).await.expect(200)["status"], "completed");
    assert_eq!(app.sound_ledger().await.transactions, 0);
}

#[actix_web::test]
async fn a_failed_event_is_retried_then_dead_and_an_admin_replays_it() {
    let (app, admin) = spawn_admin_with(|settings| {
        settings.gateway.inbox_attempts = 2;
        settings.gateway.inbox_retry_s = 1;
        settings.limits.per_user_per_minute = 1_000_000;
    })
    .await;
    // This is a refund of a payment that neither the service nor the gateway knows.
    let early = json!({"event": "refund.created", "payload": {"refund": {"entity": {
        "id": "rfnd_1", "payment_id": "pay_unheard", "amount": 100, "currency": "INR", "status": "pending"}}}});
    assert_eq!(app.webhook(&early).await.expect(200)["status"], "error");
    let until_dead = async || {
        let ask = async || admin.list("/admin/webhook-events?status=dead").await;
        until_fits("the event is dead", ask, |dead| !dead.is_empty()).await.remove(0)
    };
    let dead = until_dead().await;
    assert_eq!((&dead["attempts"], &dead["next_try_at"]), (&json!(2), &Value::Null));
    assert!(dead["last_error"].is_string());
    let replay = format!("/admin/webhook-events/{}/replay", dead["id"].as_str().unwrap());
    let replayed = admin.post(&replay, json!({})).await.expect(200);
    // It is tried at once, by the request or by the worker; a failure is retried as often as the first time.
    assert_eq!(replayed["status"], "pending");
    assert_eq!(until_dead().await["attempts"], 2);
    let dismiss = replay.replace("replay", "dismiss");
    let why = json!({"reason": "a test in the dashboard"});
    assert_eq!(admin.post(&dismiss, why.clone()).await.expect(200)["status"], "ignored");
    admin.post(&dismiss, why).await.refused(409, "INVALID_TRANSITION");
    assert_eq!(admin.get("/admin/live").await.expect(200)["waiting"]["dead_webhooks"], 0);
}

#[actix_web::test]
async fn the_previous_secret_is_good_while_the_new_one_is_rolled_out() {
    let mut app = spawn_app_with(with_secret).await;
    let body = r#"{"event":"invoice.paid","payload":{}}"#;
    let old = app.service.payments.webhook_keys.sign(body.as_bytes());
    app.restart_with(|settings| {
        settings.gateway.webhook_secret_previous.0 = SECRET.to_owned();
        settings.gateway.webhook_secret.0 = "another secret".to_owned();
    })
    .await;
    assert_ne!(app.service.payments.webhook_keys.sign(body.as_bytes()), old);
    app.anonymous().webhook(body, &[("x-gateway-signature", &old)]).await.expect(200);
    app.restart_with(|settings| settings.gateway.webhook_secret_previous.0.clear()).await;
    let answer = app.anonymous().webhook(body, &[("x-gateway-signature", &old)]).await;
    answer.refused(401, "SIGNATURE_INVALID");
}

#[actix_web::test]
async fn an_event_that_cannot_be_stored_is_503_so_that_it_is_sent_again() {
    let (app, wire) = spawn_app_behind(|settings| settings.database.acquire_timeout_ms = 300).await;
    wire.cut();
    let unstored = app.webhook(&json!({"event": "invoice.paid", "payload": {}})).await;
    assert_eq!(unstored.status, 503, "{}", unstored.text);
    wire.mend();
    let send = async || app.webhook(&json!({"event": "invoice.paid", "payload": {}})).await;
    let stored = until_fits("it is stored", send, |answer| answer.status == 200).await;
    assert_eq!(stored.body["status"], "ignored");
}

#[actix_web::test]
async fn personal_data_in_a_webhook_is_neither_kept_nor_shown() {
    let app = spawn_app().await;
    let (scene, admin) = (completed(&app).await, app.admin().await);
    let made = order(&scene).await;
    let order_id = made["gateway_order_id"].as_str().unwrap();
    let personal = ["+919876500001", "asha.rao@example.com", "asha@okbank", "Asha Rao"];
    for (attempt, paise) in [("pay_asha", 29_900), ("pay_of_nobody", 1)] {
        let mut event = event("payment.captured", attempt, order_id, paise, "captured");
        let entity = &mut event["payload"]["payment"]["entity"];
        entity["contact"] = json!(personal[0]);
        entity["email"] = json!(personal[1]);
        entity["vpa"] = json!(personal[2]);
        entity["card"] = json!({"name": personal[3], "last4": "1111"});
        app.webhook(&event).await.expect(200);
    }
    // The same holds for an event that waits for a retry.
    let broken =
        json!({"event": "payment.captured", "payload": {"payment": {"entity": {"email": personal[1]}}}});
    app.webhook(&broken).await.expect(200);
    let listed = admin.get("/admin/webhook-events").await;
    let csv = admin.get("/admin/webhook-events?format=csv").await;
    let kept: Vec<String> = app.sql_column("select body from webhook_events").await;
    assert_eq!(kept.len(), 3);
    for text in [listed.text.as_str(), csv.text.as_str(), &kept.concat()] {
        assert!(text.contains("pay_asha") && text.contains("1111"), "{text}");
        for personal in personal {
            assert!(!text.contains(personal), "{personal}: {text}");
        }
    }
    assert_eq!(scene.customer.get(&scene.path("")).await.expect(200)["status"], "paid");
}

#[actix_web::test]
async fn a_dismissed_event_keeps_no_name() {
    let (app, admin) = spawn_admin_with(|settings| settings.gateway.inbox_attempts = 1).await;
    // Without an id it cannot be processed.
    let broken = json!({"event": "fund_account.validation.completed", "payload": {"fund_account.validation": {
        "entity": {"status": "completed", "results": {"account_status": "active", "registered_name": "Asha Rao"}}}}});
    assert_eq!(app.webhook(&broken).await.expect(200)["status"], "error");
    let events = admin.get("/admin/webhook-events?status=dead").await.expect(200);
    let dismiss = format!("/admin/webhook-events/{}/dismiss", id_of(&events["data"][0]));
    admin.post(&dismiss, json!({"reason": "a test in the dashboard"})).await.expect(200);
    let kept: String = app.sql_value("select body from webhook_events").await;
    assert!(kept.contains("registered_name") && !kept.contains("Asha Rao"), "{kept}");
}

#[actix_web::test]
async fn an_event_without_news_is_settled_without_locking_its_job() {
    let app = spawn_app().await;
    let (scene, admin) = (completed(&app).await, app.admin().await);
    let made = order(&scene).await;
    let order_id = made["gateway_order_id"].as_str().unwrap();
    let mut sent = 0;
    let mut send = async |kind: &str, status: &str| {
        let mut event = event(kind, "pay_told_twice", order_id, 29_900, status);
        sent += 1;
        event["number"] = json!(sent);
        app.webhook(&event).await.expect(200)["status"].clone()
    };
    assert_eq!(send("payment.captured", "captured").await, "ok");
    let mut holder = app.database.db.begin().await.unwrap();
    let locks = "select from jobs j, payments p where p.job_id = j.id for update";
    sqlx::query(locks).execute(&mut *holder).await.unwrap();
    for (kind, status) in
        [("payment.authorized", "authorized"), ("order.paid", "captured"), ("payment.failed", "failed")]
    {
        assert_eq!(send(kind, status).await, "ok", "{kind}");
    }
    let settled = admin.list("/admin/webhook-events?status=processed").await;
    assert_eq!(settled.len(), 4);
    assert!(
        settled.iter().all(|event| event["attempts"] == 1 && !event["settled_at"].is_null()),
        "{settled:?}"
    );
    holder.rollback().await.unwrap();
    assert_eq!(scene.customer.get(&scene.path("")).await.expect(200)["status"], "paid");
    assert_eq!(app.sound_ledger().await.transactions, 1);
}

#[actix_web::test]
async fn an_old_event_that_another_server_is_processing_is_left_to_it() {
    let (app, _scene, made) = spawn_ordered().await;
    let order_id = made["gateway_order_id"].as_str().unwrap();
    let captured = event("payment.captured", "pay_there", order_id, 29_900, "captured");
    app.webhook(&captured).await.expect(200);
    let payments = &app.service.payments;
    let (id, at) = (app.service.random.id(app.now()), app.now());
    let event = PendingEvent { id, event: "payment.captured".to_owned(), body: captured.to_string() };
    let new = NewEvent { event: event.clone(), event_id: "once more".to_owned(), at };
    let claim = payments.inbox.claim(id).expect("a new event is unclaimed");
    payments.inbox.store(new).await.expect("stored");
    let mut other = app.database.db.begin().await.unwrap();
    let lock = "select from webhook_events where id = $1 for update";
    sqlx::query(lock).bind(id).execute(&mut *other).await.unwrap();
    assert_eq!(webhooks::process(payments, &claim, &event).await, EventOutcome::TakenElsewhere);
    other.rollback().await.unwrap();
    assert_eq!(webhooks::process(payments, &claim, &event).await, EventOutcome::Processed);
    assert_eq!(webhooks::process(payments, &claim, &event).await, EventOutcome::TakenElsewhere, "once");
}
