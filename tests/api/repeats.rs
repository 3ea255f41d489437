//! POSTs that are sent twice make one object. Each POST takes an `Idempotency-Key`, refuses it, or is listed here with the reason
//! why it needs none.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::support::{
    Answer, Client, OK, Row, TestApp, World, all_rows,
    bodies::{id_of, with},
    document, spawn_wide,
};

/// Reasons why POSTs need no key: a repeat makes nothing. The steps of a job take a key, by which their repeats are answered
/// (`jobs/repeating.rs`).
const NEED_NONE: [(&str, &[&str]); 6] = [
    (
        "It is a step of something that exists: the second time it changes nothing, or is refused.",
        &[
            "/admin/callbacks/{job_id}/done",
            "/admin/grievances/{id}/answer",
            "/admin/jobs/{id}/decide-no-show",
            "/admin/jobs/{id}/decide-tow",
            "/admin/mechanic-changes/{id}/approve",
            "/admin/mechanic-changes/{id}/reject",
            "/admin/mechanics/{id}/reinstate",
            "/admin/mechanics/{id}/reject",
            "/admin/mechanics/{id}/suspend",
            "/admin/mechanics/{id}/verify",
            "/admin/partner-cases/{id}/accept",
            "/admin/partner-cases/{id}/ask-for-call",
            "/admin/partner-cases/{id}/refuse",
            "/admin/partner-contracts/{id}/end",
            "/admin/parked-payments/{id}/dismiss",
            "/admin/parked-payments/{id}/refund",
            "/admin/place-requests/{id}/use",
            "/admin/settlements/{id}/mark-paid",
            "/admin/users/{id}/reinstate",
            "/admin/users/{id}/suspend",
            "/admin/withdrawals/{id}/mark-failed",
            "/admin/withdrawals/{id}/mark-paid",
            "/admin/webhook-events/{id}/dismiss",
            "/admin/webhook-events/{id}/replay",
            "/calls/{id}/accept",
            "/calls/{id}/end",
            "/calls/{id}/reject",
            "/jobs/{id}/messages/read",
            "/notifications/read-all",
            "/notifications/{id}/read",
            "/offers/{id}/seen",
            "/partner/subscriptions/{id}/verify",
            "/partner/offers/{id}/confirm",
            "/partner/offers/{id}/withdraw",
            "/partner/cases/{id}/close",
            "/partner/jobs/{id}/promise/accept",
            "/payments/verify",
            "/payments/{id}/cash-confirm",
            "/place-requests/{token}",
            "/shares/{token}/calls/{id}/accept",
            "/shares/{token}/calls/{id}/end",
            "/shares/{token}/calls/{id}/reject",
            "/shares/{token}/cash-confirm",
            "/shares/{token}/line-items/{id}/approve",
            "/shares/{token}/line-items/{id}/reject",
            "/uploads/{id}/complete",
            "/users/me/email/confirm",
            "/wallet/upi/{upiAccountId}/approve",
            "/wallet/upi/{upiAccountId}/default",
            "/wallet/upi/{upiAccountId}/reject",
            "/wallet/upi/{upiAccountId}/verify",
        ],
    ),
    (
        "The body names what is made: a phone number, a period, a message, a device, a point of a way, an upload.",
        &[
            "/admin/organisations/{id}/members",
            "/admin/settlements/run",
            "/admin/users",
            "/jobs/{id}/messages",
            "/mechanics/me/location",
            "/notifications/push-tokens",
            "/partner/cases/{id}/documents",
            "/partner/drivers/import",
            "/partner/offers",
            "/partner/vehicles/import",
            "/shares/{token}/messages",
        ],
    ),
    (
        "It computes, passes on or sends something, and stores none of it beyond minutes.",
        &[
            "/admin/users/{id}/jobs/estimate",
            "/jobs/estimate",
            "/jobs/{id}/calls/token",
            "/partner/coverage",
            "/partner/subscriptions/{id}/test",
            "/super-admin/mail/test",
            "/super-admin/push/test",
            "/super-admin/sms/test",
            "/shares/{token}/calls/token",
            "/shares/{token}/calls/{id}/signal",
            "/users/me/email",
            "/ws/ticket",
        ],
    ),
    (
        "It signs somebody in or out: each code, token and invitation counts once.",
        &[
            "/auth/accept-invite",
            "/auth/admin-login",
            "/auth/admin-sign-in",
            "/auth/admin-sign-in/complete",
            "/auth/logout",
            "/auth/refresh",
            "/auth/send-otp",
            "/auth/verify-otp",
            "/idp/second-factor",
            "/idp/second-factor/confirm",
            "/idp/token",
        ],
    ),
    (
        "Its sender is a program that has names of its own for what it repeats.",
        &["/payments/webhook", "/trackers/osmand", "/trackers/owntracks"],
    ),
    (
        "No production has it.",
        &["/demo/play", "/demo/sign-in", "/demo/stop", "/sandbox/gateway/orders/{gateway_order_id}/pay"],
    ),
];

