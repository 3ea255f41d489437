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
    AssertFields, Client, OnRoad, Person, TestApp,
    bodies::{FLAT_TYRE, id_of, set},
    hooks::{HookReceiver, is_signed, kind_of, seq_of},
    new_phone,
    partners::{ALL_SCOPES, Partner},
    peer::PeerRequest,
    roadside::PICKUP,
    rows::booked_for_job,
    spawn_app_with, until,
};

/// The name of the contract of [`Insurer`].
const CONTRACT: &str = "roadside";

/// The events that a case has whose job is served, in their order.
const TOLD: [&str; 16] = [
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
    "case.closed",
];

/// An organisation with a contract, and a program of it that has every scope.
struct Insurer<'a> {
    app: &'a TestApp,
    admin: Person,
    partner: Partner<'a>,
    program: Client,
}

/// Starts the service with receivers on this machine, and without codes at the start of the work.
async fn spawn() -> TestApp {
    spawn_app_with(with_receivers).await
}

fn with_receivers(settings: &mut Settings) {
    settings.partners.allow_private_addresses = true;
    settings.jobs.start_code = false;
    settings.limits.per_user_per_minute = 100_000;
}

impl<'a> Insurer<'a> {
    /// Makes an insurer whose contract has these fields in addition to the usual ones.
    async fn new(app: &'a TestApp, fields: Value) -> Self {
        let admin = app.admin().await;
        let partner = app.partner(&admin).await;
        contract(&partner, CONTRACT, fields).await;
        let key = partner.key_with(&ALL_SCOPES, json!({"requests_per_minute": 100_000})).await;
        let program = (*app.program(&key)).clone();
        Self { app, admin, partner, program }
    }

    /// Makes a case so many degrees north of the usual place; returns it.
    async fn order(&self, north: u32) -> Value {
        self.program.post("/partner/cases", case_body(north)).await.expect(201)
    }

    /// Makes such a case, whose job is accepted by a mechanic 110 m away. Nobody else is within reach.
    async fn accepted(&self, north: u32) -> Ordered {
        let lat = PICKUP.0 + f64::from(north) + 0.001;
        let mut mechanic = self.app.on_road_at(&self.admin, (lat, PICKUP.1)).await;
        let case = self.order(north).await;
        mechanic.accept().await;
        Ordered { mechanic, case: id_of(&case), job: id_of(&case["jobs"][0]) }
    }

    /// Returns the events of a case, in the order of their numbers.
    async fn events(&self, case: &str) -> Vec<Value> {
        self.program.list(&format!("/partner/cases/{case}/events")).await
    }

    /// Waits until a case has events of these kinds.
    async fn until_told(&self, case: &str, kinds: &[&str]) {
        until("the case has these events", async || {
            let told = self.events(case).await;
            kinds.iter().all(|kind| told.iter().any(|event| event["type"] == *kind)).then_some(())
        })
        .await;
    }

    /// Waits for the bill of a job.
    async fn bill(&self, job: &str) -> Value {
        until("the job is billed", async || {
            let bills = self.program.list("/partner/bills?limit=100").await;
            bills.into_iter().find(|bill| bill["job_id"] == job)
        })
        .await
    }

    /// Makes a subscription to a receiver and has it verified; returns its secret.
    async fn subscribe(&self, receiver: &HookReceiver) -> String {
        let new = json!({"url": receiver.hooks_url()});
        let made = self.program.post("/partner/subscriptions", new).await.expect(201);
        let verify = format!("/partner/subscriptions/{}/verify", id_of(&made));
        assert_eq!(self.program.post(&verify, json!({})).await.expect(200)["status"], "active");
        made["secret"].as_str().expect("a secret").to_owned()
    }

    async fn job(&self, job: &str, rest: &str, body: Value) -> Value {
        self.program.post(&format!("/partner/jobs/{job}{rest}"), body).await.expect(200)
    }
}

/// A case whose job has a mechanic.
struct Ordered {
    mechanic: OnRoad,
    case: String,
    job: String,
}

impl Ordered {
    async fn tell(&self, verb: &str, body: Value) {
        self.mechanic.tell(&self.job, verb, body).await;
    }

    /// Lets the mechanic propose extra work, which the organisation decides.
    async fn extra_work(&self, insurer: &Insurer<'_>, decision: &str) {
        let part = json!({"type": "part", "description": "A tube", "quantity": 1, "unit_price": 120});
        let path = format!("/jobs/{}/line-items", self.job);
        let item = self.mechanic.client.post(&path, part).await.expect(201);
        let quote = json!({"version": item["version"], "quoted_total": item["total"]});
        insurer.job(&self.job, &format!("/line-items/{}/{decision}", id_of(&item)), quote).await;
    }
}

/// Makes a contract for flat tyres with these further fields.
async fn contract(partner: &Partner<'_>, reference: &str, fields: Value) {
    let terms = json!([{"service_category_id": FLAT_TYRE, "pricing": "quoted"}]);
    let mut body = json!({"reference": reference, "texts": [], "terms": terms});
    for (field, value) in fields.as_object().expect("fields") {
        body = set(&body, field, value.clone());
    }
    partner.admin.post(&partner.path("/contracts"), body).await.expect(201);
}

