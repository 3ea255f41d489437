//! Cases that clubs offer: answered, confirmed, withdrawn, and ended by the time.

use std::time::Duration;

use roadcall::partners::incoming;
use serde_json::{Value, json};

use crate::support::{
    Client, Person, TestApp,
    bodies::{id_of, with},
    new_phone, spawn_with_admin, until_so,
};

/// A club with a contract, and its program.
struct Club {
    program: Client,
}

impl Club {
    async fn new(app: &TestApp, admin: &Person) -> Self {
        let partner = app.partner(admin).await;
        let categories = admin.get("/service-categories").await.expect(200);
        let categories = categories["data"].as_array().expect("a list");
        let flat_tyre = categories.iter().find(|one| one["slug"] == "flat-tyre").expect("seeded");
        let contract = json!({
            "reference": "club", "terms": [{"service_category_id": flat_tyre["id"], "pricing": "quoted"}],
        });
        admin.post(&partner.path("/contracts"), contract).await.expect(201);
        Self { program: partner.program(&["read", "offers"]).await }
    }

    async fn offer(&self, reference: &str) -> Value {
        self.program.post("/partner/offers", asking(reference)).await.expect(201)
    }

    async fn shown(&self, id: &str) -> Value {
        self.program.get(&format!("/partner/offers/{id}")).await.expect(200)
    }

    async fn kinds(&self, id: &str) -> Vec<String> {
        let events = self.program.get(&format!("/partner/cases/{id}/events")).await.expect(200);
        let events = events["data"].as_array().expect("a list").iter();
        events.map(|event| event["type"].as_str().expect("a kind").to_owned()).collect()
    }
}

fn asking(reference: &str) -> Value {
    json!({
        "contract_reference": "club", "partner_reference": reference, "answer_within_s": 60,
        "beneficiary": {"name": "Asha Rao", "phone": new_phone()},
        "vehicle": {"vehicle_type": "two_wheeler", "registration_number": "KA01AB1234"},
        "place": {"location_type": "roadside"},
        "job": {
            "service_category_slug": "flat-tyre", "pickup_address": "MG Road", "pickup_lat": 12.9716,
            "pickup_lng": 77.5946,
        },
    })
}

/// Leaves an accepted offer as it is when the server dies after it has written the confirmation, long enough ago for a worker to go on.
async fn confirm_and_die(app: &TestApp, id: &str) {
    let confirmed = "update partner_cases
        set status = 'open', offer = offer || '{\"stage\": \"confirmed\"}', job_due_at = now() where id = $1::uuid";
    assert_eq!(app.change(confirmed, &[id]).await, 1);
}

/// Returns the number of confirmed offers whose jobs a worker has to make.
async fn due_jobs(app: &TestApp) -> i64 {
    app.value("select count(*) from partner_cases where job_due_at is not null", &[]).await
}

fn answering(id: &str, verb: &str) -> String {
    format!("/admin/partner-cases/{id}/{verb}")
}

fn own(id: &str, verb: &str) -> String {
    format!("/partner/offers/{id}/{verb}")
}

#[actix_web::test]
async fn a_confirmed_offer_has_one_job_whose_promise_is_the_confirmed_time() {
    let (app, admin) = spawn_with_admin().await;
    let club = Club::new(&app, &admin).await;
    let offered = club.offer("A-1").await;
    let id = id_of(&offered);
    assert_eq!((&offered["status"], &offered["jobs"]), (&json!("offered"), &json!([])));
    let waiting = admin.get("/admin/partner-offers").await.expect(200);
    assert_eq!(waiting["data"][0]["offer"]["pickup_address"], "MG Road");

    let accept = json!({"eta_min": 35});
    let accepted = admin.post(&answering(&id, "accept"), accept.clone()).await.expect(200);
    assert_eq!((&accepted["status"], &accepted["offer"]["stage"]), (&json!("offered"), &json!("accepted")));
    assert_eq!(accepted["organisation_name"], waiting["data"][0]["organisation_name"]);
    admin.post(&answering(&id, "accept"), accept.clone()).await.expect(200);
    club.program.post(&own(&id, "confirm"), json!({"eta_min": 20})).await.refused(409, "CONFLICT");
    let confirmed = club.program.post(&own(&id, "confirm"), accept.clone()).await.expect(200);
    assert_eq!(confirmed["status"], "open");
    let job = &confirmed["jobs"][0];
    assert_eq!(job["promise"]["state"], "accepted");
    assert_eq!(job["promise"]["at"], confirmed["offer"]["promised_at"]);

    let again = club.program.post(&own(&id, "confirm"), accept).await.expect(200);
    assert_eq!((&again["jobs"][0]["id"], again["jobs"].as_array().map(Vec::len)), (&job["id"], Some(1)));
    club.program.post(&own(&id, "withdraw"), json!({})).await.refused(409, "INVALID_TRANSITION");
    assert_eq!(club.kinds(&id).await[..2], ["case.offered", "case.accepted"]);
}