/// Returns the path of every POST whose operation meets the condition.
fn posts(is_wanted: impl Fn(&Value) -> bool) -> BTreeSet<&'static str> {
    let posts = document::operations().into_iter().filter(|(_, method, _)| method == "POST");
    posts.filter(|&(.., operation)| is_wanted(operation)).map(|(path, ..)| path).collect()
}

fn takes_key(operation: &Value) -> bool {
    let mut declared = operation["parameters"].as_array().into_iter().flatten();
    declared.any(|one| one["$ref"] == "#/components/parameters/IdempotencyKey")
}

fn refuses_key(operation: &Value) -> bool {
    let described = operation["responses"]["422"]["description"].as_str();
    described.is_some_and(|why| why.contains("also for an Idempotency-Key: "))
}

fn row_of(path: &str) -> &'static Row {
    let row = all_rows().find(|row| row.route == format!("POST {path}"));
    row.unwrap_or_else(|| panic!("POST {path} has no row in the table"))
}

/// Returns the column of the first caller who may call it.
fn column_of(row: &Row) -> usize {
    row.expected.iter().position(|expected| *expected == OK).expect("someone is allowed")
}

async fn post(client: &Client, path: &str, key: &str, body: Option<&Value>) -> Answer {
    let request = |request: reqwest::RequestBuilder| {
        let request = request.header("idempotency-key", key);
        match body {
            Some(body) => request.json(body),
            None => request,
        }
    };
    client.send_as(reqwest::Method::POST, path, request).await
}

#[test]
fn every_post_takes_a_key_refuses_it_or_needs_none() {
    let (taking, refusing) = (posts(takes_key), posts(refuses_key));
    let needless: Vec<&str> = NEED_NONE.iter().flat_map(|(_, paths)| *paths).copied().collect();
    let named: Vec<&str> = taking.iter().chain(&refusing).copied().chain(needless).collect();
    let once: BTreeSet<&str> = named.iter().copied().collect();
    assert_eq!(once.len(), named.len(), "a POST is of one kind only: {named:?}");
    let all = posts(|_| true);
    let forgotten: Vec<_> = all.difference(&once).collect();
    let stale: Vec<_> = once.difference(&all).collect();
    assert!(forgotten.is_empty() && stale.is_empty(), "not decided: {forgotten:?}; gone: {stale:?}");
}

/// Checks that a malformed key is refused by POSTs that read keys, and any key by those that take none.
#[actix_web::test]
async fn every_post_that_makes_something_checks_the_key() {
    let app = spawn_wide().await;
    let (world, nobody) = (World::new(&app).await, app.anonymous());
    let (taking, refusing) = (posts(takes_key), posts(refuses_key));
    assert!(taking.len() > 20 && refusing.len() > 5, "the search itself is broken");
    for (paths, key) in [(taking, ""), (refusing, "a-key")] {
        for path in paths {
            let row = row_of(path);
            let client: &Client = world.caller(column_of(row)).map_or(&nobody, |person| person);
            let body = row.body.map(|body| body());
            post(client, &world.path(row).await, key, body.as_ref()).await.refused_field("Idempotency-Key");
        }
    }
}

