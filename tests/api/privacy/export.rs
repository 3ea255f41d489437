use serde_json::{Value, json};

use super::{BENEFICIARY, Life, PUSH_TOKEN, VPA, lived};
use crate::support::{Client, bodies::id_of, roadside::Scene, spawn_app, spawn_app_with};

async fn export(person: &Client) -> Value {
    let answer = person.get("/users/me/export").await;
    let named = answer.header("content-disposition");
    assert_eq!(named, Some("attachment; filename=\"roadcall-export.json\""));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    answer.expect(200)
}

async fn listed(person: &Client, path: &str) -> Value {
    person.get(path).await.expect(200)["data"].take()
}

fn ids(list: &Value) -> Vec<&Value> {
    list.as_array().expect("a list").iter().map(|row| &row["id"]).collect()
}

/// Returns the digits of a phone number, without its country.
fn digits(phone: &str) -> &str {
    &phone[3..]
}

/// Checks that everything in the lists of the interface is in the person's export, in the same form.
async fn holds_what_the_lists_show(person: &Client, scene: &Scene, export: &Value) {
    for (field, path) in [
        ("sessions", "/auth/sessions".to_owned()),
        ("vehicles", "/vehicles".to_owned()),
        ("jobs", "/jobs?limit=100".to_owned()),
        ("line_items", scene.path("/line-items")),
        ("payments", "/payments?limit=100".to_owned()),
        ("calls", scene.path("/calls")),
        ("fees", "/payments/unpaid-fees".to_owned()),
    ] {
        assert_eq!(export[field], listed(person, &path).await, "{field}");
    }
    let photos = listed(person, &scene.path("/photos")).await;
    assert_eq!(ids(&export["job_photos"]), ids(&photos));
    assert_eq!(export["job_photos"][0]["job_id"], scene.job.as_str());
    let shown = listed(person, "/notifications?limit=100").await;
    assert_eq!(ids(&export["notifications"]), ids(&shown));
    assert!(!ids(&shown).is_empty());
    for (field, path) in [
        ("user", "/users/me".to_owned()),
        ("notification_preferences", "/notifications/preferences".to_owned()),
    ] {
        assert_eq!(export[field], person.get(&path).await.expect(200), "{field}");
    }
    assert_eq!(export["disputes"], json!([person.get(&scene.path("/dispute")).await.expect(200)]));
    for (field, length) in [("jobs", 1), ("line_items", 1), ("job_photos", 1), ("payments", 1)] {
        assert_eq!(ids(&export[field]).len(), length, "{field}");
    }
    assert_eq!(export["truncated"], json!([]));
}

#[actix_web::test]
async fn people_export_all_of_their_own_data_and_not_the_others_phone() {
    let app = spawn_app().await;
    let Life { scene, share_token, offer, upload_id } = lived(&app).await;
    let (customer, mechanic) = (&scene.customer, &scene.mechanic.client);
    let both = customer.get(&scene.path("/ratings")).await.expect(200);
    customer.post(&scene.path("/calls"), json!({})).await.expect(201);

    let of_customer = export(customer).await;
    holds_what_the_lists_show(customer, &scene, &of_customer).await;
    assert_eq!(of_customer["user"]["phone"], customer.phone.as_str());
    assert_eq!(of_customer["jobs"][0]["beneficiary_phone"], BENEFICIARY, "the customer's own word");
    assert_eq!(ids(&of_customer["uploads"]), [&json!(upload_id)]);
    assert_eq!(of_customer["share_links"], listed(customer, &scene.path("/shares")).await);
    assert_eq!(of_customer["share_links"].as_array().map(Vec::len), Some(1));
    assert_eq!(of_customer["push_devices"][0]["device_id"], "pixel-7");
    assert_eq!(of_customer["ratings"]["given"], json!([both["by_customer"]]));
    assert_eq!(of_customer["ratings"]["received"], json!([both["by_mechanic"]]));
    for (field, empty) in [
        ("mechanic_profile", Value::Null),
        ("wallet", Value::Null),
        ("last_position", Value::Null),
        ("positions", json!([])),
        ("offers", json!([])),
    ] {
        assert_eq!(of_customer[field], empty, "{field}");
    }

    let of_mechanic = export(mechanic).await;
    holds_what_the_lists_show(mechanic, &scene, &of_mechanic).await;
    assert_eq!(of_mechanic["jobs"][0]["beneficiary_phone"], Value::Null, "the customer's alone");
    assert_eq!(of_mechanic["mechanic_profile"], mechanic.get("/mechanics/me").await.expect(200));
    let documents = listed(mechanic, "/mechanics/me/documents").await;
    assert_eq!(of_mechanic["mechanic_profile"]["documents"], documents);
    assert_eq!(of_mechanic["disputes"], listed(mechanic, "/wallet/disputes").await);
    assert_eq!(ids(&of_mechanic["offers"]), [&offer["id"]]);
    assert_eq!(of_mechanic["offers"][0]["status"], "accepted");
    assert_eq!(of_mechanic["ratings"]["given"], json!([both["by_mechanic"]]));
    assert_eq!(of_mechanic["ratings"]["received"], json!([both["by_customer"]]));
    assert_eq!(of_mechanic["wallet"]["balances"], mechanic.get("/wallet").await.expect(200));
    assert!(of_mechanic["wallet"]["balances"]["held"].as_f64() > Some(0.0), "{}", of_mechanic["wallet"]);
    assert_eq!(of_mechanic["wallet"]["accounts"], listed(mechanic, "/wallet/upi").await);
    assert_eq!(of_mechanic["wallet"]["accounts"][0]["vpa"], VPA);
    let lines = listed(mechanic, "/wallet/transactions?limit=100").await;
    assert_eq!(of_mechanic["wallet"]["transactions"], lines);
    assert_eq!(of_mechanic["positions"][0]["job_id"], scene.job.as_str());
    for field in ["uploads", "share_links", "push_devices"] {
        assert_eq!(of_mechanic[field], json!([]), "{field}");
    }

    let (of_customer, of_mechanic) = (of_customer.to_string(), of_mechanic.to_string());
    assert!(!of_customer.contains(digits(&mechanic.phone)) && !of_customer.contains("Kumar"));
    for other in [digits(&customer.phone), digits(BENEFICIARY), "Asha"] {
        assert!(!of_mechanic.contains(other), "{other} in {of_mechanic}");
    }
    for secret in [PUSH_TOKEN, &share_token, "hash", "refresh"] {
        assert!(!of_customer.contains(secret), "{secret} in {of_customer}");
    }
}

