use roadcall_actors::ids::JobId;
use serde_json::{Value, json};

use super::{
    CASES, CUSTOMER, DISPATCH, HERE, NOBODY, OWN_MECHANIC, OWN_PROFILE, OWNER_CUSTOMER, OWNER_ON_JOB, Object,
    PARTICIPANT, PARTICIPANT_OR_DISPATCH, Row, World, made, nothing, reason, row, users::USER,
    vehicles::vehicle,
};
use crate::support::{
    Person,
    bodies::{FLAT_TYRE, id_of},
    money::set_lost_by_silence,
    within,
};

pub const ROWS: &[Row] = &[
    row("POST /jobs/estimate", CUSTOMER).body(job_to_estimate),
    row("POST /jobs", CUSTOMER).body(|| new_job(NOBODY)),
    row("GET /jobs", CUSTOMER),
    row("GET /jobs/{id}", PARTICIPANT).of(ACCEPTED_JOB),
    row("PATCH /jobs/{id}", OWNER_CUSTOMER)
        .of(OPEN_JOB)
        .body(|| json!({"description": "Both tyres are flat"})),
    row("GET /jobs/{id}/timeline", PARTICIPANT).of(ACCEPTED_JOB),
    row("GET /jobs/{id}/photos", PARTICIPANT).of(ACCEPTED_JOB),
    row("POST /jobs/{id}/photos", PARTICIPANT_OR_DISPATCH).of(ACCEPTED_JOB).body(new_photo),
    row("DELETE /jobs/{id}/photos/{item_id}", OWNER_ON_JOB).of(JOB_PHOTO),
    row("GET /jobs/{id}/cancellation-quote", OWNER_CUSTOMER).of(ACCEPTED_JOB),
    row("POST /jobs/{id}/cancel", OWNER_CUSTOMER)
        .of(ACCEPTED_JOB)
        .body(|| json!({"reason_code": "changed_mind", "reason": "it starts again", "quoted_fee": 500})),
    row("POST /jobs/{id}/callback", OWNER_CUSTOMER)
        .of(OPEN_JOB)
        .body(|| json!({"note": "Please call before nine"})),
    row("DELETE /jobs/{id}/callback", OWNER_CUSTOMER).of(OPEN_JOB),
    row("POST /jobs/{id}/retry", OWNER_CUSTOMER).of(OPEN_JOB).body(nothing),
    row("POST /jobs/{id}/en-route", OWN_MECHANIC).of(ACCEPTED_JOB).body(nothing),
    row("POST /jobs/{id}/navigating", OWN_MECHANIC).of(ACCEPTED_JOB).body(|| json!({"is_elsewhere": true})),
    row("POST /jobs/{id}/take-back", OWN_MECHANIC).of(LOST_JOB).body(nothing),
    row("GET /mechanics/me/lost-jobs", OWN_PROFILE),
    row("POST /jobs/{id}/arrive", OWN_MECHANIC)
        .of(ACCEPTED_JOB)
        .body(|| json!({"override_reason": "beside the flyover"})),
    row("POST /jobs/{id}/start", OWN_MECHANIC).of(ACCEPTED_JOB).body(|| json!({"start_code": "0000"})),
    row("POST /jobs/{id}/load", OWN_MECHANIC)
        .of(ACCEPTED_JOB)
        .body(|| json!({"photo_urls": ["https://files.example/a.jpg"]})),
    row("POST /jobs/{id}/tow", OWN_MECHANIC).of(ACCEPTED_JOB).body(new_tow),
    row("POST /jobs/{id}/complete", OWN_MECHANIC).of(ACCEPTED_JOB).body(|| {
        json!({"outcome": "fixed", "notes": "a nail", "photo_urls": ["https://files.example/a.jpg"],
            "received_by": null})
    }),
    row("POST /jobs/{id}/release", OWN_MECHANIC)
        .of(ACCEPTED_JOB)
        .body(|| json!({"reason_code": "missing_parts"})),
    row("POST /jobs/{id}/no-show", OWN_MECHANIC).of(ACCEPTED_JOB).body(nothing),
    row("GET /jobs/{id}/line-items", PARTICIPANT).of(ACCEPTED_JOB),
    row("POST /jobs/{id}/line-items", OWN_MECHANIC).of(ACCEPTED_JOB).body(new_line_item),
    row("PATCH /jobs/{id}/line-items/{item_id}", OWN_MECHANIC).of(LINE_ITEM).body(new_line_item),
    row("DELETE /jobs/{id}/line-items/{item_id}", OWN_MECHANIC).of(LINE_ITEM),
    row("POST /jobs/{id}/line-items/{item_id}/approve", OWNER_CUSTOMER)
        .of(LINE_ITEM)
        .body(|| json!({"version": 1, "quoted_total": 120})),
    row("POST /jobs/{id}/line-items/{item_id}/reject", OWNER_CUSTOMER)
        .of(LINE_ITEM)
        .body(|| json!({"version": 1})),
    row("GET /admin/jobs", CASES),
    row("GET /admin/jobs/{id}", CASES).of(OPEN_JOB),
    row("GET /admin/jobs/{id}/cancellation-quote", DISPATCH).of(OPEN_JOB),
    row("POST /admin/jobs/{id}/assign", DISPATCH)
        .of(OPEN_JOB)
        .body(|| json!({"mechanic_profile_id": NOBODY})),
    row("POST /admin/jobs/{id}/reassign", DISPATCH).of(ACCEPTED_JOB).body(reason),
    row("POST /admin/jobs/{id}/retry", DISPATCH).of(OPEN_JOB).body(nothing),
    row("POST /admin/jobs/{id}/cancel", DISPATCH).of(OPEN_JOB).body(reason),
    row("GET /admin/callbacks", DISPATCH),
    row("POST /admin/callbacks/{job_id}/done", DISPATCH)
        .of(CALLBACK)
        .body(|| json!({"outcome": "not_reached", "note": "Twice"})),
    row("POST /admin/users/{id}/jobs/estimate", DISPATCH).of(USER).body(job_to_estimate),
    row("POST /admin/users/{id}/jobs", DISPATCH).of(USER).body(|| new_job(NOBODY)),
];

