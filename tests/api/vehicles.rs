use serde_json::{Value, json};

use crate::support::{
    Client,
    bodies::{id_of, with, without},
    rows::{insert_job, set_job_status, until_blocked},
    spawn_app, spawn_with_customer,
};

fn car() -> Value {
    json!({
        "vehicle_type": "four_wheeler",
        "make": "Maruti",
        "model": "Swift",
        "registration_number": "ka-01 ab 1234",
        "year": 2021,
        "fuel_type": "petrol",
        "color": "red",
    })
}

fn with_plate(plate: &str) -> Value {
    with(&car(), "/registration_number", json!(plate))
}

async fn default_of(client: &Client) -> Value {
    let list = client.get("/vehicles").await.expect(200);
    let defaults: Vec<&Value> =
        list["data"].as_array().expect("a list").iter().filter(|v| v["is_default"] == true).collect();
    assert_eq!(defaults.len(), 1, "{list}");
    assert_eq!(list["data"][0], *defaults[0], "the default comes first");
    defaults[0]["registration_number"].clone()
}

#[actix_web::test]
async fn a_vehicle_is_shown_as_given_with_its_plate_in_one_form() {
    let (_app, owner) = spawn_with_customer().await;
    let made = owner.post("/vehicles", car()).await.expect(201);
    assert_eq!(made["registration_number"], "KA01AB1234");
    assert_eq!(made["is_default"], true, "the first vehicle is the default");
    assert_eq!(owner.get(&format!("/vehicles/{}", id_of(&made))).await.expect(200), made);
    let bare = json!({"vehicle_type": "two_wheeler", "make": "Hero", "model": "Splendor", "registration_number": "X1"});
    let made = owner.post("/vehicles", bare).await.expect(201);
    for field in ["year", "fuel_type", "color"] {
        assert_eq!(made[field], Value::Null);
    }
    assert_eq!(made["is_default"], false);
}

#[actix_web::test]
async fn a_plate_is_enough_in_distress_and_the_rest_can_follow() {
    let (_app, owner) = spawn_with_customer().await;
    let plate = json!({"vehicle_type": "two_wheeler", "registration_number": "KA05MK77"});
    let made = owner.post("/vehicles", plate).await.expect(201);
    assert_eq!((&made["make"], &made["model"]), (&json!(""), &json!("")));
    let path = format!("/vehicles/{}", id_of(&made));
    let named = owner.patch(&path, json!({"make": "Bajaj", "model": "Pulsar"})).await.expect(200);
    assert_eq!((&named["make"], &named["model"]), (&json!("Bajaj"), &json!("Pulsar")));
    owner.patch(&path, json!({"make": ""})).await.refused_field("make");
}

#[actix_web::test]
async fn a_plate_is_unique_for_each_person() {
    let app = spawn_app().await;
    let (owner, other) = (app.customer().await, app.customer().await);
    let made = owner.post("/vehicles", car()).await.expect(201);
    let refusal = owner.post("/vehicles", with_plate("KA 01-AB 1234")).await.refused(409, "CONFLICT");
    assert!(
        refusal["error"]["message"].as_str().expect("text").contains("this registration number"),
        "{refusal}"
    );
    other.post("/vehicles", car()).await.expect(201);
    let second = owner.post("/vehicles", with_plate("KA01")).await.expect(201);
    let path = format!("/vehicles/{}", id_of(&second));
    owner.patch(&path, json!({"registration_number": "ka01ab1234"})).await.refused(409, "CONFLICT");
    owner.delete(&format!("/vehicles/{}", id_of(&made))).await.expect(204);
    owner.patch(&path, json!({"registration_number": "ka01ab1234"})).await.expect(200);
}

#[actix_web::test]
async fn one_vehicle_is_always_the_default() {
    let (_app, owner) = spawn_with_customer().await;
    let first = id_of(&owner.post("/vehicles", with_plate("A1")).await.expect(201));
    let second = id_of(
        &owner.post("/vehicles", with(&with_plate("B2"), "/is_default", json!(true))).await.expect(201),
    );
    assert_eq!(default_of(&owner).await, "B2");
    owner.patch(&format!("/vehicles/{first}"), json!({"is_default": true})).await.expect(200);
    assert_eq!(default_of(&owner).await, "A1");
    let body = json!({"is_default": false});
    owner.patch(&format!("/vehicles/{first}"), body).await.refused_field("is_default");
    owner.patch(&format!("/vehicles/{second}"), json!({"is_default": false})).await.expect(200);
    owner.post("/vehicles", with_plate("C3")).await.expect(201);
    owner.delete(&format!("/vehicles/{first}")).await.expect(204);
    assert_eq!(default_of(&owner).await, "C3", "the newest one is promoted");
}

#[actix_web::test]
async fn a_patch_changes_only_given_fields_and_null_empties_optional_ones() {
    let (_app, owner) = spawn_with_customer().await;
    let made = owner.post("/vehicles", car()).await.expect(201);
    let path = format!("/vehicles/{}", id_of(&made));
    let changed =
        owner.patch(&path, json!({"color": null, "year": null, "model": "Dzire"})).await.expect(200);
    let expected =
        with(&with(&with(&made, "/color", Value::Null), "/year", Value::Null), "/model", json!("Dzire"));
    assert_eq!(changed, with(&expected, "/updated_at", changed["updated_at"].clone()));
    assert_eq!(owner.get(&path).await.expect(200), changed);
}