/// Returns the id of a webhook's event.
fn event_id(request: &PeerRequest) -> String {
    request.header("webhook-id").expect("an id").to_owned()
}

/// Returns a case so many degrees north of the usual place, which is its reference, too.
fn case_body(north: u32) -> Value {
    json!({
        "contract_reference": CONTRACT,
        "partner_reference": format!("claim-{north}"),
        "beneficiary": {"name": "Asha Rao", "phone": new_phone()},
        "vehicle": {"vehicle_type": "two_wheeler", "make": "Hero", "model": "Splendor",
            "registration_number": format!("KA01AB{:04}", 1_000 + north)},
        "job": {"service_category_slug": "flat-tyre", "pickup_address": "MG Road",
            "pickup_lat": PICKUP.0 + f64::from(north), "pickup_lng": PICKUP.1},
    })
}

#[actix_web::test]
async fn a_case_goes_from_its_key_to_its_bill_and_its_receiver_gets_each_event_in_order() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, json!({"accepts_promises": false})).await;
    let receiver = HookReceiver::start().await;
    let secret = insurer.subscribe(&receiver).await;
    assert_covered(&insurer).await;

    let ordered = insurer.accepted(0).await;
    assert_found_by_reference(&insurer, &ordered.case).await;
    insurer.until_told(&ordered.case, &["job.promise_proposed"]).await;
    let agreed = insurer.job(&ordered.job, "/promise/accept", json!({})).await;
    assert_eq!(agreed["promise"]["state"], "accepted");
    serve(&insurer, &ordered).await;
    assert_billed(&insurer, &ordered.job).await;
    insurer.until_told(&ordered.case, &["job.paid", "job.outcome"]).await;
    let close = format!("/partner/cases/{}/close", ordered.case);
    assert_eq!(insurer.program.post(&close, json!({})).await.expect(200)["status"], "closed");

    let is_closed = || receiver.events().iter().any(|event| kind_of(event) == "case.closed").then_some(());
    receiver.until("the case is closed", is_closed).await;
    assert!(receiver.requests().iter().all(|request| is_signed(request, &secret)));
    assert_told(&insurer, &ordered.case, &receiver).await;
}

/// Checks what a program learns before it orders anything.
async fn assert_covered(insurer: &Insurer<'_>) {
    let program = &insurer.program;
    let shown = program.get("/partner").await.expect(200);
    shown.assert_fields(json!({"organisation_id": insurer.partner.id, "scopes": ALL_SCOPES}));
    let contracts = program.column("/partner/contracts", "reference").await;
    assert_eq!(contracts, [CONTRACT]);
    let asked = json!({"contract_reference": CONTRACT, "service_category_slug": "flat-tyre",
        "vehicle_type": "two_wheeler", "pickup_lat": PICKUP.0, "pickup_lng": PICKUP.1});
    let coverage = program.post("/partner/coverage", asked).await.expect(200);
    coverage.assert_fields(json!({"is_covered": true, "reason": null, "driver_pays": 0.0}));
    assert_eq!(coverage["price"], coverage["payable"]);
}

async fn assert_found_by_reference(insurer: &Insurer<'_>, case: &str) {
    let found = insurer.program.get("/partner/cases/by-reference/claim-0").await.expect(200);
    found.assert_fields(json!({"id": case, "status": "open", "contract_reference": CONTRACT}));
}

/// Takes a job from its acceptance to its completion, with extra work of which the organisation approves a part.
async fn serve(insurer: &Insurer<'_>, ordered: &Ordered) {
    ordered.tell("en-route", json!({})).await;
    let path = format!("/partner/jobs/{}/location", ordered.job);
    let seen = insurer.program.get(&path).await.expect(200);
    assert_eq!(seen["location"]["lng"], json!(PICKUP.1), "{seen}");
    ordered.tell("arrive", json!({})).await;
    ordered.tell("start", json!({})).await;
    ordered.extra_work(insurer, "approve").await;
    ordered.extra_work(insurer, "reject").await;
    ordered.tell("complete", json!({"outcome": "fixed"})).await;
}

/// Checks that the organisation owes all of the job, that its mechanic earned it, and that the ledger is sound.
async fn assert_billed(insurer: &Insurer<'_>, job: &str) {
    let app = insurer.app;
    let bill = insurer.bill(job).await;
    bill.assert_fields(json!({"outcome": "completed", "driver_pays": 0.0}));
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
async fn assert_told(insurer: &Insurer<'_>, case: &str, receiver: &HookReceiver) {
    let events = insurer.events(case).await;
    let ids = events.iter().map(|event| event["id"].as_str().expect("an id").to_owned());
    let got: Vec<(String, i64)> =
        receiver.events().iter().map(|event| (event_id(event), seq_of(event))).collect();
    assert_eq!(got, ids.zip(1_i64..).collect::<Vec<_>>());
    let kinds: Vec<String> = receiver.events().iter().map(kind_of).collect();
    let mut rest = kinds.iter();
    for told in TOLD {
        assert!(rest.any(|kind| kind == told), "{told} is missing, or too early: {kinds:?}");
    }
}
