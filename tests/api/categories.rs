use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    leaving::in_vain,
    standing::behind,
    support::{
        Answer, Client, TestApp,
        bodies::{FLAT_TYRE, id_of, registration, with, without},
        rows::{insert_job_in, set_job_status, until_blocked},
        spawn_app, spawn_app_with, spawn_with_admin, spawn_with_customer,
    },
};

fn winching() -> Value {
    json!({
        "name": "Winching",
        "slug": "winching",
        "description": "Out of the ditch.",
        "icon_url": "https://files.example/winch.svg",
        "vehicle_types": ["four_wheeler", "commercial", "four_wheeler"],
        "base_price": 799.5,
        "per_km_price": 20,
        "free_km": 3,
        "estimated_duration_min": 45,
        "offer_ttl_s": 30,
        "attempt_ttl_s": 240,
        "rings_km": [5, 10.5, 30],
        "round_widths": [2, 4],
        "max_rounds": 5,
        "urgent_first_round": 3,
        "in_time_s": 2700,
        "worth_s": 7200,
        "is_active": true,
        "sort_order": 9,
    })
}

async fn slugs(client: &Client, query: &str) -> Vec<String> {
    let list = client.get(&format!("/service-categories{query}")).await.expect(200);
    let slug = |item: &Value| item["slug"].as_str().expect("a slug").to_owned();
    list["data"].as_array().expect("a list").iter().map(slug).collect()
}

/// Returns the audit log's entries about a category: action, slug before, slug after.
async fn audited(app: &TestApp, id: &str) -> Vec<(String, Option<String>, Option<String>)> {
    app.rows(
        "select action, before->>'slug', after->>'slug' from audit_log
        where subject_id = $1::uuid and actor_id is not null order by at, id",
        &[id],
    )
    .await
}

