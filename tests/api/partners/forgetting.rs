//! Some time after a case is over, it and its jobs forget who was helped.

use chrono::TimeDelta;
use roadcall::{
    accounts::uploads,
    jobs,
    partners::{cases, feeds},
};
use serde_json::{Value, json};

use crate::support::{
    Client, TestApp,
    bodies::id_of,
    cases::{Contracted, new_case},
    spawn_app, until_so,
    uploads::{case_document, sent_for_case},
    within,
};

const PLATE: &str = "KA05MX7701";

/// Everything by which a case may show whom it was about.
const PERSONAL: [&str; 9] = [
    "Asha Rao",
    "+919876543210",
    PLATE,
    "MA3ERLF1S00123456",
    "Ravi Kumar",
    "+919812300042",
    "under the mat",
    "the green gate",
    "expecting a call",
];

fn named_case(place: (f64, f64)) -> Value {
    let mut body = new_case("roadside", place);
    body["vehicle"]["registration_number"] = json!(PLATE);
    body["vehicle"]["vin"] = json!("MA3ERLF1S00123456");
    body["place"] = json!({"location_type": "home", "keys_at": "under the mat",
        "pickup_contact": {"name": "Ravi Kumar", "phone": "+919812300042"}});
    body["notes_for_mechanic"] = json!("Ring at the green gate");
    body["internal_notes"] = json!("She is expecting a call");
    body["job"]["pickup_address"] = json!("12 MG Road, Bengaluru 560038");
    body
}

/// Makes a case and cancels its job; returns the case once the event of its outcome exists.
async fn over(club: &Contracted<'_>, body: Value) -> String {
    let made = club.program.post("/partner/cases", body).await.expect(201);
    let case = id_of(&made);
    end(club, &case, &id_of(&made["jobs"][0])).await;
    case
}

async fn end(club: &Contracted<'_>, case: &str, job: &str) {
    club.program.post(&format!("/partner/jobs/{job}/cancel"), json!({})).await.expect(200);
    let is_told = async || club.told(case).await.iter().any(|kind| kind == "job.outcome");
    until_so("the outcome is told", is_told).await;
}

/// Lets a case, its jobs and its events be so many days older.
async fn pass_days(app: &TestApp, case: &str, days: i32) {
    for sql in [
        "update partner_cases set updated_at = updated_at - make_interval(days => $2::int) where id = $1::uuid",
        "update job_states set updated_at = updated_at - make_interval(days => $2::int)
        where id in (select job_id from partner_jobs where case_id = $1::uuid)",
        "update partner_events set created_at = created_at - make_interval(days => $2::int) where case_id = $1::uuid",
    ] {
        app.change(sql, &[case, &days.to_string()]).await;
    }
}

async fn forgotten(app: &TestApp) -> u64 {
    let done = within("the round", cases::forget_people(&app.service.feeds, TimeDelta::days(90))).await;
    jobs::forget_in_logs(&app.service.db).await.expect("the logs");
    done.expect("the round")
}

/// Returns everything that the database keeps of a case, its jobs, its vehicle and its events.
async fn kept(app: &TestApp, case: &str) -> String {
    sqlx::query_scalar(
        "select concat(
            (select to_jsonb(c) from partner_cases c where c.id = $1::uuid),
            (select jsonb_agg(to_jsonb(j)) from jobs j where j.case_id = $1::uuid),
            (select jsonb_agg(to_jsonb(e)) from job_events e join partner_jobs p on p.job_id = e.job_id
                where p.case_id = $1::uuid),
            (select jsonb_agg(to_jsonb(v)) from vehicles v join partner_cases c on c.vehicle_id = v.id
                where c.id = $1::uuid),
            (select jsonb_agg(to_jsonb(e)) from partner_events e where e.case_id = $1::uuid))",
    )
    .bind(case)
    .fetch_one(&app.database.db)
    .await
    .expect("a case")
}

async fn shown(program: &Client, case: &str) -> Value {
    program.get(&format!("/partner/cases/{case}")).await.expect(200)
}

