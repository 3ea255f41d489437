//! Contracts, the questions of categories, and what a contract covers.

use std::slice::from_ref;

use serde_json::{Value, json};

use crate::support::{
    Client, Person,
    bodies::{FLAT_TYRE, TOWING, id_of, set, without},
    cases::{Contracted, new_contract},
    roadside::PICKUP,
    spawn_app, spawn_with_admin,
};

fn tow_terms() -> Value {
    json!({"service_category_id": TOWING, "pricing": "agreed", "call_out": 1500, "included_km": 5, "per_km": 40})
}

async fn listed(client: &Client) -> Vec<Value> {
    client.get("/partner/contracts").await.expect(200)["data"].as_array().expect("a list").clone()
}

async fn actions(admin: &Person, object: &str) -> Vec<Value> {
    let log = admin.get(&format!("/admin/audit-log?object_id={object}")).await.expect(200);
    log["data"].as_array().unwrap().iter().rev().map(|entry| entry["action"].clone()).collect()
}

#[actix_web::test]
async fn a_contract_is_made_once_shown_to_its_partner_alone_and_ended() {
    let (app, admin) = spawn_with_admin().await;
    let (partner, other) = (app.partner(&admin).await, app.partner(&admin).await);
    let path = partner.path("/contracts");
    let mut body = set(&new_contract("ROAD-2026"), "cover", json!(2500));
    body = set(&body, "terms", json!([{"service_category_id": FLAT_TYRE, "pricing": "quoted"}, tow_terms()]));
    let made = admin.post_once(&path, &body, "road").await.expect(201);
    assert_eq!(admin.post_once(&path, &body, "road").await.expect(201), made);
    assert_eq!((&made["cover"], &made["cover_km"]), (&json!(2500.0), &Value::Null));
    assert_eq!(made["texts"], json!(["link", "arrival"]));
    assert_eq!(made["terms"][1]["call_out"], 1500.0);
    assert_eq!(made["terms"][0]["gone_on_arrival_percent"], 50);

    let program = partner.program(&["read"]).await;
    assert_eq!(listed(&program).await, from_ref(&made));
    assert_eq!(listed(&other.program(&["read"]).await).await, [Value::Null; 0]);
    assert_eq!(admin.get(&path).await.expect(200)["data"], json!([made]));

    let end = format!("/admin/partner-contracts/{}/end", id_of(&made));
    let ended = admin.post(&end, json!({})).await.expect(200);
    assert!(ended["ended_at"].is_string());
    assert_eq!(admin.post(&end, json!({})).await.expect(200), ended, "a repeat changes nothing");
    assert_eq!(actions(&admin, &id_of(&made)).await, ["partner_contract.create", "partner_contract.end"]);
}

#[actix_web::test]
async fn terms_that_do_not_fit_together_are_refused() {
    let (app, admin) = spawn_with_admin().await;
    let partner = app.partner(&admin).await;
    let path = partner.path("/contracts");
    let quoted = json!({"service_category_id": FLAT_TYRE, "pricing": "quoted"});
    let nowhere = json!({"service_category_id": "018f0000-0000-7000-8000-00000000dead", "pricing": "quoted"});
    for (terms, field) in [
        (json!([]), "terms"),
        (json!([quoted, quoted]), "terms[1].service_category_id"),
        (json!([nowhere]), "terms[0].service_category_id"),
        (json!([without(&set(&tow_terms(), "per_km", json!(0)), "call_out")]), "terms[0].call_out"),
        (json!([set(&quoted, "per_km", json!(1))]), "terms[0].per_km"),
        (json!([set(&quoted, "cancelled_percent", json!(101))]), "terms[0].cancelled_percent"),
    ] {
        let body = set(&new_contract("odd"), "terms", terms);
        admin.post(&path, body).await.refused_field(field);
    }
    let until = json!({"valid_from": "2026-02-01T00:00:00Z", "valid_until": "2026-02-01T00:00:00Z"});
    let mut body = new_contract("odd");
    for field in ["valid_from", "valid_until"] {
        body = set(&body, field, until[field].clone());
    }
    admin.post(&path, body).await.refused_field("valid_until");
    admin.post(&path, set(&new_contract("odd"), "cover", json!(0))).await.refused_field("cover");
    admin.post(&path, new_contract("Odd")).await.expect(201);
    admin.post(&path, new_contract("ODD")).await.refused_field("reference");
}

