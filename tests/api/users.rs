use serde_json::{Value, json};

use crate::support::{
    Client, Person, TestApp,
    bodies::{FLAT_TYRE, id_of},
    new_phone,
    rows::{insert_job, set_job_status, until_blocked},
    spawn_app, spawn_with_admin, spawn_with_breakdown, spawn_with_customer, spawn_with_mechanic,
};

async fn audit_of(app: &TestApp, action: &str) -> Vec<(Value, Value)> {
    let rows = "select before, after from audit_log where action = $1 order by at, id";
    app.rows(rows, &[action]).await
}

fn ids(body: &Value) -> Vec<String> {
    let items = body["data"].as_array().unwrap().iter();
    items.map(|user| user["id"].as_str().unwrap().to_owned()).collect()
}

#[actix_web::test]
async fn people_change_only_the_given_fields() {
    let (_app, person) = spawn_with_customer().await;
    let before = person.get("/users/me").await.expect(200);
    assert_eq!(person.patch("/users/me", json!({})).await.expect(200)["name"], before["name"]);
    let url = "https://files.example/a.png";
    let given = json!({"name": "  Ravi\u{a0} Kumar ", "email": "Ravi@Example.COM", "avatar_url": url, "language": "hi-IN"});
    let after = person.patch("/users/me", given).await.expect(200);
    assert_eq!((&after["name"], &after["email"]), (&json!("Ravi Kumar"), &json!("ravi@example.com")));
    assert_eq!((&after["avatar_url"], &after["language"]), (&json!(url), &json!("hi-IN")));
    for field in ["id", "phone", "role", "created_at"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    let emptied = json!({"name": null, "email": null, "avatar_url": null});
    let emptied = person.patch("/users/me", emptied).await.expect(200);
    assert_eq!(emptied["name"], json!(null));
    assert_eq!(emptied["email"], json!(null));
    assert_eq!(emptied["avatar_url"], json!(null));
    assert_eq!(emptied["language"], "hi-IN");
    assert_eq!(person.get("/users/me").await.expect(200), emptied);
}

#[actix_web::test]
async fn bad_changes_name_their_field() {
    let (_app, person) = spawn_with_customer().await;
    let cases = [
        (json!({"name": ""}), "name"),
        (json!({"name": "x".repeat(101)}), "name"),
        (json!({"name": "a\u{0}b"}), "name"),
        (json!({"name": "Asha\nRao"}), "name"),
        (json!({"name": "\u{202e}oaR ahsA"}), "name"),
        (json!({"name": "\u{200b}\u{3164}"}), "name"),
        (json!({"name": 1}), "name"),
        (json!({"email": "ravi"}), "email"),
        (json!({"avatar_url": "http://files.example/a.png"}), "avatar_url"),
        (json!({"avatar_url": "javascript:alert(1)"}), "avatar_url"),
        (json!({"language": null}), "language"),
        (json!({"language": "english"}), "language"),
        (json!({"phone": "+919876543210"}), "phone"),
        (json!({"role": "admin"}), "role"),
        (json!([]), "body"),
    ];
    for (body, field) in cases {
        person.patch("/users/me", body).await.refused_field(field);
    }
}

#[actix_web::test]
async fn two_admins_cannot_share_an_email() {
    let app = spawn_app().await;
    let (one, other) = (app.admin().await, app.admin().await);
    let email = one.get("/users/me").await.expect(200)["email"].clone();
    other.patch("/users/me", json!({"email": email})).await.refused_field("email");
    app.customer().await.patch("/users/me", json!({"email": email})).await.expect(200);
}

#[actix_web::test]
async fn a_person_who_leaves_is_forgotten_and_their_number_becomes_free() {
    let (app, person) = spawn_with_customer().await;
    let other_device = app.sign_in(&person.phone).await;
    person.patch("/users/me", json!({"email": "ravi@example.com"})).await.expect(200);
    person.delete("/users/me").await.expect(204);
    for device in [&person, &other_device] {
        device.get("/users/me").await.refused(401, "UNAUTHORIZED");
        let refresh = json!({"refreshToken": device.refresh_token});
        app.anonymous().post("/auth/refresh", refresh).await.refused(401, "UNAUTHORIZED");
    }
    let admin = app.admin().await;
    let left = admin.get(&format!("/admin/users/{}", person.user_id)).await.expect(200);
    assert_eq!(left["status"], "deleted");
    for field in ["phone", "name", "email", "avatar_url"] {
        assert_eq!(left[field], Value::Null, "{field}");
    }
    assert_ne!(app.sign_in(&person.phone).await.user_id, person.user_id);
}

#[actix_web::test]
async fn the_people_named_by_a_person_are_deleted_with_the_account() {
    let app = spawn_app().await;
    let (customer, admin) = (app.customer().await, app.admin().await);
    let car = customer.post("/vehicles", vehicle()).await.expect(201);
    let job = json!({
        "vehicle_id": car["id"], "service_category_id": FLAT_TYRE, "pickup_address": "MG Road",
        "pickup_lat": 12.9716, "pickup_lng": 77.5946, "beneficiary_name": "Meera Iyer",
        "beneficiary_phone": "+919812300077",
    });
    let job = id_of(&customer.post("/jobs", job).await.expect(201));
    customer.post(&format!("/jobs/{job}/cancel"), json!({"reason_code": "changed_mind"})).await.expect(200);
    let shown = admin.get(&format!("/admin/jobs/{job}")).await.expect(200);
    assert_eq!(shown["beneficiary_phone"], "+919812300077");
    customer.delete("/users/me").await.expect(204);
    let shown = admin.get(&format!("/admin/jobs/{job}")).await.expect(200);
    assert_eq!((&shown["beneficiary_name"], &shown["beneficiary_phone"]), (&Value::Null, &Value::Null));
    let events = admin.get(&format!("/jobs/{job}/events")).await.expect(200).to_string();
    assert!(events.contains("cancelled"), "{events}");
    assert!(!events.contains("Meera"), "{events}");
    assert!(!events.contains("9812300077"), "{events}");
}

#[actix_web::test]
async fn admins_cannot_end_their_own_accounts_and_two_super_admins_not_each_others() {
    let app = spawn_app().await;
    let (one, admin) = (app.super_admin().await, app.admin().await);
    let end = |person: &Person| format!("/super-admin/users/{}", person.user_id);
    for who in [&one, &admin] {
        who.delete("/users/me").await.refused(403, "FORBIDDEN");
    }
    one.delete(&end(&one)).await.refused(403, "FORBIDDEN");
    admin.delete(&end(&one)).await.refused(403, "FORBIDDEN");
    one.delete(&end(&app.customer().await)).await.refused(409, "CONFLICT");
    let other = app.super_admin().await;
    let (to_one, to_other) = (end(&one), end(&other));
    let (first, second) = futures_util::join!(one.delete(&to_other), other.delete(&to_one));
    let statuses = statuses([first, second]);
    // The slower one is gone before its own turn: at admission, or under the lock.
    assert!(statuses[0] == 204 && [401, 403].contains(&statuses[1]), "{statuses:?}");
    let left = "select count(*) from users where role = 'super_admin' and status = 'active'";
    let left: i64 = app.value(left, &[]).await;
    assert_eq!(left, 1);
}

#[actix_web::test]
async fn admins_find_accounts_by_role_status_and_text_page_by_page() {
    let (app, admin) = spawn_with_admin().await;
    let mut people = Vec::new();
    for name in ["Asha Rao", "Ravi 100%", "Meena_K", "ASHA Menon"] {
        let person = app.customer().await;
        person.patch("/users/me", json!({"name": name})).await.expect(200);
        people.push(person);
    }
    people[1].patch("/users/me", json!({"email": "ravi@shop.example"})).await.expect(200);
    let asked = json!({"reason": "fraud"});
    admin.post(&format!("/admin/users/{}/suspend", people[2].user_id), asked).await.expect(200);
    let id = |number: usize| people[number].user_id.clone();
    let all = [id(3), id(2), id(1), id(0)];
    let phone = &people[0].phone[1..];
    let cases = [
        ("role=customer".to_owned(), all.to_vec()),
        ("role=admin".to_owned(), vec![admin.user_id.clone()]),
        ("role=super_admin".to_owned(), vec![]),
        ("status=suspended".to_owned(), vec![id(2)]),
        ("q=asha&role=customer".to_owned(), vec![id(3), id(0)]),
        ("q=rao".to_owned(), vec![id(0)]),
        ("q=as%20ra".to_owned(), vec![id(0)]),
        ("q=sha&role=customer".to_owned(), vec![]),
        ("q=100%25".to_owned(), vec![id(1)]),
        ("q=meena_".to_owned(), vec![id(2)]),
        ("q=%25%25".to_owned(), vec![]),
        ("q=SHOP.example".to_owned(), vec![id(1)]),
        (format!("q=%2B{phone}"), vec![id(0)]),
        (format!("q=0{}-{}", &phone[2..7], &phone[7..]), vec![id(0)]),
        (format!("q={}", &phone[6..]), vec![id(0)]),
        ("q=nobody".to_owned(), vec![]),
        ("role=customer&limit=3".to_owned(), vec![id(3), id(2), id(1)]),
        ("role=customer&limit=3&page=2".to_owned(), vec![id(0)]),
        ("role=customer&page=9".to_owned(), vec![]),
    ];
    for (query, expected) in cases {
        let body = admin.get(&format!("/admin/users?{query}")).await.expect(200);
        assert_eq!(ids(&body), expected, "{query}");
    }
    let page = admin.get("/admin/users?role=customer&limit=3&page=2").await.expect(200);
    assert_eq!((&page["page"], &page["limit"], &page["total"]), (&json!(2), &json!(3), &json!(4)));
    let suspended = admin.get("/admin/users?status=suspended").await.expect(200);
    assert_eq!(suspended["data"][0]["status"], "suspended");
}

#[actix_web::test]
async fn bad_queries_about_users_name_their_parameter() {
    let (_app, admin) = spawn_with_admin().await;
    let cases = [
        ("role=mechanic", "role"),
        ("status=gone", "status"),
        ("page=0", "page"),
        ("page=x", "page"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("q=", "q"),
        ("q=%00", "q"),
        ("q=a", "q"),
        ("sort=name", "sort"),
    ];
    for (query, field) in cases {
        admin.get(&format!("/admin/users?{query}")).await.refused_field(field);
    }
    for number in ["x", "", "1.0", "99999999999999999999"] {
        let answer = admin.get(&format!("/admin/users?page={number}")).await;
        assert!(answer.text.contains("must be a whole number"), "{number}: {}", answer.text);
    }
    admin.get("/admin/users/x").await.refused_field("id");
    let nobody = "/admin/users/018f0000-0000-7000-8000-000000000001";
    admin.get(nobody).await.refused(404, "NOT_FOUND");
    admin.post(&format!("{nobody}/suspend"), json!({"odd": 1})).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn a_suspended_person_is_refused_at_once_and_admitted_after_reinstatement() {
    let (app, admin) = spawn_with_admin().await;
    let person = app.customer().await;
    person.get("/users/me").await.expect(200);
    let path = format!("/admin/users/{}", person.user_id);
    for body in [json!({}), json!({"reason": ""}), json!({"reason": "x".repeat(501)})] {
        admin.post(&format!("{path}/suspend"), body).await.refused_field("reason");
    }
    let suspended = admin.post(&format!("{path}/suspend"), json!({"reason": "fraud"})).await.expect(200);
    assert_eq!(suspended["status"], "suspended");
    assert_eq!(suspended["suspension_reason"], "fraud");

    person.get("/users/me").await.refused(403, "ACCOUNT_SUSPENDED");
    let refresh = json!({"refreshToken": person.refresh_token});
    app.anonymous().post("/auth/refresh", refresh.clone()).await.refused(403, "ACCOUNT_SUSPENDED");
    sign_in_refused(&app.anonymous(), &person.phone).await;
    let again = admin.post(&format!("{path}/suspend"), json!({"reason": "fraud"})).await;
    let again = again.refused(409, "INVALID_TRANSITION");
    assert!(again["error"]["message"].as_str().unwrap().contains("active"), "{again}");

    let back = admin.post(&format!("{path}/reinstate"), json!({})).await.expect(200);
    assert_eq!((&back["status"], &back["suspension_reason"]), (&json!("active"), &Value::Null));
    person.get("/users/me").await.expect(200);
    app.anonymous().post("/auth/refresh", refresh).await.expect(200);
    admin.post(&format!("{path}/reinstate"), json!({})).await.refused(409, "INVALID_TRANSITION");

    let (active, fraud) = (
        json!({"status": "active", "suspension_reason": null}),
        json!({"status": "suspended", "suspension_reason": "fraud"}),
    );
    assert_eq!(audit_of(&app, "user.suspend").await, [(active.clone(), fraud.clone())]);
    assert_eq!(audit_of(&app, "user.reinstate").await, [(fraud, active)]);
}

async fn sign_in_refused(nobody: &Client, phone: &str) {
    let sent = nobody.post("/auth/send-otp", json!({"phone": phone})).await.expect(200);
    let body = json!({"phone": phone, "otp": sent["data"]["otp"]});
    nobody.post("/auth/verify-otp", body).await.refused(403, "ACCOUNT_SUSPENDED");
}

#[actix_web::test]
async fn only_other_super_admins_suspend_admins() {
    let app = spawn_app().await;
    let (admin, other) = (app.admin().await, app.admin().await);
    let (root, second_root) = (app.super_admin().await, app.super_admin().await);
    let cases = [
        (&admin, &admin.user_id, 403),
        (&root, &root.user_id, 403),
        (&admin, &root.user_id, 403),
        (&admin, &other.user_id, 403),
        (&root, &second_root.user_id, 200),
        (&root, &admin.user_id, 200),
    ];
    for (actor, target, status) in cases {
        let answer = actor.post(&format!("/admin/users/{target}/suspend"), json!({"reason": "x"})).await;
        assert_eq!(answer.status, status, "{}", answer.text);
    }
    let customer = app.sign_in(&new_phone()).await;
    customer.get("/admin/users").await.refused(403, "FORBIDDEN");
    app.anonymous().get("/admin/users").await.refused(401, "UNAUTHORIZED");
}

fn vehicle() -> Value {
    json!({"vehicle_type": "four_wheeler", "make": "Maruti", "model": "Swift", "registration_number": "KA01AB1234"})
}

#[actix_web::test]
async fn an_account_with_an_open_job_is_not_deleted() {
    let app = spawn_app().await;
    let (customer, admin) = (app.customer().await, app.admin().await);
    let mechanic = app.verified_mechanic(&admin).await;
    let car = customer.post("/vehicles", vehicle()).await.expect(201);
    let mut db = app.database.db.acquire().await.unwrap();
    let job = insert_job(&mut db, &car, "pending").await;
    let assign = "update job_states set mechanic_profile_id = $2 where id = $1";
    let profile: uuid::Uuid = mechanic.profile_id.parse().unwrap();
    sqlx::query(assign).bind(job).bind(profile).execute(&mut *db).await.unwrap();
    for status in ["pending", "dispatching", "accepted", "en_route", "arrived", "in_progress"] {
        set_job_status(&app.database.db, job, status).await;
        customer.delete("/users/me").await.refused(409, "CONFLICT");
    }
    for status in ["accepted", "en_route", "arrived", "in_progress"] {
        set_job_status(&app.database.db, job, status).await;
        mechanic.client.delete("/users/me").await.refused(409, "CONFLICT");
    }
    set_job_status(&app.database.db, job, "completed").await;
    customer.delete("/users/me").await.expect(204);
    mechanic.client.delete("/users/me").await.expect(204);
}

fn user_of(person: &Person) -> uuid::Uuid {
    person.user_id.parse().expect("an id")
}

#[actix_web::test]
async fn a_job_made_while_its_customer_leaves_is_refused() {
    let (app, stranded) = spawn_with_breakdown().await;
    let mut leaving = app.database.db.begin().await.unwrap();
    for step in [
        "select id from users where id = $1 for update",
        "update users set status = 'deleted', phone = null where id = $1",
        "update vehicles set deleted_at = now() where user_id = $1",
    ] {
        sqlx::query(step).bind(user_of(&stranded.client)).execute(&mut *leaving).await.unwrap();
    }
    let call = stranded.client.post("/jobs", stranded.call_body());
    let left = async {
        until_blocked(&app.database.db).await;
        leaving.commit().await.unwrap();
    };
    let (answer, ()) = tokio::join!(call, left);
    answer.refused_field("vehicle_id");
}

#[actix_web::test]
async fn an_offer_accepted_while_its_mechanic_leaves_is_gone() {
    let (app, admin) = spawn_with_admin().await;
    let stranded = app.breakdown().await;
    let mut mechanic = app.on_road(&admin).await;
    stranded.call().await;
    let offer = mechanic.offer().await;
    let accept = format!("/offers/{}/accept", offer["id"].as_str().unwrap());
    let mut leaving = app.database.db.begin().await.unwrap();
    for step in [
        "select id from mechanic_profiles where user_id = $1 for update",
        "update mechanic_profiles set status = 'suspended' where user_id = $1",
    ] {
        sqlx::query(step).bind(user_of(&mechanic.client)).execute(&mut *leaving).await.unwrap();
    }
    let left = async {
        until_blocked(&app.database.db).await;
        leaving.commit().await.unwrap();
    };
    let (answer, ()) = tokio::join!(mechanic.client.post(&accept, json!({})), left);
    answer.refused(409, "OFFER_EXPIRED");
}

#[actix_web::test]
async fn vehicles_documents_and_the_mechanics_profile_end_with_the_account() {
    let (app, admin, mechanic) = spawn_with_mechanic().await;
    mechanic.client.post("/vehicles", vehicle()).await.expect(201);
    mechanic.client.delete("/users/me").await.expect(204);
    let profile = admin.get(&format!("/admin/mechanics/{}", mechanic.profile_id)).await.expect(200);
    let shown = profile.to_string();
    assert!(shown.contains("suspended"), "{shown}");
    for secret in [mechanic.client.phone.as_str(), "Asha Rao", "files.example"] {
        assert!(!shown.contains(secret), "{secret} is still there: {shown}");
    }
    let stranger = app.customer().await;
    stranger.get(&format!("/mechanics/{}", mechanic.profile_id)).await.refused(404, "NOT_FOUND");
    let left = "select count(*) from vehicles where deleted_at is null or registration_number <> ''";
    let left: i64 = app.value(left, &[]).await;
    assert_eq!(left, 0);
}

#[actix_web::test]
async fn a_suspended_mechanic_stays_offline_until_they_go_online_again() {
    let (app, admin, mechanic) = spawn_with_mechanic().await;
    let online = "update mechanic_profiles set is_available = true";
    app.change(online, &[]).await;
    let path = format!("/admin/users/{}", mechanic.client.user_id);
    admin.post(&format!("{path}/suspend"), json!({"reason": "fraud"})).await.expect(200);
    mechanic.client.get("/mechanics/me").await.refused(403, "ACCOUNT_SUSPENDED");
    admin.post(&format!("{path}/reinstate"), json!({})).await.expect(200);
    let profile = mechanic.client.get("/mechanics/me").await.expect(200);
    assert_eq!((&profile["status"], &profile["is_available"]), (&json!("verified"), &json!(false)));
}