#[actix_web::test]
async fn a_case_that_is_over_forgets_after_some_time_who_was_helped() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let case = over(&club, named_case(club.place())).await;
    pass_days(&app, &case, 89).await;
    assert_eq!(forgotten(&app).await, 0);
    let before = kept(&app, &case).await;
    for personal in PERSONAL.iter().chain(&["MG Road"]) {
        assert!(before.contains(personal), "{personal} in {before}");
    }

    pass_days(&app, &case, 2).await;
    assert_eq!(forgotten(&app).await, 1);
    assert_eq!(forgotten(&app).await, 0, "once");
    feeds::sweep(&app.service.feeds, 1_000).await.expect("events");
    let after = kept(&app, &case).await;
    for personal in PERSONAL.iter().chain(&["MG Road"]) {
        assert!(!after.contains(personal), "{personal} in {after}");
    }
    let shown = shown(&club.program, &case).await;
    assert_eq!((&shown["status"], &shown["helped_person"]), (&json!("closed"), &Value::Null));
    assert_eq!((&shown["beneficiary"]["name"], &shown["place"]), (&Value::Null, &Value::Null));
    assert_eq!(shown["vehicle"]["registration_number"], Value::Null);
    assert_eq!(shown["jobs"][0]["pickup"]["address"], "Bengaluru");
    assert_eq!(club.told(&case).await, ["case.closed"], "older events are deleted, as all are");
}

#[actix_web::test]
async fn a_case_that_is_over_forgets_why_a_promised_time_was_refused() {
    let app = spawn_app().await;
    let club = Contracted::with(&app, json!({"accepts_promises": false})).await;
    let taken = club.taken().await;
    let why = json!({"reason": "Asha has to be at the hospital"});
    club.program.post(&format!("/partner/jobs/{}/promise/refuse", taken.job), why).await.expect(200);
    end(&club, &taken.case, &taken.job).await;
    let in_log = "select count(*) from job_events where job_id = $1::uuid and data::text like '%hospital%'";
    assert_eq!(app.value::<i64>(in_log, &[&taken.job]).await, 1);
    let noted = "select count(*) from audit_log where action = 'job.refuse_promise' and after::text not like '%hospital%'";
    assert_eq!(app.value::<i64>(noted, &[]).await, 1, "the audit log forgets nothing");
    let path = format!("/jobs/{}/timeline", taken.job);
    let by_admin = club.admin.get(&path).await.expect(200);
    assert!(by_admin["data"].to_string().contains("hospital"), "{by_admin}");
    pass_days(&app, &taken.case, 91).await;
    assert_eq!(forgotten(&app).await, 1);
    assert_eq!(app.value::<i64>(in_log, &[&taken.job]).await, 0);
}

#[actix_web::test]
async fn a_case_with_an_open_job_keeps_its_person_and_the_plate_of_their_vehicle() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let first = over(&club, named_case(club.place())).await;
    let second = club.program.post("/partner/cases", named_case(club.place())).await.expect(201);
    let (id, job) = (id_of(&second), id_of(&second["jobs"][0]));
    for case in [&first, &id] {
        pass_days(&app, case, 91).await;
    }
    assert_eq!(forgotten(&app).await, 1);
    let open = shown(&club.program, &id).await;
    assert_eq!((&open["status"], &open["beneficiary"]["name"]), (&json!("open"), &json!("Asha Rao")));
    assert_eq!(open["vehicle"]["registration_number"], PLATE);
    assert_eq!(shown(&club.program, &first).await["helped_person"], Value::Null);

    end(&club, &id, &job).await;
    pass_days(&app, &id, 91).await;
    assert_eq!(forgotten(&app).await, 1);
    let fleet = club.program.get("/partner/vehicles").await.expect(200);
    assert_eq!(fleet["data"], json!([]), "cases described it, and all of them are forgotten");
}

#[actix_web::test]
async fn a_vehicle_of_an_organisations_fleet_outlives_the_cases_about_it() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let vehicle = json!({"vehicle_type": "two_wheeler", "registration_number": PLATE});
    club.program.post("/partner/vehicles", vehicle).await.expect(201);
    let case = over(&club, named_case(club.place())).await;
    pass_days(&app, &case, 91).await;
    assert_eq!(forgotten(&app).await, 1);
    let fleet = club.program.get("/partner/vehicles").await.expect(200);
    assert_eq!(fleet["data"][0]["registration_number"], PLATE);
}

#[actix_web::test]
async fn a_case_that_forgets_its_person_loses_its_documents() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let case = over(&club, named_case(club.place())).await;
    case_document(&club.program, &case).await;
    pass_days(&app, &case, 91).await;
    assert_eq!(forgotten(&app).await, 1);
    let path = format!("/partner/cases/{case}/documents");
    assert_eq!(club.program.get(&path).await.expect(200)["data"], json!([]));
    assert_eq!(uploads::sweep(&app.service.uploads, 100).await.expect("a sweep"), 1);

    let late = sent_for_case(&club.program, &case).await;
    let body = json!({"upload_id": late.id, "kind": "photo", "name": "The bumper"});
    club.program.post(&path, body).await.refused(409, "INVALID_TRANSITION");
}