#[actix_web::test]
async fn a_confirmation_makes_the_job_once_nothing_refuses_it_any_more_and_never_a_second_one() {
    let (app, admin) = spawn_with_admin().await;
    let club = Club::new(&app, &admin).await;
    // Both are for the same vehicle.
    let (first, second) = (id_of(&club.offer("A-1").await), id_of(&club.offer("A-2").await));
    let eta = json!({"eta_min": 35});
    for id in [&first, &second] {
        admin.post(&answering(id, "accept"), eta.clone()).await.expect(200);
    }
    let confirmed = club.program.post(&own(&first, "confirm"), eta.clone()).await.expect(200);
    club.program.post(&own(&second, "confirm"), eta.clone()).await.refused(409, "ACTIVE_JOB_EXISTS");
    assert_eq!(due_jobs(&app).await, 0, "the club has an answer, and decides what to do");
    let cancel = format!("/admin/jobs/{}/cancel", id_of(&confirmed["jobs"][0]));
    admin.post(&cancel, json!({"reason": "The car starts again"})).await.expect(200);
    let made = club.program.post(&own(&second, "confirm"), eta.clone()).await.expect(200);
    assert_eq!(made["jobs"].as_array().map(Vec::len), Some(1), "{made}");

    app.change("delete from idempotency_keys", &[]).await;
    let again = club.program.post(&own(&first, "confirm"), eta).await.expect(200);
    assert_eq!(again["jobs"].as_array().map(Vec::len), Some(1), "the key was forgotten, the job was not");
}

#[actix_web::test]
async fn a_confirmation_that_is_cut_off_leads_to_one_job_without_a_repeat() {
    let (app, admin) = spawn_with_admin().await;
    let club = Club::new(&app, &admin).await;
    let id = id_of(&club.offer("A-1").await);
    let eta = json!({"eta_min": 35});
    admin.post(&answering(&id, "accept"), eta.clone()).await.expect(200);
    confirm_and_die(&app, &id).await;
    let path = format!("/partner/offers/{id}");
    let is_promised = |case: &Value| case["jobs"][0]["promise"]["state"] == "accepted";
    let made = club.program.get_until(&path, is_promised).await;
    let job = &made["jobs"][0];
    assert_eq!((&made["status"], &job["promise"]["at"]), (&json!("open"), &made["offer"]["promised_at"]));

    // The server may also die between the job and its promise.
    until_so("nothing is due", async || due_jobs(&app).await == 0).await;
    let unpromised = "update partner_jobs set promise = 'none', promised_at = null, promise_due_at = null";
    assert_eq!(app.change(unpromised, &[]).await, 1);
    confirm_and_die(&app, &id).await;
    let promised = club.program.get_until(&path, is_promised).await;
    assert_eq!(promised["jobs"][0]["promise"], job["promise"]);
    let again = club.program.post(&own(&id, "confirm"), eta).await.expect(200);
    assert_eq!((&again["jobs"][0]["id"], again["jobs"].as_array().map(Vec::len)), (&job["id"], Some(1)));
}

#[actix_web::test]
async fn a_repeat_finds_the_job_of_a_confirmation_that_was_cut_off() {
    let (app, admin) = spawn_with_admin().await;
    let club = Club::new(&app, &admin).await;
    let id = id_of(&club.offer("A-1").await);
    let eta = json!({"eta_min": 35});
    admin.post(&answering(&id, "accept"), eta.clone()).await.expect(200);
    confirm_and_die(&app, &id).await;
    // The worker may be making the job at this moment.
    let confirm = own(&id, "confirm");
    let is_confirmed = async || club.program.post(&confirm, eta.clone()).await.status == 200;
    until_so("the repeat is answered", is_confirmed).await;
    incoming::complete_due(&app.service.feeds).await.unwrap();
    assert_eq!(club.shown(&id).await["jobs"].as_array().map(Vec::len), Some(1));
    assert_eq!(app.value::<i64>("select count(*) from jobs", &[]).await, 1);
}

