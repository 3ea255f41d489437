use serde_json::{Value, json};

use super::{
    CASES, DISPATCH, NOBODY, Object, PARTNER, Row, World,
    jobs::{arrive, assign, new_line_item},
    made, nothing, number, row,
};
use crate::support::{
    bodies::id_of,
    cases::{new_case, new_contract, next_number},
    roadside::PICKUP,
    uploads::case_document,
};

pub const ROWS: &[Row] = &[
    row("GET /partner/cases", PARTNER),
    row("POST /partner/cases", PARTNER).body(any_case),
    row("GET /partner/cases/by-reference/{reference}", PARTNER).of(REFERENCE),
    row("GET /partner/cases/{id}", PARTNER).of(CASE),
    row("POST /partner/cases/{id}/close", PARTNER).of(CASE).body(nothing),
    row("POST /partner/cases/{id}/jobs", PARTNER).of(CASE).body(|| any_case()["job"].clone()),
    row("GET /partner/jobs/{id}", PARTNER).of(JOB),
    row("GET /partner/jobs/{id}/photos", PARTNER).of(JOB),
    row("GET /partner/jobs/{id}/location", PARTNER).of(JOB),
    row("POST /partner/jobs/{id}/cancel", PARTNER).of(JOB).body(|| json!({"reason_code": "other"})),
    row("POST /partner/jobs/{id}/retry", PARTNER).of(JOB).body(nothing),
    row("POST /partner/jobs/{id}/shares", PARTNER).of(JOB).body(nothing),
    row("POST /partner/jobs/{id}/promise/accept", PARTNER).of(JOB).body(nothing),
    row("POST /partner/jobs/{id}/promise/refuse", PARTNER).of(JOB).body(|| json!({"reason": "too late"})),
    row("POST /partner/jobs/{id}/line-items/{item_id}/approve", PARTNER)
        .of(ITEM)
        .body(|| json!({"version": 1, "quoted_total": 120})),
    row("POST /partner/jobs/{id}/line-items/{item_id}/reject", PARTNER)
        .of(ITEM)
        .body(|| json!({"version": 1})),
    row("GET /partner/vehicles", PARTNER),
    row("POST /partner/vehicles", PARTNER).body(new_vehicle),
    row("POST /partner/vehicles/import", PARTNER)
        .body(|| json!({"csv": "vehicle_type,registration_number\ntwo_wheeler,KA09AB1234\n"})),
    row("GET /partner/drivers", PARTNER),
    row("POST /partner/drivers", PARTNER).body(new_driver),
    row("POST /partner/drivers/import", PARTNER)
        .body(|| json!({"csv": "reference,name,phone\nD-1,Asha Rao,+919876543210\n"})),
    row("DELETE /partner/drivers/{id}", PARTNER).of(DRIVER),
    row("POST /partner/cases/{id}/uploads", PARTNER)
        .of(CASE)
        .body(|| json!({"content_type": "application/pdf", "size_bytes": 512})),
    row("POST /partner/cases/{id}/documents", PARTNER)
        .of(CASE)
        .body(|| json!({"upload_id": NOBODY, "kind": "policy", "name": "The policy"})),
    row("GET /partner/cases/{id}/documents", PARTNER).of(CASE),
    row("DELETE /partner/cases/{id}/documents/{item_id}", PARTNER).of(DOCUMENT),
    row("GET /partner/report", PARTNER),
    row("GET /admin/partner-cases", CASES),
    row("GET /admin/partner-cases/{id}", CASES).of(CASE),
    row("GET /admin/partner-cases/{id}/documents", CASES).of(CASE),
    row("POST /admin/jobs/{id}/extend-promise", DISPATCH)
        .of(JOB)
        .body(|| json!({"minutes": 15, "reason": "a road is closed"})),
];

/// A case of the callers' organisation.
const CASE: Object = Object::Id(|world| Box::pin(async move { id_of(&case(world).await) }));

const REFERENCE: Object = Object::Id(|world| {
    Box::pin(async move { case(world).await["partner_reference"].as_str().expect("a reference").to_owned() })
});

/// A driver of the callers' organisation.
const DRIVER: Object = Object::Id(|world| {
    Box::pin(async move {
        let key = world.caller(12).expect("the partner's key");
        made(key, "/partner/drivers", new_driver()).await
    })
});

/// A document of a case of the callers' organisation.
const DOCUMENT: Object = Object::Ids(|world| {
    Box::pin(async move {
        let case = id_of(&case(world).await);
        let key = world.caller(12).expect("the partner's key");
        let document = id_of(&case_document(key, &case).await);
        [case, document]
    })
});

const JOB: Object = Object::Id(|world| Box::pin(async move { id_of(&case(world).await["jobs"][0]) }));

/// Undecided extra work of a job of the callers' organisation.
const ITEM: Object = Object::Ids(|world| Box::pin(item(world)));

/// Makes a job in progress, whose mechanic has no other, with a line item.
async fn item(world: &World<'_>) -> [String; 2] {
    let job = id_of(&case(world).await["jobs"][0]);
    let mechanic = world.app.verified_mechanic(world.admin()).await;
    assign(world, &job, &mechanic.profile_id).await;
    arrive(&mechanic.client, &job).await;
    // The link of the person who is helped shows the code, and nothing else does.
    let code: String =
        world.app.value("select start_code from job_states where id = $1::uuid", &[&job]).await;
    let begin = json!({"start_code": code});
    mechanic.client.post(&format!("/jobs/{job}/start"), begin).await.expect(200);
    let item = made(&mechanic.client, &format!("/jobs/{job}/line-items"), new_line_item()).await;
    [job, item]
}

/// Makes a case under a contract of its own.
async fn case(world: &World<'_>) -> Value {
    let reference = format!("contract {}", number());
    let path = format!("/admin/organisations/{}/contracts", world.organisation_id);
    made(world.admin(), &path, new_contract(&reference)).await;
    let key = world.caller(12).expect("the partner's key");
    key.post("/partner/cases", new_case(&reference, PICKUP)).await.expect(201)
}

fn any_case() -> Value {
    new_case("roadside", PICKUP)
}

fn new_driver() -> Value {
    json!({"reference": format!("D-{}", next_number()), "name": "Asha Rao", "phone": "+919876543210"})
}

fn new_vehicle() -> Value {
    json!({"vehicle_type": "two_wheeler", "registration_number": format!("KA08{}", next_number())})
}
