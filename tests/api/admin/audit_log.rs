use chrono::{SecondsFormat, TimeDelta};
use serde_json::{Value, json};

use roadcall::platform::audit;

use crate::support::{AssertFields, Client, spawn_app, spawn_with_admin};

/// Returns the actions in the log, newest first.
async fn actions(admin: &Client, query: &str) -> Vec<String> {
    let page = admin.get(&format!("/admin/audit-log{query}")).await.expect(200);
    let rows = page["data"].as_array().unwrap();
    assert_eq!(page["total"], rows.len(), "{query}");
    rows.iter().map(|row| row["action"].as_str().unwrap().to_owned()).collect()
}

#[actix_web::test]
async fn actions_of_admins_are_found_by_actor_object_and_time() {
    let app = spawn_app().await;
    let (one, other) = (app.admin().await, app.admin().await);
    let began = app.service.clock.now();
    let at = |delta: i64| {
        let at = began + TimeDelta::milliseconds(delta);
        at.to_rfc3339_opts(SecondsFormat::Millis, true)
    };
    let mechanic = app.verified_mechanic(&one).await;
    let why = json!({"reason": "papers have run out"});
    other.post(&format!("/admin/mechanics/{}/suspend", mechanic.profile_id), why.clone()).await.expect(200);
    let customer = app.customer().await;
    one.post(&format!("/admin/users/{}/suspend", customer.user_id), why).await.expect(200);

    // Reading the log adds entries, too, so the search ends here.
    let ended = app.service.clock.now().to_rfc3339_opts(SecondsFormat::Micros, true);
    let actions = async |admin: &Client, query: &str| actions(admin, &format!("?to={ended}&{query}")).await;
    assert_eq!(
        actions(&one, &format!("from={}", at(0))).await,
        ["user.suspend", "mechanic.suspend", "mechanic.verify"]
    );
    assert_eq!(self::actions(&one, &format!("?to={}", at(0))).await, ["admin.create", "admin.create"]);
    assert_eq!(
        actions(&one, &format!("actor_id={}", one.user_id)).await,
        ["user.suspend", "mechanic.verify"]
    );
    assert_eq!(actions(&one, "action=mechanic.suspend").await, ["mechanic.suspend"]);
    assert_eq!(actions(&one, "object_type=mechanic_profile").await, ["mechanic.suspend", "mechanic.verify"]);
    let of_it = format!("object_id={}&actor_id={}", mechanic.profile_id, other.user_id);
    assert_eq!(actions(&one, &of_it).await, ["mechanic.suspend"]);
    assert_eq!(actions(&one, "action=mechanic").await, Vec::<String>::new(), "no part of a word");

    let page = one.get("/admin/audit-log?action=mechanic.suspend").await.expect(200);
    let row = &page["data"][0];
    row.assert_fields(json!({"before/status": "verified", "after/status": "suspended",
        "object_id": mechanic.profile_id, "actor_id": other.user_id}));
    assert!(row["actor_email"].as_str().unwrap().ends_with("@example.com"));
    let made = one.get("/admin/audit-log?action=admin.create").await.expect(200);
    assert_eq!((&made["data"][0]["actor_id"], &made["data"][0]["before"]), (&Value::Null, &Value::Null));

    let second = one.get(&format!("/admin/audit-log?limit=1&page=2&to={ended}")).await.expect(200);
    assert_eq!((&second["data"][0]["action"], &second["total"]), (&json!("mechanic.suspend"), &json!(5)));
}

#[actix_web::test]
async fn bad_queries_of_the_log_name_their_field() {
    let (_app, admin) = spawn_with_admin().await;
    for (query, field) in [
        ("actor_id=me", "actor_id"),
        ("object_id=1", "object_id"),
        ("action=", "action"),
        ("from=yesterday", "from"),
        ("to=2026-01-01", "to"),
        ("from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "to"),
        ("limit=101", "limit"),
        ("who=me", "who"),
    ] {
        admin.get(&format!("/admin/audit-log?{query}")).await.refused_field(field);
    }
}

#[actix_web::test]
async fn the_log_has_no_telephone_numbers() {
    let (app, admin) = spawn_with_admin().await;
    let customer = app.customer().await;
    let why = json!({"reason": format!("calls us from {} all day", customer.phone)});
    let path = format!("/admin/users/{}/suspend", customer.user_id);
    let shown = admin.post(&path, why).await.expect(200);
    assert!(shown["suspension_reason"].as_str().unwrap().contains(&customer.phone), "the account keeps it");
    let page = admin.get("/admin/audit-log?action=user.suspend").await;
    assert!(!page.text.contains(&customer.phone[1..]), "{}", page.text);
    assert_eq!(page.body["data"][0]["after"]["suspension_reason"], "calls us from [hidden] all day");
    let kept: Value = app.sql_value("select after from audit_log where action = 'user.suspend'").await;
    assert_eq!(kept["suspension_reason"], "calls us from [hidden] all day");
}

#[actix_web::test]
async fn an_entry_is_never_changed_and_not_deleted_early() {
    let (app, admin) = spawn_with_admin().await;
    let db = &app.database.db;
    for statement in ["update audit_log set after = null", "delete from audit_log", "truncate audit_log"] {
        let refused = sqlx::query(statement).execute(db).await.expect_err(statement).to_string();
        assert!(refused.contains("append-only"), "{statement}: {refused}");
    }
    let old =
        "insert into audit_log (id, action, subject_kind, at) values (gen_random_uuid(), $1, 'user', $2)";
    let now = app.service.clock.now();
    for (action, days) in [("old.one", 367), ("young.one", 364)] {
        sqlx::query(old).bind(action).bind(now - TimeDelta::days(days)).execute(db).await.unwrap();
    }
    let kept_from = now - TimeDelta::days(366);
    assert_eq!(audit::sweep(&app.service.db, kept_from, 100).await.unwrap(), 1);
    assert_eq!(actions(&admin, "").await, ["admin.create", "young.one"]);
    audit::sweep(&app.service.db, now, 100).await.expect_err("the last year stays, whatever is asked");
}

#[actix_web::test]
async fn an_entry_keeps_the_name_that_its_actor_had() {
    let app = spawn_app().await;
    let (admin, other) = (app.admin().await, app.admin().await);
    let suspend = || async {
        let path = format!("/admin/users/{}/suspend", app.customer().await.user_id);
        admin.post(&path, json!({"reason": "fraud"})).await.expect(200);
    };
    admin.patch("/users/me", json!({"name": "Meera Iyer"})).await.expect(200);
    suspend().await;
    admin.patch("/users/me", json!({"name": "M. Nair"})).await.expect(200);
    suspend().await;
    let names = other.column("/admin/audit-log?action=user.suspend", "actor_name").await;
    assert_eq!(names, ["M. Nair", "Meera Iyer"]);
}
