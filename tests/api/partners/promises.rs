//! Promised times of arrival: accepted, refused, extended, and missed.

use roadcall::{partners::cases::note_missed, service::settings::Settings};
use serde_json::{Value, json};

use crate::support::{
    TestApp,
    cases::{Contracted, Taken},
    spawn_app_with, until,
};

async fn spawn() -> TestApp {
    spawn_app_with(|settings: &mut Settings| settings.jobs.start_code = false).await
}

/// Returns an organisation that decides about each time of arrival itself.
async fn choosy(app: &TestApp) -> Contracted<'_> {
    Contracted::with(app, json!({"accepts_promises": false})).await
}

fn path(taken: &Taken, verb: &str) -> String {
    format!("/partner/jobs/{}/promise/{verb}", taken.job)
}

/// Lets the promised time of a job be over.
async fn overdue(app: &TestApp, taken: &Taken) {
    let over = "update partner_jobs set promised_at = now() - interval '1 minute', promise_due_at = now() - interval '1 minute'
        where job_id = $1::uuid";
    assert_eq!(app.change(over, &[&taken.job]).await, 1);
}

/// Waits until a case has an event of this kind, and returns all kinds.
async fn told(club: &Contracted<'_>, case: &str, kind: &str) -> Vec<String> {
    until("the event is there", async || {
        let kinds = club.told(case).await;
        kinds.iter().any(|one| one == kind).then_some(kinds)
    })
    .await
}

#[actix_web::test]
async fn a_proposed_time_is_accepted_once() {
    let app = spawn().await;
    let club = choosy(&app).await;
    let taken = club.taken().await;
    let proposed = club.job(&taken.job).await;
    assert_eq!(proposed["promise"]["state"], "proposed");
    assert_eq!(proposed["promise"]["at"], proposed["expected_at"]);
    for _ in 0..2 {
        let accepted = club.program.post(&path(&taken, "accept"), json!({})).await.expect(200);
        assert_eq!(accepted["promise"]["state"], "accepted");
    }
    let why = json!({"reason": "Too late"});
    club.program.post(&path(&taken, "refuse"), why).await.refused(409, "INVALID_TRANSITION");
    let kinds = told(&club, &taken.case, "job.promise_accepted").await;
    assert_eq!(kinds.iter().filter(|kind| *kind == "job.promise_accepted").count(), 1, "{kinds:?}");
    let place_of = |kind: &str| kinds.iter().position(|told| told == kind).expect(kind);
    assert!(place_of("job.promise_proposed") < place_of("job.promise_accepted"), "{kinds:?}");
}

#[actix_web::test]
async fn a_refused_time_takes_the_job_from_its_mechanic_and_another_one_is_sought() {
    let app = spawn().await;
    let club = choosy(&app).await;
    let taken = club.taken().await;
    let why = json!({"reason": "The customer can't wait that long"});
    let refused = club.program.post_once(&path(&taken, "refuse"), &why, "no").await.expect(200);
    assert_eq!(
        (&refused["status"], &refused["promise"]["state"]),
        (&json!("dispatching"), &json!("refused"))
    );
    assert_eq!(refused["mechanic"], Value::Null);
    let repeat = club.program.post_once(&path(&taken, "refuse"), &why, "no").await.expect(200);
    assert_eq!(repeat["promise"]["state"], "refused");
    let kinds = told(&club, &taken.case, "job.promise_refused").await;
    assert_eq!(kinds.iter().filter(|kind| *kind == "job.promise_refused").count(), 1, "{kinds:?}");
    assert!(kinds.contains(&"job.mechanic_left".to_owned()), "{kinds:?}");
    club.program.post(&path(&taken, "accept"), json!({})).await.refused(409, "INVALID_TRANSITION");
}

