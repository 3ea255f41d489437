//! Cases: made once by their reference, with jobs, seen by their organisation alone.

use futures_util::future::{join, join_all};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    Answer, Client,
    bodies::{FLAT_TYRE, TOWING, id_of, set, with},
    cases::{Contracted, Taken, new_case, new_contract, next_number},
    roadside::PICKUP,
    rows::until_blocked,
    spawn_app, spawn_app_with, until, until_so,
};

/// The header by which an agency names the organisation for which it acts.
const ACTS_FOR: &str = "Roadcall-Organisation";

async fn post(client: &Client, body: &Value) -> Answer {
    client.post("/partner/cases", body.clone()).await
}

#[actix_web::test]
async fn a_case_is_made_once_by_its_reference_and_helps_a_person_without_an_account() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let place = club.place();
    let mut body = new_case("roadside", place);
    body["place"] = json!({"location_type": "basement", "clearance_cm": 210, "is_attended": true});
    body["vehicle"]["vin"] = json!("mat62345xkl123456");
    body["internal_notes"] = json!("A good customer");
    let made = post(&club.program, &body).await.expect(201);
    assert_eq!((&made["status"], &made["contract_reference"]), (&json!("open"), &json!("roadside")));
    assert_eq!(made["helped_person"]["phone"], "+919876543210");
    assert_eq!(
        (&made["place"]["clearance_cm"], &made["vehicle"]["vin"]),
        (&json!(210), &json!("MAT62345XKL123456"))
    );
    assert_eq!(
        (&made["jobs"][0]["category"], &made["jobs"][0]["price"]),
        (&json!("flat-tyre"), &json!(299.0))
    );
    let again = post(&club.program, &body).await.expect(200);
    assert_eq!((&again["id"], &again["jobs"][0]["id"]), (&made["id"], &made["jobs"][0]["id"]));
    let other = with(&body, "/job/pickup_address", json!("Brigade Road"));
    let refused = post(&club.program, &other).await.refused(409, "CONFLICT");
    let message = "This partner_reference was used for another case. Choose a different one.";
    assert_eq!(refused["error"]["message"], message);

    let (id, reference) = (id_of(&made), body["partner_reference"].as_str().expect("a reference"));
    let found = club.program.get(&format!("/partner/cases/by-reference/{reference}")).await.expect(200);
    assert_eq!(found["id"], made["id"]);
    let listed =
        club.program.get(&format!("/partner/cases?reference={reference}&status=open")).await.expect(200);
    assert_eq!((&listed["total"], &listed["data"][0]["job_count"]), (&json!(1), &json!(1)));
    let shown = club.admin.get(&format!("/admin/partner-cases/{id}")).await.expect(200);
    assert_eq!(shown["internal_notes"], "A good customer");
    let organisation = club.admin.get(&club.partner.path("")).await.expect(200);
    assert_eq!(
        (&shown["organisation_id"], &shown["organisation_name"], &shown["organisation_phone"]),
        (&organisation["id"], &organisation["name"], &organisation["phone"])
    );
    let job = club.admin.get(&format!("/admin/jobs/{}", id_of(&made["jobs"][0]))).await.expect(200);
    assert_eq!(job["partner"]["case_id"], made["id"]);
    let all = club.admin.get(&format!("/admin/partner-cases?q={reference}")).await.expect(200);
    assert_eq!(all["data"][0]["organisation_id"], club.partner.id.as_str());

    let kinds = until("the job was told", async || {
        let kinds = club.told(&id).await;
        (kinds.len() >= 2).then_some(kinds)
    });
    assert_eq!(kinds.await[..2], ["case.created", "job.created"]);
}

#[actix_web::test]
async fn requests_with_one_reference_make_one_case_and_one_job_however_they_meet() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let body = new_case("roadside", club.place());
    let answers = join_all((0..6).map(|_| post(&club.program, &body))).await;
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    assert!(statuses.iter().all(|status| [200, 201].contains(status)), "{statuses:?}");
    let case = &answers[0].body["id"];
    assert!(answers.iter().all(|answer| answer.body["id"] == *case));
    let shown =
        club.program.get(&format!("/partner/cases/{}", case.as_str().expect("an id"))).await.expect(200);
    assert_eq!(shown["jobs"].as_array().expect("jobs").len(), 1);
}