#[actix_web::test]
async fn a_cut_off_confirmation_whose_job_is_refused_expires_at_the_promised_time() {
    let (app, admin) = spawn_with_admin().await;
    let club = Club::new(&app, &admin).await;
    // Both are for the same vehicle.
    let (first, second) = (id_of(&club.offer("A-1").await), id_of(&club.offer("A-2").await));
    let eta = json!({"eta_min": 1});
    for id in [&first, &second] {
        admin.post(&answering(id, "accept"), eta.clone()).await.expect(200);
    }
    club.program.post(&own(&first, "confirm"), eta.clone()).await.expect(200);
    confirm_and_die(&app, &second).await;
    incoming::complete_due(&app.service.feeds).await.unwrap();
    assert_eq!(club.shown(&second).await["status"], "open");

    app.service.clock.advance(Duration::from_secs(61));
    until_so("the offer expires", async || club.shown(&second).await["status"] == "expired").await;
    assert_eq!(club.kinds(&second).await, ["case.offered", "case.accepted", "case.expired"]);
    club.program.post(&own(&second, "confirm"), eta).await.refused(409, "OFFER_EXPIRED");
    assert_eq!(club.shown(&second).await["jobs"], json!([]));
    assert_eq!(club.shown(&first).await["status"], "open");
}

#[actix_web::test]
async fn a_cut_off_confirmation_that_is_found_after_the_promised_time_makes_no_job() {
    let (app, admin) = spawn_with_admin().await;
    let club = Club::new(&app, &admin).await;
    let id = id_of(&club.offer("A-1").await);
    admin.post(&answering(&id, "accept"), json!({"eta_min": 35})).await.expect(200);
    let late = "update partner_cases
        set status = 'open', job_due_at = now(),
            offer = offer || jsonb_build_object('stage', 'confirmed', 'promised_at', now() - interval '1 minute')
        where id = $1::uuid";
    assert_eq!(app.change(late, &[&id]).await, 1);
    until_so("nothing is due", async || due_jobs(&app).await == 0).await;
    let shown = club.shown(&id).await;
    assert_eq!((&shown["status"], &shown["jobs"]), (&json!("expired"), &json!([])));
    assert_eq!(club.kinds(&id).await, ["case.offered", "case.accepted", "case.expired"]);
}

#[actix_web::test]
async fn an_offer_that_nobody_answers_expires_for_everybody_at_the_same_moment_and_is_told_once() {
    let (app, admin) = spawn_with_admin().await;
    let club = Club::new(&app, &admin).await;
    let (early, late) = (id_of(&club.offer("A-1").await), id_of(&club.offer("A-2").await));
    admin.post(&answering(&late, "ask-for-call"), json!({})).await.expect(200);
    app.service.clock.advance(Duration::from_secs(30));
    // Asked again, it changes nothing: the time does not begin anew.
    admin.post(&answering(&late, "ask-for-call"), json!({})).await.expect(200);
    app.service.clock.advance(Duration::from_secs(31));
    for id in [&early, &late] {
        admin.post(&answering(id, "accept"), json!({"eta_min": 35})).await.refused(409, "OFFER_EXPIRED");
        club.program.post(&own(id, "withdraw"), json!({})).await.refused(409, "OFFER_EXPIRED");
    }
    assert_eq!(admin.get("/admin/partner-offers").await.expect(200)["data"], json!([]));
    incoming::expire_due(&app.service.feeds).await.unwrap();
    incoming::expire_due(&app.service.feeds).await.unwrap();
    assert_eq!(club.shown(&early).await["status"], "expired");
    assert_eq!(club.kinds(&early).await, ["case.offered", "case.expired"]);
    assert_eq!(club.kinds(&late).await, ["case.offered", "case.call_requested", "case.expired"]);
}

#[actix_web::test]
async fn an_acceptance_that_the_club_does_not_confirm_in_time_makes_no_job() {
    let (app, admin) = spawn_with_admin().await;
    let club = Club::new(&app, &admin).await;
    app.service.clock.stop();
    let id = id_of(&club.offer("A-1").await);
    app.service.clock.advance(Duration::from_secs(50));
    admin.post(&answering(&id, "accept"), json!({"eta_min": 35})).await.expect(200);
    // The club has its own time.
    app.service.clock.advance(Duration::from_secs(59));
    assert_eq!(club.shown(&id).await["status"], "offered");
    app.service.clock.advance(Duration::from_secs(1));
    club.program.post(&own(&id, "confirm"), json!({"eta_min": 35})).await.refused(409, "OFFER_EXPIRED");
    incoming::expire_due(&app.service.feeds).await.unwrap();
    let shown = club.shown(&id).await;
    assert_eq!((&shown["status"], &shown["jobs"]), (&json!("expired"), &json!([])));
}