#[actix_web::test]
async fn a_refusal_is_told_even_if_nothing_else_is_written_after_the_mechanic_has_lost_the_job() {
    let app = spawn().await;
    let club = choosy(&app).await;
    let taken = club.taken().await;
    app.sql("alter table audit_log add constraint cut_off check (action <> 'job.refuse_promise')").await;
    let why = json!({"reason": "The customer can't wait that long"});
    club.program.post(&path(&taken, "refuse"), why.clone()).await.expect(200);
    told(&club, &taken.case, "job.promise_refused").await;
    let events = club.program.get(&format!("/partner/cases/{}/events", taken.case)).await.expect(200);
    let refusal = events["data"]
        .as_array()
        .expect("a list")
        .iter()
        .rev()
        .find(|event| event["type"] == "job.promise_refused");
    let data = &refusal.expect("it is told")["data"];
    assert_eq!((&data["reason"], &data["job"]["promise"]["state"]), (&why["reason"], &json!("refused")));
}

#[actix_web::test]
async fn a_proposed_time_is_not_refused_once_the_mechanic_has_arrived() {
    let app = spawn().await;
    let club = choosy(&app).await;
    let taken = club.taken().await;
    taken.mechanic.tell(&taken.job, "en-route", json!({})).await;
    taken.mechanic.tell(&taken.job, "arrive", json!({})).await;
    let why = json!({"reason": "The customer can't wait that long"});
    club.program.post(&path(&taken, "refuse"), why).await.refused(409, "INVALID_TRANSITION");
    assert_eq!(club.job(&taken.job).await["status"], "arrived", "the mechanic keeps the job");
}

#[actix_web::test]
async fn an_admin_extends_a_promise_with_a_reason_once_and_not_after_its_time() {
    let app = spawn().await;
    let club = Contracted::new(&app).await;
    let taken = club.taken().await;
    let before = club.job(&taken.job).await["promise"]["at"].clone();
    let extend = format!("/admin/jobs/{}/extend-promise", taken.job);
    let body = json!({"minutes": 15, "reason": "A road is closed"});
    let extended = club.admin.post_once(&extend, &body, "later").await.expect(200);
    let promise = &extended["promise"];
    assert_eq!(
        (&promise["state"], &promise["extension_reason"]),
        (&json!("accepted"), &json!("A road is closed"))
    );
    assert_ne!(promise["at"], before);
    let again = club.admin.post_once(&extend, &body, "later").await.expect(200);
    assert_eq!(again["promise"]["at"], promise["at"], "a repeat extends nothing");
    told(&club, &taken.case, "job.promise_extended").await;
    overdue(&app, &taken).await;
    club.admin.post(&extend, body.clone()).await.refused(409, "INVALID_TRANSITION");
    club.program.post(&extend, body).await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn a_missed_promise_is_told_once_and_the_arrival_in_time_not_at_all() {
    let app = spawn().await;
    let club = Contracted::new(&app).await;
    let (late, kept) = (club.taken().await, club.taken().await);
    kept.mechanic.tell(&kept.job, "en-route", json!({})).await;
    kept.mechanic.tell(&kept.job, "arrive", json!({})).await;
    let due = "update partner_jobs set promise_due_at = now() - interval '1 minute' where job_id = $1::uuid";
    assert_eq!(app.change(due, &[&kept.job]).await, 1);
    overdue(&app, &late).await;
    for _ in 0..2 {
        note_missed(&app.service.feeds).await.expect("the clock");
    }
    let kinds = told(&club, &late.case, "job.promise_missed").await;
    assert_eq!(kinds.iter().filter(|kind| *kind == "job.promise_missed").count(), 1, "{kinds:?}");
    assert!(club.job(&late.job).await["promise"]["missed_at"].is_string());
    assert_eq!(club.job(&kept.job).await["promise"]["missed_at"], Value::Null);
    assert!(!club.told(&kept.case).await.contains(&"job.promise_missed".to_owned()));
}

#[actix_web::test]
async fn a_mechanic_who_leaves_takes_the_promise_with_them() {
    let app = spawn().await;
    let club = Contracted::new(&app).await;
    let taken = club.taken().await;
    taken.mechanic.tell(&taken.job, "release", json!({"reason_code": "vehicle_trouble"})).await;
    let job = club.job(&taken.job).await;
    assert_eq!((&job["promise"]["state"], &job["promise"]["at"]), (&json!("none"), &Value::Null));
}
