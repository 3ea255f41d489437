use roadcall_actors::ids::JobId;
use serde_json::{Value, json};

use super::{CASES, DISPATCH, Object, PARTNER, Row, World, made, nothing, number, row};
use crate::support::{
    bodies::id_of,
    cases::{new_case, new_contract, next_number},
    roadside::PICKUP,
};

pub const ROWS: &[Row] = &[
    row("GET /partner/cases", PARTNER),
    row("POST /partner/cases", PARTNER).body(any_case),
    row("GET /partner/cases/by-reference/{reference}", PARTNER).of(REFERENCE),
    row("GET /partner/cases/{id}", PARTNER).of(CASE),
    row("POST /partner/cases/{id}/close", PARTNER).of(CASE).body(nothing),
    row("POST /partner/cases/{id}/jobs", PARTNER).of(CASE).body(|| any_case()["job"].clone()),
    row("GET /partner/jobs/{id}", PARTNER).of(JOB),
    row("GET /partner/jobs/{id}/location", PARTNER).of(JOB),
    row("POST /partner/jobs/{id}/cancel", PARTNER).of(JOB).body(|| json!({"reason_code": "other"})),
    row("POST /partner/jobs/{id}/retry", PARTNER).of(JOB).body(nothing),
    row("POST /partner/jobs/{id}/shares", PARTNER).of(JOB).body(nothing),
    row("POST /partner/jobs/{id}/promise/accept", PARTNER).of(JOB).body(nothing),
    row("POST /partner/jobs/{id}/promise/refuse", PARTNER).of(JOB).body(|| json!({"reason": "too late"})),
    row("POST /partner/jobs/{id}/line-items/{item_id}/approve", PARTNER)
        .of(ITEM)
        .body(|| json!({"version": 1})),
    row("POST /partner/jobs/{id}/line-items/{item_id}/reject", PARTNER)
        .of(ITEM)
        .body(|| json!({"version": 1})),
    row("GET /partner/vehicles", PARTNER),
    row("POST /partner/vehicles", PARTNER).body(new_vehicle),
    row("POST /partner/vehicles/import", PARTNER)
        .body(|| json!({"csv": "vehicle_type,registration_number\ntwo_wheeler,KA09AB1234\n"})),
    row("GET /partner/report", PARTNER),
    row("GET /admin/partner-cases", CASES),
    row("GET /admin/partner-cases/{id}", CASES).of(CASE),
    row("POST /admin/jobs/{id}/extend-promise", DISPATCH)
        .of(JOB)
        .body(|| json!({"minutes": 15, "reason": "a road is closed"})),
];

/// A case of the callers' organisation.
const CASE: Object = Object::Id(|world| Box::pin(async move { id_of(&case(world).await) }));

const REFERENCE: Object = Object::Id(|world| {
    Box::pin(async move { case(world).await["partner_reference"].as_str().expect("a reference").to_owned() })
});

const JOB: Object = Object::Id(|world| Box::pin(async move { id_of(&case(world).await["jobs"][0]) }));

/// Extra work of a job of the callers' organisation.
const ITEM: Object = Object::Ids(|world| {
    Box::pin(async move {
        let job = id_of(&case(world).await["jobs"][0]);
        let now = world.app.service.clock.now();
        let id = world.app.service.random.id(now);
        sqlx::query(
            "insert into line_items (id, job_id, kind, description, quantity, unit_price_paise, status, version, created_at,
                updated_at)
            values ($1, $2::uuid, 'part', 'Valve', 1, 100, 'proposed', 1, $3, $3)",
        )
        .bind(id)
        .bind(&job)
        .bind(now)
        .execute(&world.app.database.db)
        .await
        .expect("an item");
        let actor = JobId(job.parse().expect("a UUID"));
        world.app.engine().refresh(actor, None).await.expect("the job's actor");
        [job, id.to_string()]
    })
});

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

fn new_vehicle() -> Value {
    json!({"vehicle_type": "two_wheeler", "registration_number": format!("KA08{}", next_number())})
}
