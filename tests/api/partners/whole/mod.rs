//! Partners as a whole: a case from the key to the bill, deliveries while everything fails, the routes and objects that each
//! partner reaches, and the cost for a service without partners.

mod addresses;
mod costs;
mod deliveries;
mod faulty;
mod principals;

use roadcall::{accounting::ledger, service::settings::Settings};
use serde_json::{Value, json};

use crate::support::{
    AssertFields, TestApp,
    bodies::id_of,
    cases::{Contracted, Taken},
    hooks::{HookReceiver, is_signed, kind_of, seq_of},
    partners::ALL_SCOPES,
    peer::PeerRequest,
    roadside::PICKUP,
    rows::booked_for_job,
    spawn_app_with, until,
};

/// The events that a case has whose job is served, in their order.
const TOLD: [&str; 17] = [
    "case.created",
    "job.created",
    "job.searching",
    "job.accepted",
    "job.promise_proposed",
    "job.promise_accepted",
    "job.en_route",
    "job.arrived",
    "job.started",
    "job.approval_requested",
    "job.approved",
    "job.approval_requested",
    "job.rejected",
    "job.completed",
    "job.paid",
    "job.outcome",
    "case.closed",
];

/// Starts the service with receivers on this machine, and without codes at the start of the work.
async fn spawn() -> TestApp {
    spawn_app_with(with_receivers).await
}

fn with_receivers(settings: &mut Settings) {
    settings.partners.allow_private_addresses = true;
    settings.jobs.start_code = false;
    settings.limits.per_user_per_minute = 100_000;
}

/// Makes an organisation whose contract has these fields besides the usual ones, and whose program has every scope.
async fn insurer(app: &TestApp, fields: Value) -> Contracted<'_> {
    let insurer = Contracted::with(app, fields).await;
    let key = insurer.partner.key_with(&ALL_SCOPES, json!({"requests_per_minute": 100_000})).await;
    Contracted { program: (*app.program(&key)).clone(), ..insurer }
}

/// Returns the events of a case, in the order of their numbers.
async fn events(insurer: &Contracted<'_>, case: &str) -> Vec<Value> {
    insurer.program.list(&format!("/partner/cases/{case}/events")).await
}

/// Waits until a case has an event of this kind.
async fn until_told(insurer: &Contracted<'_>, case: &str, kind: &str) {
    until(kind, async || events(insurer, case).await.into_iter().find(|event| event["type"] == kind)).await;
}

/// Makes a subscription to a receiver and has it verified; returns its secret.
async fn subscribe(insurer: &Contracted<'_>, receiver: &HookReceiver) -> String {
    let new = json!({"url": receiver.hooks_url()});
    let made = insurer.program.post("/partner/subscriptions", new).await.expect(201);
    let verify = format!("/partner/subscriptions/{}/verify", id_of(&made));
    assert_eq!(insurer.program.post(&verify, json!({})).await.expect(200)["status"], "active");
    made["secret"].as_str().expect("a secret").to_owned()
}

/// Returns the id of a webhook's event.
fn event_id(request: &PeerRequest) -> String {
    request.header("webhook-id").expect("an id").to_owned()
}

#[actix_web::test]
async fn a_case_goes_from_its_key_to_its_bill_and_its_receiver_gets_each_event_in_order() {
    let app = spawn().await;
    let insurer = insurer(&app, json!({"accepts_promises": false})).await;
    let receiver = HookReceiver::start().await;
    let secret = subscribe(&insurer, &receiver).await;
    assert_covered(&insurer).await;

    let taken = insurer.taken().await;
    agree(&insurer, &taken).await;
    serve(&insurer, &taken).await;
    assert_billed(&insurer, &taken).await;
    until_told(&insurer, &taken.case, "job.outcome").await;
    let close = format!("/partner/cases/{}/close", taken.case);
    assert_eq!(insurer.program.post(&close, json!({})).await.expect(200)["status"], "closed");

    let is_closed = || receiver.events().iter().any(|event| kind_of(event) == "case.closed").then_some(());
    receiver.until("the case is closed", is_closed).await;
    assert!(receiver.requests().iter().all(|request| is_signed(request, &secret)));
    assert_told(&insurer, &taken.case, &receiver).await;
}