#[actix_web::test]
async fn a_refused_job_leaves_no_case_behind() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let place = club.place();
    let first = new_case("roadside", place);
    post(&club.program, &first).await.expect(201);
    let mut second = new_case("roadside", place);
    second["vehicle"] = first["vehicle"].clone();
    post(&club.program, &second).await.refused(409, "ACTIVE_JOB_EXISTS");
    let reference = second["partner_reference"].as_str().expect("a reference");
    club.program.get(&format!("/partner/cases/by-reference/{reference}")).await.refused(404, "NOT_FOUND");
    second["vehicle"]["registration_number"] = json!(format!("KA03{}", next_number()));
    post(&club.program, &second).await.expect(201);
}

#[actix_web::test]
async fn a_refused_request_that_is_sent_several_times_at_once_is_refused_each_time() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let first = new_case("roadside", club.place());
    post(&club.program, &first).await.expect(201);
    let mut second = new_case("roadside", club.place());
    second["vehicle"] = first["vehicle"].clone();
    for answer in join_all((0..6).map(|_| post(&club.program, &second))).await {
        assert_eq!(answer.status, 409, "{}", answer.text);
    }
    assert_eq!(app.sql_value::<i64>("select count(*) from partner_cases").await, 1);
}

#[actix_web::test]
async fn a_case_that_is_closed_meanwhile_gets_no_job() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let case = club.case().await;
    let (id, job) = (id_of(&case), id_of(&case["jobs"][0]));
    club.program.post(&format!("/partner/jobs/{job}/cancel"), json!({})).await.expect(200);
    until_so("the case knows the end of its job", async || {
        club.told(&id).await.iter().any(|kind| kind == "job.cancelled")
    })
    .await;
    let mut closing = app.database.db.begin().await.expect("a transaction");
    sqlx::query("update partner_cases set status = 'closed', closed_at = now() where id = $1::uuid")
        .bind(&id)
        .execute(&mut *closing)
        .await
        .expect("the case is closed");
    let next = new_case("roadside", PICKUP)["job"].clone();
    let asked = async { club.program.post(&format!("/partner/cases/{id}/jobs"), next).await };
    let closed = async {
        until_blocked(&app.database.db).await;
        closing.commit().await.expect("it is closed");
    };
    let (answer, ()) = join(asked, closed).await;
    let refused = answer.refused(409, "INVALID_TRANSITION");
    assert_eq!(refused["error"]["message"], "This case is not open any more, so it takes no job.");
    assert_eq!(app.sql_value::<i64>("select count(*) from partner_jobs").await, 1);
}

#[actix_web::test]
async fn an_uncovered_request_is_refused_by_the_field_that_says_so() {
    let app = spawn_app().await;
    let terms = json!([
        {"service_category_id": FLAT_TYRE, "pricing": "quoted"},
        {"service_category_id": TOWING, "pricing": "quoted"},
    ]);
    let club =
        Contracted::with(&app, json!({"cover_km": 10, "requires_purchase_order": true, "terms": terms}))
            .await;
    let sound = set(&new_case("roadside", PICKUP), "purchase_order", json!("PO-1"));
    let far = json!({"address": "Far away", "lat": PICKUP.0 + 0.2, "lng": PICKUP.1});
    let tow = with(&sound, "/job/service_category_slug", json!("towing"));
    for (body, field) in [
        (set(&sound, "contract_reference", json!("unknown")), "contract_reference"),
        (set(&sound, "purchase_order", Value::Null), "purchase_order"),
        (with(&sound, "/job/service_category_slug", json!("lockout")), "job.service_category_slug"),
        (with(&sound, "/job/service_category_slug", json!("magic")), "job.service_category_slug"),
        (set(&sound, "answers", json!({"colour": "red"})), "answers.colour"),
        (with(&sound, "/vehicle/registration_number", Value::Null), "vehicle.registration_number"),
        (with(&tow, "/job/destination", far), "job.destination"),
    ] {
        post(&club.program, &body).await.refused_field(field);
    }
    let contract = club.admin.get(&club.partner.path("/contracts")).await.expect(200)["data"][0].clone();
    club.admin
        .post(&format!("/admin/partner-contracts/{}/end", id_of(&contract)), json!({}))
        .await
        .expect(200);
    post(&club.program, &sound).await.refused_field("contract_reference");
}

#[actix_web::test]
async fn an_organisation_has_so_many_open_jobs_and_a_persons_limits_do_not_concern_it() {
    let app = spawn_app_with(|settings| {
        settings.partners.max_open_jobs = 5;
        settings.jobs.max_open_per_person = 1;
    })
    .await;
    let club = Contracted::new(&app).await;
    for _ in 0..5 {
        club.case().await;
    }
    let body = new_case("roadside", club.place());
    post(&club.program, &body).await.refused(409, "TOO_MANY_OPEN_JOBS");
}

