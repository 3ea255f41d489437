//! Requests of partners that are refused, and leave nothing behind.

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::{insurer, spawn};
use crate::support::{
    Client, TestApp,
    bodies::{set, with},
    cases::{Contracted, new_case, new_contract},
    roadside::PICKUP,
    within,
};

const MEGABYTE: usize = 1024 * 1024;

/// Makes contracts that do not hold now.
async fn make_contracts(insurer: &Contracted<'_>) {
    let (past, end, future) =
        ("2024-01-01T00:00:00.000Z", "2025-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z");
    let begun = |reference: &str, at: &str| set(&new_contract(reference), "valid_from", json!(at));
    let expired = set(&begun("expired", past), "valid_until", json!(end));
    for contract in [expired, begun("future", future)] {
        insurer.admin.post(&insurer.partner.path("/contracts"), contract).await.expect(201);
    }
}

#[actix_web::test]
async fn each_fault_of_a_case_is_named_and_leaves_nothing_behind() {
    let app = spawn().await;
    let insurer = insurer(&app, json!({"cover_km": 5})).await;
    make_contracts(&insurer).await;
    let under = |reference: &str| new_case(reference, PICKUP);
    let case = |at: &str, value: Value| with(&under("roadside"), at, value);
    let nobodys = json!({"id": insurer.partner.id});
    for (why, case, field) in [
        ("unknown", under("nothing"), "contract_reference"),
        ("expired", under("expired"), "contract_reference"),
        ("not yet valid", under("future"), "contract_reference"),
        ("not covered", case("/job/service_category_slug", json!("towing")), "job.service_category_slug"),
        ("no latitude", case("/job/pickup_lat", json!(91)), "job.pickup_lat"),
        ("no number", case("/beneficiary/phone", json!("help")), "beneficiary.phone"),
        ("no VIN", case("/vehicle/vin", json!("OIQ")), "vehicle.vin"),
        ("not theirs", case("/vehicle", nobodys), "vehicle.id"),
    ] {
        let answer = insurer.program.post("/partner/cases", case).await;
        assert_eq!(answer.status, 422, "{why}: {}", answer.text);
        answer.refused_field(field);
    }
    let left = "select (select count(*) from partner_cases) + (select count(*) from partner_events)
        + (select count(*) from job_facts) + (select count(*) from vehicles)";
    assert_eq!(app.value::<i64>(left, &[]).await, 0);
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
    let (mut answer, body) = ([0_u8; 1024], vec![b' '; MEGABYTE]);
    // The server may end the connection before it has read the body.
    let both = async { tokio::join!(reading.read(&mut answer), writing.write_all(&body)) };
    let (length, _) = within("an answer", both).await;
    let answer = &answer[..length.expect("an answer")];
    String::from_utf8_lossy(answer).lines().next().unwrap_or_default().to_owned()
}

#[actix_web::test]
async fn a_body_of_a_megabyte_is_refused_by_its_size() {
    let app = spawn().await;
    let insurer = insurer(&app, json!({})).await;
    for path in ["/partner/cases", "/partner/offers", "/partner/subscriptions", "/partner/vehicles/import"] {
        let status = answer_to_a_megabyte(&app, &insurer.program, path).await;
        assert!(status.starts_with("HTTP/1.1 413"), "{path}: {status}");
    }
}