/// Checks what a program learns before it orders anything.
async fn assert_covered(insurer: &Contracted<'_>) {
    let program = &insurer.program;
    let shown = program.get("/partner").await.expect(200);
    shown.assert_fields(json!({"organisation_id": insurer.partner.id, "scopes": ALL_SCOPES}));
    assert_eq!(program.column("/partner/contracts", "reference").await, ["roadside"]);
    let asked = json!({"contract_reference": "roadside", "service_category_slug": "flat-tyre",
        "vehicle_type": "two_wheeler", "pickup_lat": PICKUP.0, "pickup_lng": PICKUP.1});
    let coverage = program.post("/partner/coverage", asked).await.expect(200);
    coverage.assert_fields(json!({"is_covered": true, "reason": null, "driver_pays": 0.0}));
    assert_eq!(coverage["price"], coverage["payable"]);
}

/// Accepts the time of arrival that is proposed.
async fn agree(insurer: &Contracted<'_>, taken: &Taken) {
    until_told(insurer, &taken.case, "job.promise_proposed").await;
    let accept = format!("/partner/jobs/{}/promise/accept", taken.job);
    let agreed = insurer.program.post(&accept, json!({})).await.expect(200);
    assert_eq!(agreed["promise"]["state"], "accepted");
}

/// Takes a job from its acceptance to its completion, with extra work of which the organisation approves a part.
async fn serve(insurer: &Contracted<'_>, taken: &Taken) {
    let item = taken.extra_work(120.0).await;
    let path = format!("/partner/jobs/{}/location", taken.job);
    let seen = insurer.program.get(&path).await.expect(200);
    assert_eq!(seen["location"]["lng"], json!(PICKUP.1), "{seen}");
    decide(insurer, &item, "approve").await;
    let path = format!("/jobs/{}/line-items", taken.job);
    let part = json!({"type": "part", "description": "Tube", "quantity": 1, "unit_price": 500});
    let other = taken.mechanic.client.post(&path, part).await.expect(201);
    decide(insurer, &other, "reject").await;
    taken.mechanic.tell(&taken.job, "complete", json!({"outcome": "fixed"})).await;
}

async fn decide(insurer: &Contracted<'_>, item: &Value, decision: &str) {
    let job = item["job_id"].as_str().expect("a job");
    let path = format!("/partner/jobs/{job}/line-items/{}/{decision}", id_of(item));
    let quote = json!({"version": item["version"], "quoted_total": item["total"]});
    insurer.program.post(&path, quote).await.expect(200);
}

/// Checks that the organisation owes all of the job, that its mechanic earned it, and that the ledger is sound.
async fn assert_billed(insurer: &Contracted<'_>, taken: &Taken) {
    let (app, job) = (insurer.app, &*taken.job);
    let bill = until("the job is billed", async || {
        insurer.program.list("/partner/bills").await.into_iter().find(|bill| bill["job_id"] == job)
    });
    bill.await.assert_fields(json!({"outcome": "completed", "driver_pays": 0.0}));
    let paise = "select b.payable_paise from partner_bills b join jobs j on j.id = b.job_id
        where b.job_id = $1::uuid and b.price_paise = b.payable_paise
            and b.payable_paise = j.estimated_price_paise + 12000";
    let payable: i64 = app.value(paise, &[job]).await;
    let booked = booked_for_job(&app.database.db, job).await;
    assert_eq!(booked["partners_receivable"], -payable, "{booked:?}");
    assert!(booked["mechanic_held"] > 0, "{booked:?}");
    assert_eq!(booked.values().sum::<i64>(), 0, "{booked:?}");
    let audit = ledger::audit(&app.database.db).await.expect("an audit");
    assert!(audit.is_sound(), "{audit:?}");
}

/// Checks that the receiver got each event of a case once, in the order of their numbers, and all that were to be told.
async fn assert_told(insurer: &Contracted<'_>, case: &str, receiver: &HookReceiver) {
    let events = events(insurer, case).await;
    let ids = events.iter().map(|event| event["id"].as_str().expect("an id").to_owned());
    let arrived = receiver.events();
    let got: Vec<(String, i64)> = arrived.iter().map(|event| (event_id(event), seq_of(event))).collect();
    assert_eq!(got, ids.zip(1_i64..).collect::<Vec<_>>());
    let kinds: Vec<String> = arrived.iter().map(kind_of).collect();
    let mut rest = kinds.iter();
    for told in TOLD {
        assert!(rest.any(|kind| kind == told), "{told} is missing, or too early: {kinds:?}");
    }
}