#[actix_web::test]
async fn cases_that_are_made_at_once_get_jobs_up_to_the_limit_of_their_organisation() {
    let app = spawn_app_with(|settings| settings.partners.max_open_jobs = 5).await;
    let club = Contracted::new(&app).await;
    let bodies: Vec<Value> = (0..12).map(|_| new_case("roadside", club.place())).collect();
    let answers = join_all(bodies.iter().map(|body| post(&club.program, body))).await;
    let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 201);
    assert_eq!(made.len(), 5);
    for answer in refused {
        answer.refused(409, "TOO_MANY_OPEN_JOBS");
    }
    for count in ["select count(*) from partner_jobs", "select count(*) from partner_cases"] {
        assert_eq!(app.sql_value::<i64>(count).await, 5, "{count}");
    }
}

#[actix_web::test]
async fn cases_that_are_made_at_once_all_get_their_jobs() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let bodies: Vec<Value> = (0..16).map(|_| new_case("roadside", club.place())).collect();
    for answer in join_all(bodies.iter().map(|body| post(&club.program, body))).await {
        let made = answer.expect(201);
        assert_eq!(made["jobs"].as_array().map(Vec::len), Some(1), "{made}");
    }
    assert_eq!(app.sql_value::<i64>("select count(*) from jobs where is_open").await, 16);
}

#[actix_web::test]
async fn another_job_follows_in_the_same_case_until_it_is_closed() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let case = club.case().await;
    let (id, job) = (id_of(&case), id_of(&case["jobs"][0]));
    let path = format!("/partner/cases/{id}");
    let next = new_case("roadside", PICKUP)["job"].clone();
    let jobs = format!("{path}/jobs");
    club.program.post(&jobs, next.clone()).await.refused(409, "ACTIVE_JOB_EXISTS");
    club.program.post(&format!("{path}/close"), json!({})).await.refused(409, "INVALID_TRANSITION");
    let why = json!({"reason_code": "found_other_help", "reason": "It drives again"});
    let cancelled = club.program.post(&format!("/partner/jobs/{job}/cancel"), why).await.expect(200);
    assert_eq!((&cancelled["status"], &cancelled["case_id"]), (&json!("cancelled"), &json!(id)));
    let second = club.program.post_once(&jobs, &next, "second").await.expect(201);
    let repeat = club.program.post_once(&jobs, &next, "second").await.expect(201);
    assert_eq!((&second["id"], &second["case_id"]), (&repeat["id"], &json!(id)));
    assert_eq!(club.program.get(&path).await.expect(200)["jobs"].as_array().map(Vec::len), Some(2));
    let end = format!("/partner/jobs/{}/cancel", id_of(&second));
    club.program.post(&end, json!({})).await.expect(200);
    let closed = club.program.post(&format!("{path}/close"), json!({})).await.expect(200);
    assert_eq!(closed["status"], "closed");
    let again = club.program.post(&format!("{path}/close"), json!({})).await.expect(200);
    for field in ["status", "closed_at", "updated_at"] {
        assert_eq!(again[field], closed[field], "{field}");
    }
    let told = club.told(&id).await;
    assert_eq!(told.iter().filter(|kind| *kind == "case.closed").count(), 1, "{told:?}");
    let place_of = |kind: &str| told.iter().rposition(|told| told == kind).expect(kind);
    assert!(place_of("job.cancelled") < place_of("case.closed"), "{told:?}");
    let refused = club.program.post(&jobs, next).await.refused(409, "INVALID_TRANSITION");
    assert_eq!(refused["error"]["message"], "This case is closed, so it takes no job.");
}

#[actix_web::test]
async fn a_case_is_seen_by_its_organisation_and_by_the_agency_that_made_it() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let agency = app.partner(&club.admin).await;
    let acts_for = json!({"acts_for": [club.partner.id]});
    let key = agency.key_with(&["read", "cases"], acts_for).await;
    let agent = app.program(&key);
    let read = async |path: &str| {
        agent.send_as(Method::GET, path, |request| request.header(ACTS_FOR, &club.partner.id)).await
    };
    let own = id_of(&club.case().await);
    let body = new_case("roadside", club.place());
    let sent = agent.send_as(Method::POST, "/partner/cases", |request| {
        request.header(ACTS_FOR, &club.partner.id).json(&body)
    });
    let made = sent.await.expect(201);
    let of_agency = id_of(&made);
    assert_eq!(made["organisation_id"], club.partner.id.as_str());
    club.program.get(&format!("/partner/cases/{of_agency}")).await.expect(200);
    read(&format!("/partner/cases/{own}")).await.refused(404, "NOT_FOUND");
    assert_eq!(read("/partner/cases").await.expect(200)["total"], 1);
    assert_eq!(club.program.get("/partner/cases").await.expect(200)["total"], 2);
    let stranger = agency.program(&["read"]).await;
    let job = id_of(&made["jobs"][0]);
    for path in [
        format!("/partner/cases/{of_agency}"),
        format!("/partner/jobs/{job}"),
        format!("/partner/jobs/{job}/location"),
    ] {
        stranger.get(&path).await.refused(404, "NOT_FOUND");
    }
}