#[actix_web::test]
async fn a_refusal_has_one_of_the_reasons_and_ends_the_offer() {
    let (app, admin) = spawn_with_admin().await;
    let club = Club::new(&app, &admin).await;
    let id = id_of(&club.offer("A-1").await);
    let refuse = answering(&id, "refuse");
    admin.post(&refuse, json!({"reason": "too late in the day"})).await.refused(422, "VALIDATION_FAILED");
    let refused = admin.post(&refuse, json!({"reason": "no_equipment"})).await.expect(200);
    assert_eq!(
        (&refused["status"], &refused["offer"]["refusal_reason"]),
        (&json!("refused"), &json!("no_equipment"))
    );
    admin.post(&refuse, json!({"reason": "no_equipment"})).await.expect(200);
    admin.post(&refuse, json!({"reason": "other"})).await.refused(409, "INVALID_TRANSITION");
    admin.post(&answering(&id, "accept"), json!({"eta_min": 5})).await.refused(409, "INVALID_TRANSITION");
    assert_eq!(club.kinds(&id).await, ["case.offered", "case.refused"]);
    let entries = "select action from audit_log where action like 'club_offer.%' order by at, id";
    let actions: Vec<(String,)> = app.rows(entries, &[]).await;
    assert_eq!(actions, [("club_offer.refuse".to_owned(),)], "a repeat leaves no entry");
}

#[actix_web::test]
async fn the_same_offer_again_is_the_same_case_and_another_one_needs_another_reference() {
    let (app, admin) = spawn_with_admin().await;
    let club = Club::new(&app, &admin).await;
    let body = asking("A-1");
    let id = id_of(&club.program.post("/partner/offers", body.clone()).await.expect(201));
    assert_eq!(id_of(&club.program.post("/partner/offers", body.clone()).await.expect(200)), id);
    let other = with(&body, "/answer_within_s", json!(90));
    club.program.post("/partner/offers", other).await.refused(409, "CONFLICT");
    club.program.post(&own(&id, "withdraw"), json!({})).await.expect(200);
    let withdrawn = club.program.post("/partner/offers", body).await.expect(200);
    assert_eq!((id_of(&withdrawn), &withdrawn["status"]), (id, &json!("withdrawn")));
}

#[actix_web::test]
async fn an_offer_is_found_by_its_club_alone_and_only_with_the_scope() {
    let (app, admin) = spawn_with_admin().await;
    let (club, other) = (Club::new(&app, &admin).await, Club::new(&app, &admin).await);
    let id = id_of(&club.offer("A-1").await);
    other.program.get(&format!("/partner/offers/{id}")).await.refused(404, "NOT_FOUND");
    other.program.post(&own(&id, "withdraw"), json!({})).await.refused(404, "NOT_FOUND");
    let reader = app.partner(&admin).await.program(&["read"]).await;
    reader.post("/partner/offers", asking("A-2")).await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn a_club_has_at_most_a_hundred_offers_that_wait() {
    let (app, admin) = spawn_with_admin().await;
    let club = Club::new(&app, &admin).await;
    let first = asking("A-1");
    let id = id_of(&club.program.post("/partner/offers", first.clone()).await.expect(201));
    let copies = "insert into partner_cases
        select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'partner_reference', 'B-' || n))).*
        from partner_cases c, generate_series(1, 99) n where c.id = $1::uuid";
    assert_eq!(app.change(copies, &[&id]).await, 99);
    let refused = club.program.post("/partner/offers", asking("A-2")).await.refused(409, "CONFLICT");
    let message = "100 offers of this club wait for an answer or a confirmation. Withdraw some, or wait.";
    assert_eq!(refused["error"]["message"], message);
    club.program.post("/partner/offers", first).await.expect(200);
    Club::new(&app, &admin).await.offer("A-2").await;
    club.program.post(&own(&id, "withdraw"), json!({})).await.expect(200);
    club.offer("A-2").await;
}
