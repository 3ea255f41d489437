//! Requests of partners that are refused, and leave nothing behind.

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::{Insurer, case_body, contract, spawn};
use crate::support::{
    Client, TestApp,
    bodies::{FLAT_TYRE, TOWING, id_of, set, with},
    roadside::PICKUP,
    within,
};

const MEGABYTE: usize = 1024 * 1024;

/// Returns a case with another job.
fn with_job(fields: Value) -> Value {
    let mut case = case_body(0);
    for (field, value) in fields.as_object().expect("fields") {
        case["job"][field] = value.clone();
    }
    case
}

fn towed_to(lat: f64) -> Value {
    let destination = json!({"address": "Lakshmi Motors", "lat": lat, "lng": PICKUP.1});
    with_job(json!({"service_category_slug": "towing", "destination": destination}))
}

/// Makes the contracts that the cases of this test name.
async fn make_contracts(insurer: &Insurer<'_>) {
    let past = json!({"valid_from": "2024-01-01T00:00:00.000Z", "valid_until": "2025-01-01T00:00:00.000Z"});
    contract(&insurer.partner, "expired", past).await;
    contract(&insurer.partner, "future", json!({"valid_from": "2999-01-01T00:00:00.000Z"})).await;
    contract(&insurer.partner, "ended", json!({})).await;
    let listed = insurer.admin.list(&insurer.partner.path("/contracts")).await;
    let ended = listed.iter().find(|one| one["reference"] == "ended").expect("it was made");
    let end = format!("/admin/partner-contracts/{}/end", id_of(ended));
    insurer.admin.post(&end, json!({})).await.expect(200);
    let terms = [FLAT_TYRE, TOWING].map(|id| json!({"service_category_id": id, "pricing": "quoted"}));
    contract(&insurer.partner, "near", json!({"terms": terms, "cover_km": 5})).await;
    contract(&insurer.partner, "ordered", json!({"requires_purchase_order": true})).await;
    let other = insurer.app.partner(&insurer.admin).await;
    contract(&other, "theirs", json!({})).await;
}

#[actix_web::test]
async fn each_fault_of_a_case_is_named_and_leaves_nothing_behind() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, json!({})).await;
    make_contracts(&insurer).await;
    let under = |reference: &str| set(&case_body(0), "contract_reference", json!(reference));
    let far = set(&towed_to(PICKUP.0 + 1.0), "contract_reference", json!("near"));
    for (why, case, field) in [
        ("unknown", under("nothing"), "contract_reference"),
        ("another organisation's", under("theirs"), "contract_reference"),
        ("expired", under("expired"), "contract_reference"),
        ("not yet valid", under("future"), "contract_reference"),
        ("ended", under("ended"), "contract_reference"),
        ("without a purchase order", under("ordered"), "purchase_order"),
        ("not covered", towed_to(PICKUP.0 + 0.01), "job.service_category_slug"),
        ("no category", with_job(json!({"service_category_slug": "magic"})), "job.service_category_slug"),
        ("too far", far, "job.destination"),
        ("no latitude", with_job(json!({"pickup_lat": 91})), "job.pickup_lat"),
        ("no number", with(&case_body(0), "/beneficiary/phone", json!("help")), "beneficiary.phone"),
        ("no VIN", with(&case_body(0), "/vehicle/vin", json!("OIQ")), "vehicle.vin"),
        ("not theirs", set(&case_body(0), "vehicle", json!({"id": insurer.partner.id})), "vehicle.id"),
    ] {
        let answer = insurer.program.post("/partner/cases", case).await;
        assert_eq!(answer.status, 422, "{why}: {}", answer.text);
        answer.refused_field(field);
    }
    assert_eq!(insurer.program.get("/partner/cases").await.expect(200)["total"], 0);
    let left = "select (select count(*) from partner_cases) + (select count(*) from partner_events)
        + (select count(*) from job_facts)";
    assert_eq!(app.value::<i64>(left, &[]).await, 0);
}

#[actix_web::test]
async fn a_reference_belongs_to_one_case_and_the_same_request_finds_it() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, json!({})).await;
    let body = case_body(0);
    let made = insurer.program.post("/partner/cases", body.clone()).await.expect(201);
    let again = insurer.program.post("/partner/cases", body.clone()).await.expect(200);
    assert_eq!((&again["id"], &again["jobs"][0]["id"]), (&made["id"], &made["jobs"][0]["id"]));
    let other = with(&body, "/beneficiary/name", json!("Ravi Kumar"));
    insurer.program.post("/partner/cases", other).await.refused(409, "CONFLICT");
    let jobs = "select count(*) from job_facts";
    assert_eq!(app.value::<i64>(jobs, &[]).await, 1);
    // Another organisation may use the same words.
    let stranger = Insurer::new(&app, json!({})).await;
    let theirs = stranger.program.post("/partner/cases", with_plate(body, "KA05XY0001")).await.expect(201);
    assert_ne!(theirs["id"], made["id"]);
}

/// Returns a case with another plate: a vehicle with an open job can have no second one.
fn with_plate(case: Value, plate: &str) -> Value {
    with(&case, "/vehicle/registration_number", json!(plate))
}

/// Returns the status line of the answer to a body of a megabyte.
async fn answer_to_a_megabyte(app: &TestApp, program: &Client, path: &str) -> String {
    let stream = TcpStream::connect(app.address).await.expect("a connection");
    let (mut reading, mut writing) = stream.into_split();
    let token = program.token().expect("a key");
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {MEGABYTE}\r\n\r\n"
    );
    writing.write_all(head.as_bytes()).await.expect("the head is sent");
    let mut answer = [0_u8; 1024];
    let body = vec![b' '; MEGABYTE];
    // The server may end the connection before it has read the body.
    let (length, _) =
        within("an answer", async { tokio::join!(reading.read(&mut answer), writing.write_all(&body)) })
            .await;
    let length = length.expect("an answer");
    String::from_utf8_lossy(&answer[..length]).lines().next().unwrap_or_default().to_owned()
}

#[actix_web::test]
async fn a_body_of_a_megabyte_is_refused_by_its_size() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, json!({})).await;
    for path in ["/partner/cases", "/partner/offers", "/partner/subscriptions", "/partner/vehicles/import"] {
        let status = answer_to_a_megabyte(&app, &insurer.program, path).await;
        assert!(status.starts_with("HTTP/1.1 413"), "{path}: {status}");
    }
}