#[actix_web::test]
async fn a_partner_follows_its_mechanic_and_reads_how_well_it_was_served() {
    let app = spawn_app_with(|settings| settings.jobs.start_code = false).await;
    let club = Contracted::new(&app).await;
    let taken = club.taken().await;
    let job = club.job(&taken.job).await;
    assert_eq!((&job["status"], &job["promise"]["state"]), (&json!("accepted"), &json!("accepted")));
    let seen = club.program.get(&format!("/partner/jobs/{}/location", taken.job)).await.expect(200);
    assert!(seen["location"]["age_ms"].is_i64() && seen["eta"]["eta_s"].is_i64(), "{seen}");
    let item = taken.extra_work(10.0).await;
    let decide = format!("/partner/jobs/{}/line-items/{}/reject", taken.job, id_of(&item));
    club.program.post(&decide, json!({"version": 1})).await.expect(200);
    taken.mechanic.tell(&taken.job, "complete", json!({"outcome": "fixed"})).await;
    club.case().await;
    let report = club.program.get("/partner/report").await.expect(200);
    assert_eq!((&report["cases"], &report["jobs"], &report["completed"]), (&json!(2), &json!(2), &json!(1)));
    assert_eq!(
        (&report["acceptance_percent"], &report["kept_promises_percent"]),
        (&json!(50.0), &json!(100.0))
    );
    assert!(report["stages"]["arrival_s"].is_number());
    club.program.get("/partner/report?from=2020-01-01T00:00:00Z").await.refused_field("from");
}

/// Compares what a partner is shown of a job from memory with what the database has.
async fn is_shown_alike(club: &Contracted<'_>, taken: &Taken) {
    for (path, part) in
        [(format!("/partner/jobs/{}", taken.job), ""), (format!("/partner/cases/{}", taken.case), "/jobs")]
    {
        let known = club.program.get(&path).await.expect(200);
        club.app.leading().remembered.forget_all();
        let read = club.program.get(&path).await.expect(200);
        assert_eq!(known.pointer(part), read.pointer(part), "{path}");
    }
}

#[actix_web::test]
async fn a_partner_is_shown_a_job_from_memory_as_the_database_has_it() {
    let app = spawn_app_with(|settings| settings.jobs.start_code = false).await;
    let club = Contracted::new(&app).await;
    let taken = club.taken().await;
    is_shown_alike(&club, &taken).await;
    let item = taken.extra_work(10.0).await;
    is_shown_alike(&club, &taken).await;
    assert!(club.job(&taken.job).await["line_items"][0]["decide_by"].is_string());
    let decide = format!("/partner/jobs/{}/line-items/{}/reject", taken.job, id_of(&item));
    club.program.post(&decide, json!({"version": 1})).await.expect(200);
    is_shown_alike(&club, &taken).await;
    let shown = club.job(&taken.job).await;
    assert_eq!(
        (&shown["status"], &shown["line_items"][0]["status"], &shown["line_items"][0]["decide_by"]),
        (&json!("in_progress"), &json!("rejected"), &Value::Null)
    );
}

#[actix_web::test]
async fn a_contract_of_another_organisation_is_unknown() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let other = app.partner(&club.admin).await;
    club.admin.post(&other.path("/contracts"), new_contract("theirs")).await.expect(201);
    let body = new_case("theirs", PICKUP);
    post(&club.program, &body).await.refused_field("contract_reference");
}

#[actix_web::test]
async fn a_cancellation_that_the_audit_log_does_not_take_is_answered_as_done() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let job = id_of(&club.case().await["jobs"][0]);
    let refusing =
        "alter table audit_log add constraint takes_no_cancellation check (action <> 'job.cancel') not valid";
    app.change(refusing, &[]).await;
    let cancelled = club.program.post(&format!("/partner/jobs/{job}/cancel"), json!({})).await.expect(200);
    assert_eq!(cancelled["status"], "cancelled");
}