#[actix_web::test]
async fn coverage_says_what_help_would_cost_and_who_would_pay_it() {
    let app = spawn_app().await;
    let terms = json!([{"service_category_id": FLAT_TYRE, "pricing": "quoted"}, tow_terms()]);
    let club = Contracted::with(&app, json!({"cover": 1600, "cover_km": 20, "terms": terms})).await;
    let ask = json!({"contract_reference": "ROADSIDE", "service_category_slug": "flat-tyre",
        "vehicle_type": "four_wheeler", "pickup_lat": PICKUP.0, "pickup_lng": PICKUP.1});
    let tow = |north: f64| {
        let destination = json!({"lat": PICKUP.0 + north, "lng": PICKUP.1});
        set(&set(&ask, "service_category_slug", json!("towing")), "destination", destination)
    };
    let answer = async |body: Value| club.program.post("/partner/coverage", body).await.expect(200);

    let repair = answer(ask.clone()).await;
    assert_eq!((&repair["is_covered"], &repair["reason"]), (&json!(true), &Value::Null));
    assert_eq!(repair["price"], 299.0);
    assert_eq!((&repair["payable"], &repair["driver_pays"]), (&json!(299.0), &json!(0.0)));
    let near = answer(tow(0.01)).await;
    assert_eq!((&near["price"], &near["payable"]), (&json!(1500.0), &json!(1500.0)));
    let farther = answer(tow(0.08)).await;
    let price = farther["price"].as_f64().expect("a price");
    assert!(price > 1600.0, "kilometres beyond the included ones cost more: {farther}");
    assert_eq!((&farther["payable"], &farther["driver_pays"]), (&json!(1600.0), &json!(price - 1600.0)));
    let too_far = answer(tow(0.2)).await;
    assert_eq!((&too_far["is_covered"], &too_far["reason"]), (&json!(false), &json!("destination_too_far")));
    assert_eq!(too_far["price"], Value::Null);

    let battery = set(&ask, "service_category_slug", json!("battery-jump-start"));
    assert_eq!(answer(battery).await["reason"], "category_not_covered");
    let unknown = set(&ask, "contract_reference", json!("another"));
    club.program.post("/partner/coverage", unknown).await.refused_field("contract_reference");
    let ended = club.admin.get(&club.partner.path("/contracts")).await.expect(200)["data"][0]["id"].clone();
    let end = format!("/admin/partner-contracts/{}/end", ended.as_str().expect("an id"));
    club.admin.post(&end, json!({})).await.expect(200);
    assert_eq!(answer(ask).await["reason"], "not_valid");
}

#[actix_web::test]
async fn admins_set_the_questions_of_a_category_which_partners_read_in_their_contract() {
    let (app, admin) = spawn_with_admin().await;
    let path = format!("/admin/service-categories/{FLAT_TYRE}/questions");
    let questions = json!({"questions": [
        {"key": "wheels_turn", "text": "Do the wheels turn?", "kind": "yes_no"},
        {"key": "spare", "text": "Is there a spare wheel?", "kind": "choice", "choices": ["yes", "no", "flat"]},
    ]});
    let asked = admin.put(&path, questions).await.expect(200);
    assert_eq!(asked["questions"][1]["choices"], json!(["yes", "no", "flat"]));
    assert_eq!(admin.get(&path).await.expect(200), asked);
    let club = Contracted::new(&app).await;
    assert_eq!(listed(&club.program).await[0]["terms"][0]["questions"], asked["questions"]);
    let first = without(&asked["questions"][0], "choices");
    let twice = json!({"questions": [first, {"key": "spare", "text": "?", "kind": "choice"}]});
    admin.put(&path, twice).await.refused_field("questions[1].choices");
    assert_eq!(actions(&admin, FLAT_TYRE).await, ["service_category.set_questions"]);
}