#[actix_web::test]
async fn another_persons_vehicle_is_not_found() {
    let app = spawn_app().await;
    let (owner, other) = (app.customer().await, app.customer().await);
    let path = format!("/vehicles/{}", id_of(&owner.post("/vehicles", car()).await.expect(201)));
    other.get(&path).await.refused(404, "NOT_FOUND");
    // The object is checked before the body: for somebody else's, the response does not say what is wrong with the request.
    other.patch(&path, json!({"year": "x"})).await.refused(404, "NOT_FOUND");
    other.delete(&path).await.refused(404, "NOT_FOUND");
    assert_eq!(other.get("/vehicles").await.expect(200), json!({"data": []}));
    owner.get(&path).await.expect(200);
    owner.get("/vehicles/x").await.refused_field("id");
}

#[actix_web::test]
async fn a_removed_vehicle_is_gone_and_its_plate_becomes_free() {
    let (_app, owner) = spawn_with_customer().await;
    let path = format!("/vehicles/{}", id_of(&owner.post("/vehicles", car()).await.expect(201)));
    owner.delete(&path).await.expect(204);
    owner.get(&path).await.refused(404, "NOT_FOUND");
    owner.delete(&path).await.refused(404, "NOT_FOUND");
    owner.post("/vehicles", car()).await.expect(201);
}

#[actix_web::test]
async fn only_a_vehicle_without_an_open_job_can_be_removed() {
    let (app, owner) = spawn_with_customer().await;
    let vehicle = owner.post("/vehicles", car()).await.expect(201);
    let path = format!("/vehicles/{}", id_of(&vehicle));
    for status in ["pending", "dispatching", "accepted", "en_route", "arrived", "in_progress"] {
        let job = insert_job(&mut app.database.db.acquire().await.unwrap(), &vehicle, status).await;
        owner.delete(&path).await.refused(409, "VEHICLE_IN_USE");
        set_job_status(&app.database.db, job, "cancelled").await;
    }
    owner.delete(&path).await.expect(204);
}

/// Checks two requests that wait for the vehicle's row: the second one sees the effect of the first.
#[actix_web::test]
async fn a_vehicle_is_not_removed_while_a_job_is_made_for_it() {
    let (app, owner) = spawn_with_customer().await;
    let vehicle = owner.post("/vehicles", car()).await.expect(201);
    let mut tx = app.database.db.begin().await.unwrap();
    insert_job(&mut tx, &vehicle, "pending").await;
    let deletion = actix_web::rt::spawn(async move {
        owner.delete(&format!("/vehicles/{}", id_of(&vehicle))).await.refused(409, "VEHICLE_IN_USE");
    });
    until_blocked(&app.database.db).await;
    tx.commit().await.unwrap();
    deletion.await.unwrap();
}

#[actix_web::test]
async fn a_bad_vehicle_names_its_field() {
    let (_app, owner) = spawn_with_customer().await;
    let path = format!("/vehicles/{}", id_of(&owner.post("/vehicles", car()).await.expect(201)));
    for field in ["vehicle_type", "registration_number"] {
        owner.post("/vehicles", without(&car(), field)).await.refused_field(field);
    }
    for field in ["vehicle_type", "make", "model", "registration_number"] {
        owner.patch(&path, json!({field: null})).await.refused_field(field);
    }
    let bad = [
        ("vehicle_type", json!("boat")),
        ("vehicle_type", json!(4)),
        ("make", json!("")),
        ("make", json!("x".repeat(61))),
        ("make", json!("a\u{0}b")),
        ("model", json!(["Swift"])),
        ("registration_number", json!("-")),
        ("registration_number", json!("KA/01")),
        ("registration_number", json!("A".repeat(16))),
        ("year", json!(1899)),
        ("year", json!(2199)),
        ("year", json!("2021")),
        ("year", json!(2021.5)),
        ("fuel_type", json!("coal")),
        ("color", json!("")),
        ("is_default", json!("yes")),
        ("wheels", json!(4)),
    ];
    for (field, value) in bad {
        owner.post("/vehicles", with(&car(), &format!("/{field}"), value.clone())).await.refused_field(field);
        owner.patch(&path, json!({field: value})).await.refused_field(field);
    }
    for body in [json!([]), json!("x"), json!(null)] {
        owner.post("/vehicles", body).await.refused_field("body");
    }
}

#[actix_web::test]
async fn the_number_of_vehicles_is_limited() {
    let (_app, owner) = spawn_with_customer().await;
    for number in 0..roadcall::catalogue::vehicles::MAX_PER_USER {
        owner.post("/vehicles", with_plate(&format!("N{number}"))).await.expect(201);
    }
    owner.post("/vehicles", with_plate("ONEMORE")).await.refused(409, "CONFLICT");
}

#[actix_web::test]
async fn only_customers_have_vehicles() {
    let app = spawn_app().await;
    app.anonymous().get("/vehicles").await.refused(401, "UNAUTHORIZED");
    app.admin().await.post("/vehicles", json!({"odd": 1})).await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn simultaneous_defaults_leave_one() {
    let (_app, owner) = spawn_with_customer().await;
    let wish = |plate| with(&with_plate(plate), "/is_default", json!(true));
    let asked = ["A1", "B2", "C3", "D4"].map(|plate| owner.post("/vehicles", wish(plate)));
    for answer in futures_util::future::join_all(asked).await {
        answer.expect(201);
    }
    default_of(&owner).await;
}