#[actix_web::test]
async fn exports_of_strangers_and_admins_have_none_of_the_data() {
    let app = spawn_app().await;
    let Life { scene, .. } = lived(&app).await;
    let (stranger, admin) = (app.customer().await, app.admin().await);
    for person in [&*stranger, &*admin] {
        let export = export(person).await;
        for field in ["vehicles", "jobs", "line_items", "payments", "disputes", "notifications", "uploads"] {
            assert_eq!(export[field], json!([]), "{field}");
        }
        assert_eq!(export["ratings"], json!({"given": [], "received": []}));
        assert_eq!(export["wallet"], Value::Null);
        let text = export.to_string();
        let theirs = [&scene.job, &scene.mechanic.profile_id, &scene.customer.user_id, &scene.customer.phone];
        assert!(!theirs.into_iter().any(|other| text.contains(other.as_str())), "{text}");
    }
    let role = export(&admin).await["user"]["role"].clone();
    assert_eq!(role, "admin");
    app.anonymous().get("/users/me/export").await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn an_admin_who_was_a_mechanic_reads_the_jobs_as_a_mechanic() {
    let app = spawn_app().await;
    let Life { scene, .. } = lived(&app).await;
    let promoted = sqlx::query("update users set role = 'admin' where id = $1::uuid");
    let id: uuid::Uuid = scene.mechanic.client.user_id.parse().unwrap();
    promoted.bind(id).execute(&app.database.db).await.unwrap();
    roadcall::accounts::auth::forget(&app.service, id).await;
    let seen = scene.mechanic.client.get(&scene.path("")).await.expect(200);
    assert_eq!(seen["beneficiary_phone"], BENEFICIARY, "as an admin");
    let export = export(&scene.mechanic.client).await;
    assert_eq!((&export["user"]["role"], ids(&export["jobs"]).len()), (&json!("admin"), 1));
    assert_eq!(export["jobs"][0]["beneficiary_phone"], Value::Null, "as themselves");
}

#[actix_web::test]
async fn long_lists_keep_the_newest_entries_and_say_so() {
    let app = spawn_app_with(|settings| settings.privacy.export_rows = 1).await;
    let customer = app.breakdown().await;
    let before = export(&customer.client).await;
    assert_eq!((&before["truncated"], ids(&before["vehicles"]).len()), (&json!([]), 1));
    let first = id_of(&customer.call().await);
    customer.cancel(&first).await;
    let second = id_of(&customer.call().await);
    let export = export(&customer.client).await;
    assert_eq!(ids(&export["jobs"]), [&json!(second)]);
    assert_eq!(export["truncated"], json!(["jobs"]));
}

#[actix_web::test]
async fn exports_have_a_separate_limit() {
    let app = spawn_app_with(|settings| settings.limits.export_per_minute = 2).await;
    let (eager, other) = (app.customer().await, app.customer().await);
    app.service.clock.stop();
    for path in ["/users/me/export", "/api/v1/users/me/export"] {
        eager.get(path).await.expect(200);
    }
    let refused = eager.get("/users/me/export").await;
    assert_eq!(refused.header("retry-after"), Some("30"));
    refused.refused(429, "RATE_LIMITED");
    eager.get("/users/me").await.expect(200);
    export(&other).await;
}
