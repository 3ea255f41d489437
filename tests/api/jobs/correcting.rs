//! Customers correct jobs before a mechanic is on the way.

use serde_json::{Value, json};

use crate::support::{
    AssertFields, Stranded,
    bodies::{id_of, set},
    roadside::PICKUP,
    rows::until_blocked,
    spawn_on_road, spawn_with_admin, spawn_with_breakdown,
};

/// A latitude about 1.1 km north of the pickup.
const NEARBY: f64 = PICKUP.0 + 0.01;

async fn correct(stranded: &Stranded, job: &str, body: Value) -> Value {
    stranded.client.patch(&format!("/jobs/{job}"), body).await.expect(200)
}

fn moved(lat: f64) -> Value {
    json!({"pickup_lat": lat, "pickup_lng": PICKUP.1})
}

#[actix_web::test]
async fn corrected_details_are_shown_to_everybody() {
    let (app, _admin, mut mechanic, stranded) = spawn_on_road().await;
    let job = app.taken(&stranded, &mut mechanic).await;
    let photo = "https://files.example/left.jpg";
    let body = json!({"pickup_address": "MG Road, behind the station", "description": "Both tyres",
        "photo_urls": [photo], "beneficiary_name": "Meera", "beneficiary_phone": "+919812345678",
        "contact_preference": "both"});
    let own = correct(&stranded, &job, body.clone()).await;
    for (field, value) in body.as_object().expect("fields") {
        assert_eq!(&own[field], value, "{field}");
    }
    let event =
        mechanic.socket.find("the correction", |frame| frame["data"]["description"] == "Both tyres").await;
    assert_eq!((&event["type"], &event["seq"]), (&json!("job.updated"), &own["seq"]));
    assert_eq!(event["data"]["contact"]["people"][0]["first_name"], "Meera");
    let notes = mechanic.client.get("/notifications?type=job_corrected").await.expect(200);
    assert_eq!(notes["data"][0]["data"]["job_id"], job.as_str());
    let timeline = stranded.client.list(&format!("/jobs/{job}/timeline")).await;
    let last = timeline.last().expect("an entry");
    assert_eq!((&last["event"], &last["status"]), (&json!("corrected"), &json!("accepted")));
    let fields = json!(["pickup_address", "description", "photo_urls", "contact"]);
    assert_eq!(last["data"]["fields"], fields);

    let emptied = json!({"description": null, "beneficiary_name": null, "contact_preference": "booker"});
    let own = correct(&stranded, &job, emptied).await;
    assert_eq!((&own["description"], &own["beneficiary_phone"]), (&Value::Null, &json!("+919812345678")));
}

#[actix_web::test]
async fn an_empty_correction_leaves_no_trace() {
    let (app, _admin, mut mechanic, stranded) = spawn_on_road().await;
    let job = app.taken(&stranded, &mut mechanic).await;
    let before = stranded.job(&job).await;
    let mut present = moved(PICKUP.0);
    for field in ["pickup_address", "description", "photo_urls", "contact_preference"] {
        present[field] = before[field].clone();
    }
    for nothing in [json!({}), json!({"quoted_price": 1}), moved(PICKUP.0), present] {
        assert_eq!(correct(&stranded, &job, nothing.clone()).await, before, "{nothing}");
    }
    assert_eq!(mechanic.client.get("/notifications?type=job_corrected").await.expect(200)["data"], json!([]));
    mechanic.tell(&job, "en-route", json!({})).await;
    let late = stranded.client.patch(&format!("/jobs/{job}"), json!({})).await;
    late.refused(409, "INVALID_TRANSITION");
}

#[actix_web::test]
async fn simultaneous_corrections_are_both_kept() {
    let (app, stranded) = spawn_with_breakdown().await;
    let job = id_of(&stranded.call().await);
    let mut held = app.database.db.begin().await.unwrap();
    sqlx::query("select id from jobs for update").execute(&mut *held).await.unwrap();
    let path = format!("/jobs/{job}");
    let named = stranded.client.patch(&path, json!({"beneficiary_name": "Meera"}));
    let numbered = stranded.client.patch(&path, json!({"beneficiary_phone": "+919812345678"}));
    let release = async {
        until_blocked(&app.database.db).await;
        held.commit().await.unwrap();
    };
    let (named, numbered, ()) = tokio::join!(named, numbered, release);
    named.expect(200);
    numbered.expect(200);
    let both = stranded.job(&job).await;
    both.assert_fields(json!({"beneficiary_name": "Meera", "beneficiary_phone": "+919812345678"}));
}

#[actix_web::test]
async fn a_bad_correction_names_its_field() {
    let (app, stranded) = spawn_with_breakdown().await;
    let made = stranded.call().await;
    let job = id_of(&made);
    let path = format!("/jobs/{job}");
    let cases = [
        (json!({"pickup_lat": 12.9}), "pickup_lng"),
        (json!({"pickup_lng": 77.5}), "pickup_lat"),
        (moved(PICKUP.0 + 0.1), "pickup_lat"),
        (json!({"pickup_address": ""}), "pickup_address"),
        (json!({"contact_preference": "both"}), "beneficiary_phone"),
        (json!({"photo_urls": ["http://x.example/1.jpg"]}), "photo_urls[0]"),
        (json!({"vehicle_id": stranded.vehicle_id}), "vehicle_id"),
    ];
    for (body, field) in cases {
        stranded.client.patch(&path, body).await.refused_field(field);
    }
    app.customer().await.patch(&path, json!({"description": "not mine"})).await.refused(404, "NOT_FOUND");
    let kept = stranded.job(&job).await;
    for field in ["pickup_address", "pickup_lat", "description", "contact_preference", "photo_urls"] {
        assert_eq!(kept[field], made[field], "{field}");
    }
}