#[actix_web::test]
async fn six_categories_exist_from_the_start_and_are_filtered_by_vehicle_type() {
    let (app, customer) = spawn_with_customer().await;
    let all = ["flat-tyre", "battery-jump-start", "towing", "fuel-delivery", "lockout", "on-site-repair"];
    assert_eq!(slugs(&customer, "").await, all);
    assert!(!slugs(&customer, "?vehicle_type=three_wheeler").await.contains(&"lockout".to_owned()));
    customer.get("/service-categories?vehicle_type=boat").await.refused_field("vehicle_type");
    customer.get("/service-categories?odd=1").await.refused_field("odd");
    let one = customer.get(&format!("/service-categories/{FLAT_TYRE}")).await.expect(200);
    assert_eq!((&one["base_price"], &one["per_km_price"]), (&json!(299.0), &json!(10.0)));
    app.anonymous().get("/service-categories").await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn every_addition_change_and_removal_of_a_category_is_audited() {
    let app = spawn_app().await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    let made = admin.post("/service-categories", winching()).await.expect(201);
    let id = id_of(&made);
    assert_eq!(made["vehicle_types"], json!(["four_wheeler", "commercial"]), "repeats count once");
    assert_eq!((&made["base_price"], &made["rings_km"]), (&json!(799.5), &json!([5.0, 10.5, 30.0])));
    assert!(slugs(&customer, "?vehicle_type=commercial").await.contains(&"winching".to_owned()));

    assert_eq!(made["round_widths"], json!([2, 4]));
    assert_eq!(made["max_rounds"], 5);
    assert_eq!(made["urgent_first_round"], 3);
    assert_eq!((&made["in_time_s"], &made["worth_s"]), (&json!(2700), &json!(7200)));

    let path = format!("/service-categories/{id}");
    let changes = json!({"slug": "winch", "icon_url": null, "rings_km": null, "base_price": 0});
    let changed = admin.patch(&path, changes).await.expect(200);
    assert_eq!((&changed["icon_url"], &changed["rings_km"]), (&Value::Null, &Value::Null));
    assert_eq!((&changed["base_price"], &changed["name"]), (&json!(0.0), &json!("Winching")));
    assert_eq!(customer.get(&path).await.expect(200), changed);

    admin.delete(&path).await.expect(204);
    admin.get(&path).await.refused(404, "NOT_FOUND");
    let slug = |text: &str| Some(text.to_owned());
    let expected = [
        ("service_category.create".to_owned(), None, slug("winching")),
        ("service_category.update".to_owned(), slug("winching"), slug("winch")),
        ("service_category.delete".to_owned(), slug("winch"), None),
    ];
    assert_eq!(audited(&app, &id).await, expected);
}

#[actix_web::test]
async fn a_slug_is_unique() {
    let (app, admin) = spawn_with_admin().await;
    let id = id_of(&admin.post("/service-categories", winching()).await.expect(201));
    let refusal = admin.post("/service-categories", winching()).await.refused(409, "CONFLICT");
    assert!(refusal["error"]["message"].as_str().expect("text").contains("slug"), "{refusal}");
    let path = format!("/service-categories/{id}");
    admin.patch(&path, json!({"slug": "towing"})).await.refused(409, "CONFLICT");
    assert_eq!(audited(&app, &id).await.len(), 1, "a refused write leaves no audit row");
}

#[actix_web::test]
async fn only_admins_see_a_category_that_is_switched_off() {
    let app = spawn_app().await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    let path = format!("/service-categories/{FLAT_TYRE}");
    admin.patch(&path, json!({"is_active": false})).await.expect(200);
    customer.get(&path).await.refused(404, "NOT_FOUND");
    admin.get(&path).await.expect(200);
    let name = "flat-tyre".to_owned();
    assert!(!slugs(&customer, "").await.contains(&name));
    assert!(slugs(&admin, "").await.contains(&name));
}

#[actix_web::test]
async fn a_category_in_use_is_kept_and_a_used_one_is_switched_off() {
    let app = spawn_app().await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    let id = id_of(&admin.post("/service-categories", winching()).await.expect(201));
    let path = format!("/service-categories/{id}");
    let vehicle =
        json!({"vehicle_type": "four_wheeler", "make": "M", "model": "S", "registration_number": "KA1"});
    let vehicle = customer.post("/vehicles", vehicle).await.expect(201);
    let job =
        insert_job_in(&mut app.database.db.acquire().await.unwrap(), &vehicle, &id, "in_progress").await;
    admin.delete(&path).await.refused(409, "CATEGORY_IN_USE");
    set_job_status(&app.database.db, job, "completed").await;
    admin.delete(&path).await.expect(204);
    assert_eq!(admin.get(&path).await.expect(200)["is_active"], false);
}

#[actix_web::test]
async fn a_category_that_a_mechanic_serves_is_switched_off_and_the_mechanic_may_keep_it() {
    let app = spawn_app().await;
    let (admin, mechanic) = (app.admin().await, app.customer().await);
    let id = id_of(&admin.post("/service-categories", winching()).await.expect(201));
    let asked = with(&registration(), "/service_category_ids", json!([id]));
    mechanic.post("/mechanics/register", asked).await.expect(201);
    let path = format!("/service-categories/{id}");
    admin.delete(&path).await.expect(204);
    assert_eq!(admin.get(&path).await.expect(200)["is_active"], false);
    mechanic.patch("/mechanics/me", json!({"service_category_ids": [id, FLAT_TYRE]})).await.expect(200);
    let newcomer = app.customer().await;
    let body = with(&registration(), "/service_category_ids", json!([FLAT_TYRE, id]));
    newcomer.post("/mechanics/register", body).await.refused_field("service_category_ids[1]");
}

#[actix_web::test]
async fn a_bad_category_names_its_field() {
    let (_app, admin) = spawn_with_admin().await;
    let path = format!("/service-categories/{FLAT_TYRE}");
    for field in ["name", "slug", "vehicle_types", "base_price", "per_km_price", "estimated_duration_min"] {
        admin.post("/service-categories", without(&winching(), field)).await.refused_field(field);
        admin.patch(&path, json!({field: null})).await.refused_field(field);
    }
    let bad = [
        ("name", json!(""), "name"),
        ("slug", json!("Not A Slug"), "slug"),
        ("description", json!("x".repeat(1001)), "description"),
        ("icon_url", json!("http://files.example/a.svg"), "icon_url"),
        ("vehicle_types", json!([]), "vehicle_types"),
        ("vehicle_types", json!(["four_wheeler", "boat"]), "vehicle_types[1]"),
        ("base_price", json!(-1), "base_price"),
        ("base_price", json!(1.005), "base_price"),
        ("base_price", json!("100"), "base_price"),
        ("per_km_price", json!(1e12), "per_km_price"),
        ("free_km", json!(-1), "free_km"),
        ("estimated_duration_min", json!(0), "estimated_duration_min"),
        ("offer_ttl_s", json!(0), "offer_ttl_s"),
        ("offer_ttl_s", json!(3000), "offer_ttl_s"),
        ("attempt_ttl_s", json!(86_401), "attempt_ttl_s"),
        ("attempt_ttl_s", json!(4), "attempt_ttl_s"),
        ("rings_km", json!([]), "rings_km"),
        ("rings_km", json!([5, 3]), "rings_km"),
        ("rings_km", json!([0, 3]), "rings_km"),
        ("rings_km", json!([3, "5"]), "rings_km[1]"),
        ("round_widths", json!([]), "round_widths"),
        ("round_widths", json!(vec![1; 21]), "round_widths"),
        ("round_widths", json!([1, 0]), "round_widths[1]"),
        ("round_widths", json!([51]), "round_widths[0]"),
        ("max_rounds", json!(0), "max_rounds"),
        ("max_rounds", json!(101), "max_rounds"),
        ("urgent_first_round", json!(0), "urgent_first_round"),
        ("in_time_s", json!(59), "in_time_s"),
        ("worth_s", json!(86_401), "worth_s"),
        ("urgent_first_round", json!(31), "urgent_first_round"),
        ("is_active", json!(1), "is_active"),
        ("sort_order", json!(1.5), "sort_order"),
        ("colour", json!("red"), "colour"),
    ];
    for (field, value, named) in bad {
        let body = with(&winching(), &format!("/{field}"), value.clone());
        admin.post("/service-categories", body).await.refused_field(named);
        admin.patch(&path, json!({field: value})).await.refused_field(named);
    }
}

#[actix_web::test]
async fn rounds_that_a_category_overrides_must_fit_together_after_every_change() {
    let (_app, admin) = spawn_with_admin().await;
    let path = format!(
        "/service-categories/{}",
        id_of(&admin.post("/service-categories", winching()).await.expect(201))
    );
    // The category has 5 rounds, and urgent jobs begin at the third.
    admin.patch(&path, json!({"max_rounds": 2})).await.refused_field("urgent_first_round");
    admin.patch(&path, json!({"max_rounds": 2, "urgent_first_round": 2})).await.expect(200);
    let body = json!({"max_rounds": 1, "urgent_first_round": null});
    admin.patch(&path, body).await.refused_field("max_rounds");
    let reset =
        json!({"max_rounds": null, "urgent_first_round": null, "round_widths": null, "worth_s": null});
    let shown = admin.patch(&path, reset).await.expect(200);
    assert_eq!((&shown["max_rounds"], &shown["round_widths"]), (&Value::Null, &Value::Null));
}

#[actix_web::test]
async fn only_admins_change_categories() {
    let (app, customer) = spawn_with_customer().await;
    let path = format!("/service-categories/{FLAT_TYRE}");
    customer.post("/service-categories", json!({"odd": 1})).await.refused(403, "FORBIDDEN");
    customer.patch(&path, json!({"odd": 1})).await.refused(403, "FORBIDDEN");
    customer.delete(&path).await.refused(403, "FORBIDDEN");
    app.super_admin().await.patch(&path, json!({"name": "Puncture"})).await.expect(200);
}

/// Checks two requests that wait for the category's row: the second one sees the effect of the first.
#[actix_web::test]
async fn a_category_is_not_removed_during_a_registration_for_it() {
    let app = spawn_app().await;
    let (admin, mechanic) = (app.admin().await, app.customer().await);
    let id = id_of(&admin.post("/service-categories", winching()).await.expect(201));
    let path = format!("/service-categories/{id}");
    // Like a deletion midway, this has the row and has not decided yet.
    let mut tx = app.database.db.begin().await.unwrap();
    sqlx::query("select id from service_categories where id = $1 for update")
        .bind(id.parse::<Uuid>().unwrap())
        .fetch_one(&mut *tx)
        .await
        .unwrap();
    let body = with(&registration(), "/service_category_ids", json!([id]));
    let registering = actix_web::rt::spawn(async move { mechanic.post("/mechanics/register", body).await });
    until_blocked(&app.database.db).await;
    sqlx::query("delete from service_categories where id = $1")
        .bind(id.parse::<Uuid>().unwrap())
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    registering.await.unwrap().refused_field("service_category_ids[0]");
    admin.get(&path).await.refused(404, "NOT_FOUND");
}

/// Sends both requests while nobody can use the category, the second behind the first.
async fn around(
    app: &TestApp,
    category: &str,
    first: impl Future<Output = Answer>,
    second: impl Future<Output = Answer>,
) -> (Answer, Answer) {
    let mut held = app.database.db.begin().await.unwrap();
    let lock = sqlx::query("select id from service_categories where id::text = $1 for update");
    lock.bind(category).execute(&mut *held).await.unwrap();
    behind(app, held, first, second).await
}

#[actix_web::test]
async fn no_job_begins_in_a_category_that_is_being_removed() {
    let app = spawn_app_with(|settings| settings.dispatch.attempt_ttl_s = 1).await;
    let admin = app.admin().await;

    // Nobody ever used it, so it is deleted.
    let fresh = with(&winching(), "/vehicle_types", json!(["two_wheeler"]));
    let fresh = id_of(&admin.post("/service-categories", fresh).await.expect(201));
    let stranded = app.breakdown().await;
    let path = format!("/service-categories/{fresh}");
    let call =
        || stranded.client.post("/jobs", with(&stranded.call_body(), "/service_category_id", json!(fresh)));
    let (removed, called) = around(&app, &fresh, admin.delete(&path), call()).await;
    removed.expect(204);
    called.refused_field("service_category_id");

    // Somebody used it, so it is switched off.
    let (waiting, job) = in_vain(&app).await;
    let path = format!("/service-categories/{FLAT_TYRE}");
    let call = || stranded.client.post("/jobs", stranded.call_body());
    let (removed, called) = around(&app, FLAT_TYRE, admin.delete(&path), call()).await;
    removed.expect(204);
    called.refused_field("service_category_id");

    let on = || admin.patch(&path, json!({"is_active": true}));
    on().await.expect(200);
    let again = format!("/jobs/{job}/retry");
    let retry = waiting.client.post(&again, json!({}));
    let (removed, retried) = around(&app, FLAT_TYRE, admin.delete(&path), retry).await;
    removed.expect(204);
    let refused = retried.refused(409, "CONFLICT");
    assert!(refused["error"]["message"].as_str().unwrap().contains("category"), "{refused}");

    // In the other order, the job keeps it.
    on().await.expect(200);
    let (called, removed) = around(&app, FLAT_TYRE, call(), admin.delete(&path)).await;
    called.expect(201);
    removed.refused(409, "CATEGORY_IN_USE");
}