/// POSTs that are sent twice with a key, and the tables of their objects. The other POSTs that take a key are tested with
/// their areas.
const MADE: [(&str, &str); 13] = [
    ("/admin/organisations", "organisations"),
    ("/admin/users/{id}/vehicles", "vehicles"),
    ("/admin/workshops", "workshops"),
    ("/jobs/{id}/calls", "calls"),
    ("/jobs/{id}/photos", "job_photos"),
    ("/jobs/{id}/rating", "ratings"),
    ("/mechanics/me/documents", "mechanic_documents"),
    ("/mechanics/register", "mechanic_profiles"),
    ("/partner/drivers", "partner_drivers"),
    ("/service-categories", "service_categories"),
    ("/super-admin/privacy-notices", "privacy_notices"),
    ("/vehicles", "vehicles"),
    ("/wallet/upi", "upi_accounts"),
];

async fn count(app: &TestApp, table: &str) -> i64 {
    let counted = AssertSqlSafe(format!("select count(*) from {table}"));
    sqlx::query_scalar(counted).fetch_one(&app.database.db).await.expect("a count")
}

#[actix_web::test]
async fn a_repeated_key_makes_one_object_and_gets_the_same_answer() {
    let app = spawn_wide().await;
    let world = World::new(&app).await;
    for (path, table) in MADE {
        let row = row_of(path);
        let column = column_of(row);
        let newcomer = if row.ends_caller { Some(world.someone_like(column).await) } else { None };
        let person = newcomer.as_ref().or_else(|| world.caller(column)).expect("somebody");
        let path = world.path(row).await;
        let mut body = row.body.expect("it has a body")();
        if table == "privacy_notices" {
            body = with(&body, "/follows", json!(0));
        }
        let before = count(&app, table).await;
        let first = post(person, &path, "twice", Some(&body)).await.expect(201);
        let second = post(person, &path, "twice", Some(&body)).await.expect(201);
        let named = |made: &Value| [made["id"].clone(), made["version"].clone()];
        assert_eq!(named(&first), named(&second), "{path}");
        assert_ne!(named(&first), [Value::Null, Value::Null], "{path}: {first}");
        assert_eq!(count(&app, table).await - before, 1, "{path}");
        // Another body under the key is a mistake of its sender.
        let other = json!({});
        if body != other {
            post(person, &path, "twice", Some(&other)).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
        }
        assert_eq!(count(&app, table).await - before, 1, "{path}");
    }
}

#[actix_web::test]
async fn a_key_belongs_to_one_person_and_does_not_recreate_deleted_objects() {
    let app = spawn_wide().await;
    let scene = app.accepted().await;
    let body = json!({"stage": "before", "file_url": "https://files.example/a.jpg"});
    let (customer, photos) = (&scene.customer, scene.path("/photos"));
    let first = post(customer, &photos, "photo", Some(&body)).await.expect(201);
    post(&scene.mechanic.client, &photos, "photo", Some(&body)).await.expect(201);
    customer.delete(&format!("{photos}/{}", id_of(&first))).await.expect(204);
    post(customer, &photos, "photo", Some(&body)).await.refused(404, "NOT_FOUND");
    assert_eq!(count(&app, "job_photos").await, 1, "the mechanic's alone");
}

#[actix_web::test]
async fn a_message_that_is_sent_twice_is_stored_once() {
    let app = spawn_wide().await;
    let scene = app.accepted().await;
    let body = json!({
        "client_message_id": "019ceb79-1a20-7b20-9e32-000000000001", "type": "text", "body": "Behind the barrier",
    });
    let first = post(&scene.customer, &scene.path("/messages"), "message", Some(&body)).await.expect(201);
    let second = post(&scene.customer, &scene.path("/messages"), "message", Some(&body)).await.expect(200);
    assert_eq!(first["id"], second["id"]);
    assert_eq!(count(&app, "chat_messages").await, 1);
}