#[actix_web::test]
async fn a_mechanic_on_the_way_is_not_sent_elsewhere() {
    let (app, _admin, mut mechanic, stranded) = spawn_on_road().await;
    let job = app.taken(&stranded, &mut mechanic).await;
    let moved_job = correct(&stranded, &job, moved(NEARBY)).await;
    assert_eq!((&moved_job["status"], &moved_job["pickup_lat"]), (&json!("accepted"), &json!(NEARBY)));
    mechanic.tell(&job, "en-route", json!({})).await;
    let path = format!("/jobs/{job}");
    stranded.client.patch(&path, moved(PICKUP.0)).await.refused(409, "INVALID_TRANSITION");
    mechanic.ping((PICKUP.0, PICKUP.1)).await;
    let arrive = format!("{path}/arrive");
    mechanic.client.post(&arrive, json!({})).await.refused(422, "TOO_FAR_FROM_PICKUP");
}

#[actix_web::test]
async fn a_moved_job_is_offered_again() {
    let (_app, _admin, mut mechanic, stranded) = spawn_on_road().await;
    let job = id_of(&stranded.call().await);
    let first = mechanic.offer().await;
    correct(&stranded, &job, moved(NEARBY)).await;
    let revoked = mechanic.socket.expect("offer.revoked").await;
    assert_eq!(revoked["data"]["id"], first["id"]);
    let second = mechanic.offer().await;
    assert_eq!(second["job_id"], job.as_str());
    assert!(second["distance_m"].as_u64() > first["distance_m"].as_u64(), "{second}");
    let path = format!("/offers/{}/accept", id_of(&first));
    mechanic.client.post(&path, json!({})).await.refused(409, "OFFER_EXPIRED");
    let path = format!("/offers/{}/accept", id_of(&second));
    assert_eq!(mechanic.client.post(&path, json!({})).await.expect(200)["pickup_lat"], NEARBY);
}

#[actix_web::test]
async fn a_more_expensive_place_needs_consent_first() {
    let (app, admin) = spawn_with_admin().await;
    // The mechanic is 4.8 km to the north, within the free kilometres. From 1.1 km farther south, one more kilometre is
    // charged.
    let mut mechanic = app.on_road_at(&admin, (PICKUP.0 + 0.043, PICKUP.1)).await;
    let stranded = app.breakdown().await;
    let job = app.taken(&stranded, &mut mechanic).await;
    let path = format!("/jobs/{job}");
    let south = moved(PICKUP.0 - 0.01);
    stranded.client.patch(&path, south.clone()).await.refused_saying(409, "PRICE_CHANGED", "309");
    let agreed = |price| set(&south, "quoted_price", json!(price));
    stranded.client.patch(&path, agreed(308.99)).await.refused(409, "PRICE_CHANGED");
    let dearer = correct(&stranded, &job, agreed(309.0)).await;
    assert_eq!((&dearer["travel_price"], &dearer["estimated_price"]), (&json!(10.0), &json!(309.0)));
    let back = correct(&stranded, &job, moved(NEARBY)).await;
    assert_eq!(back["estimated_price"], 309.0, "a move makes nothing cheaper");
}

#[actix_web::test]
async fn a_scheduled_job_moves_to_another_time_until_its_search_begins() {
    let (app, _admin, mut mechanic, stranded) = spawn_on_road().await;
    let hours = |hours| {
        let at = app.now() + chrono::TimeDelta::hours(hours);
        json!(at.to_rfc3339_opts(chrono::SecondsFormat::Millis, true))
    };
    let (first, second) = (hours(10), hours(100));
    let made = stranded.call_with("scheduled_for", first.clone()).await;
    let (job, path) = (id_of(&made), format!("/jobs/{}", id_of(&made)));
    let link = stranded.client.post(&format!("{path}/shares"), json!({})).await.expect(201);
    for odd in [hours(-1), hours(24 * 30), json!("tomorrow")] {
        stranded.client.patch(&path, json!({"scheduled_for": odd})).await.refused_field("scheduled_for");
    }
    let moved = correct(&stranded, &job, json!({"scheduled_for": second})).await;
    assert_eq!((&moved["scheduled_for"], &moved["status"]), (&second, &json!("pending")));
    assert_eq!(correct(&stranded, &job, json!({"scheduled_for": second})).await, moved, "no change");
    let links = stranded.client.get(&format!("{path}/shares")).await.expect(200);
    let ends = |link: &Value| link["expires_at"].as_str().unwrap().to_owned();
    assert!(ends(&links["data"][0]).as_str() > second.as_str().unwrap(), "{links}");
    assert!(ends(&link) < ends(&links["data"][0]));
    let timeline = stranded.client.get(&format!("{path}/timeline")).await.expect(200);
    assert_eq!(timeline["data"][1]["data"]["fields"], json!(["scheduled_for"]));

    // The search begins as soon as possible: the job's actor wakes for it.
    let now = correct(&stranded, &job, json!({"scheduled_for": null})).await;
    assert_eq!(now["scheduled_for"], Value::Null);
    mechanic.accept().await;
    let late = stranded.client.patch(&path, json!({"scheduled_for": second})).await;
    late.refused(409, "INVALID_TRANSITION");
}