/// The customer's job, which waits for a mechanic.
pub const OPEN_JOB: Object = Object::Id(|world| Box::pin(open_job(world)));

/// The customer's open job, about which they asked to be called.
const CALLBACK: Object = Object::Id(|world| Box::pin(callback(world)));

/// The customer's job, accepted by the mechanic.
pub const ACCEPTED_JOB: Object = Object::Id(|world| Box::pin(accepted_job(world)));

/// The customer's accepted job, with one of their photos.
const JOB_PHOTO: Object = Object::Ids(|world| Box::pin(job_photo(world)));

/// The customer's job, taken from the mechanic because nothing came from their phone.
const LOST_JOB: Object = Object::Id(|world| Box::pin(lost_job(world)));

/// The customer's job in progress, with an undecided line item.
const LINE_ITEM: Object = Object::Ids(|world| Box::pin(line_item(world)));

/// The customer's job, completed by the mechanic and not paid.
pub const DONE_JOB: Object = Object::Id(|world| Box::pin(done_job(world)));

/// Makes a job that is the only open one of the customer, so that the mechanic is free for it.
pub async fn open_job(world: &World<'_>) -> String {
    let open = "pending,dispatching,accepted,en_route,arrived,in_progress,no_mechanic_found";
    let jobs = world.customer().get(&format!("/jobs?limit=100&status={open}")).await.expect(200);
    for job in jobs["data"].as_array().into_iter().flatten() {
        world.as_admin(&format!("/admin/jobs/{}/cancel", id_of(job)), reason()).await;
        remove_vehicle(world, job).await;
    }
    let vehicle = vehicle(world).await;
    made(world.customer(), "/jobs", new_job(&vehicle)).await
}

/// Removes the vehicle of a job: a person may have only a few.
async fn remove_vehicle(world: &World<'_>, job: &Value) {
    let vehicle = job["vehicle_id"].as_str().expect("an id");
    world.customer().delete(&format!("/vehicles/{vehicle}")).await.expect(204);
}

