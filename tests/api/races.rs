//! Many identical requests at once: one wins, the others get the response of a later request, and none fails.

use futures_util::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Answer, Client, Person, TestApp, rows::copy_job, spawn_app, spawn_app_with};

async fn at_once(client: &Client, path: &str, bodies: Vec<Value>) -> Vec<Answer> {
    join_all(bodies.into_iter().map(|body| client.post(path, body))).await
}

/// Returns how many created something; the other responses must be the expected refusal.
fn made(answers: &[Answer]) -> usize {
    for answer in answers {
        assert!([200, 201, 409].contains(&answer.status), "{}: {}", answer.status, answer.body);
    }
    answers.iter().filter(|answer| answer.status == 201).count()
}

/// Makes a customer who owes this many cancellation fees; returns them and their jobs.
async fn customer_owing(app: &TestApp, many: usize) -> (Person, Vec<String>) {
    let scene = app.accepted().await;
    let cancel = json!({"reason_code": "changed_mind", "accept_fee": true});
    scene.customer.post(&scene.path("/cancel"), cancel).await.expect(200);
    let mut jobs = vec![scene.job.clone()];
    for _ in 1..many {
        let id = app.service.random.id(app.now());
        let like: Uuid = scene.job.parse().expect("an id");
        copy_job(&app.database.db, like, id).await;
        let copy = "insert into cancellation_fees select (jsonb_populate_record(f, jsonb_build_object('job_id', $2))).*
            from cancellation_fees f where job_id = $1";
        sqlx::query(copy).bind(like).bind(id).execute(&app.database.db).await.expect("a copy");
        jobs.push(id.to_string());
    }
    (scene.customer, jobs)
}

#[actix_web::test]
async fn simultaneous_orders_for_overlapping_fees_are_made_one_after_the_other() {
    let app = spawn_app_with(|settings| settings.fees.free_after_accept_s = 0).await;
    let (customer, jobs) = customer_owing(&app, 8).await;
    // These are twenty-eight pairs: most have no job in common.
    let pairs = (0..8).flat_map(|one| (one + 1..8).map(move |other| (one, other)));
    let bodies = pairs.map(|(one, other)| json!({"fee_job_ids": [jobs[one], jobs[other]]})).collect();
    let answers = at_once(&customer, "/payments/orders", bodies).await;
    assert!(made(&answers) > 0);
    let open = customer.get("/payments?limit=100").await.expect(200);
    let open = open["data"].as_array().expect("a list").iter().filter(|payment| payment["is_open"] == true);
    assert_eq!(open.count(), 1, "one can be paid");
}

#[actix_web::test]
async fn unique_objects_are_made_once() {
    let app = spawn_app().await;
    let (customer, admin) = (app.customer().await, app.admin().await);
    let mechanic = app.verified_mechanic(&admin).await.client;
    let vehicle = json!({"vehicle_type": "two_wheeler", "make": "Honda", "model": "Activa", "is_default": true,
        "registration_number": "KA01AB1234"});
    let category = json!({"name": "Glass", "slug": "glass", "vehicle_types": ["four_wheeler"], "base_price": 100,
        "per_km_price": 12, "estimated_duration_min": 40});
    let account = json!({"vpa": "ravi@okbank", "holder_name": "Ravi Kumar"});
    let cases: [(&Client, &str, Value); 3] = [
        (&customer, "/vehicles", vehicle.clone()),
        (&admin, "/service-categories", category),
        (&mechanic, "/wallet/upi", account),
    ];
    for (client, path, body) in cases {
        let answers = at_once(client, path, vec![body; 12]).await;
        assert_eq!(made(&answers), 1, "{path}");
    }
    // Each would be the default.
    let defaults = (0..12).map(|number| {
        let mut vehicle = vehicle.clone();
        vehicle["registration_number"] = json!(format!("KA02AB12{number:02}"));
        vehicle
    });
    assert!(made(&at_once(&customer, "/vehicles", defaults.collect()).await) > 0);
    let listed = customer.get("/vehicles").await.expect(200);
    let defaults = listed["data"].as_array().expect("a list").iter().filter(|one| one["is_default"] == true);
    assert_eq!(defaults.count(), 1);
    let push =
        |number| json!({"token": format!("token-{number}"), "platform": "android", "device_id": "phone"});
    for answer in at_once(&customer, "/notifications/push-tokens", (0..12).map(push).collect()).await {
        assert!([200, 201, 204, 409].contains(&answer.status), "{}: {}", answer.status, answer.body);
    }
}