async fn callback(world: &World<'_>) -> String {
    let job = open_job(world).await;
    world.customer().post(&format!("/jobs/{job}/callback"), nothing()).await.expect(200);
    job
}

pub async fn accepted_job(world: &World<'_>) -> String {
    let id = open_job(world).await;
    assign(world, &id, &world.profile_id).await;
    id
}

/// Assigns a new job to a mechanic.
pub async fn assign(world: &World<'_>, job: &str, profile_id: &str) {
    within("its search begins", async {
        while world.admin().get(&format!("/jobs/{job}")).await.expect(200)["status"] == "pending" {}
    })
    .await;
    let body = json!({"mechanic_profile_id": profile_id, "override_reason": "nobody else is near"});
    world.as_admin(&format!("/admin/jobs/{job}/assign"), body).await;
}

/// Lets the mechanic of an accepted job arrive.
pub async fn arrive(mechanic: &Person, job: &str) {
    mechanic.post(&format!("/jobs/{job}/en-route"), nothing()).await.expect(200);
    let here = json!({"override_reason": "beside the flyover"});
    mechanic.post(&format!("/jobs/{job}/arrive"), here).await.expect(200);
}

async fn job_photo(world: &World<'_>) -> [String; 2] {
    let job = accepted_job(world).await;
    let photo = made(world.customer(), &format!("/jobs/{job}/photos"), new_photo()).await;
    [job, photo]
}

async fn lost_job(world: &World<'_>) -> String {
    let job = accepted_job(world).await;
    world.as_admin(&format!("/admin/jobs/{job}/reassign"), reason()).await;
    set_lost_by_silence(&world.app.database.db, &job).await;
    let id = JobId(job.parse().expect("a UUID"));
    world.app.engine().refresh(id, None).await.expect("the job's actor");
    job
}

/// Makes a job in progress. An admin who ends it to make room for the next one leaves no fee behind.
pub async fn job_at_work(world: &World<'_>) -> String {
    let (job, mechanic) = (accepted_job(world).await, world.mechanic());
    arrive(mechanic, &job).await;
    let code = world.customer().get(&format!("/jobs/{job}")).await.expect(200)["start_code"].clone();
    mechanic.post(&format!("/jobs/{job}/start"), json!({"start_code": code})).await.expect(200);
    job
}

pub async fn line_item(world: &World<'_>) -> [String; 2] {
    let job = job_at_work(world).await;
    let item = made(world.mechanic(), &format!("/jobs/{job}/line-items"), new_line_item()).await;
    [job, item]
}

pub async fn done_job(world: &World<'_>) -> String {
    let job = job_at_work(world).await;
    complete(world, &job).await;
    job
}

/// Completes a job in progress.
pub async fn complete(world: &World<'_>, job: &str) {
    let path = format!("/jobs/{job}/complete");
    let done = world.mechanic().post(&path, json!({"outcome": "fixed"})).await.expect(200);
    remove_vehicle(world, &done).await;
}

fn new_job(vehicle: &str) -> Value {
    json!({
        "vehicle_id": vehicle, "service_category_id": FLAT_TYRE, "pickup_address": "MG Road, opposite the park",
        "pickup_lat": HERE.0, "pickup_lng": HERE.1, "destination": null, "description": "flat at the back",
        "photo_urls": ["https://files.example/a.jpg"], "beneficiary_name": "Ravi",
        "beneficiary_phone": "+919812300000", "contact_preference": "both", "urgency": "normal",
        "scheduled_for": null,
    })
}

fn job_to_estimate() -> Value {
    json!({
        "vehicle_id": NOBODY, "service_category_id": FLAT_TYRE, "pickup_lat": HERE.0, "pickup_lng": HERE.1,
    })
}

fn new_tow() -> Value {
    json!({"destination": {"workshop_id": null, "address": "12 Hosur Road", "lat": 12.934, "lng": 77.611}})
}

fn new_photo() -> Value {
    json!({"stage": "before", "file_url": "https://files.example/a.jpg"})
}

pub fn new_line_item() -> Value {
    json!({
        "type": "part", "description": "Tubeless valve", "quantity": 1, "unit_price": 120,
        "photo_url": "https://files.example/valve.jpg",
    })
}
