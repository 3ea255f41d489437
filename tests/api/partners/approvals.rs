//! Extra work: approved and rejected by the partner within the cover, and by the clock as the contract says.

use roadcall::{partners::cases::decide_due, service::settings::Settings};
use serde_json::{Value, json};

use crate::support::{
    TestApp,
    bodies::id_of,
    cases::{Contracted, Taken},
    spawn_app_with, until,
};

async fn spawn() -> TestApp {
    spawn_app_with(|settings: &mut Settings| settings.jobs.start_code = false).await
}

fn path(taken: &Taken, item: &Value, verb: &str) -> String {
    format!("/partner/jobs/{}/line-items/{}/{verb}", taken.job, id_of(item))
}

/// Lets the time for the decision about an item be over, and the service decide.
async fn let_the_time_pass(app: &TestApp, item: &Value) {
    let over =
        "update partner_approvals set due_at = now() - interval '1 minute' where line_item_id = $1::uuid";
    assert_eq!(app.change(over, &[&id_of(item)]).await, 1);
    decide_due(&app.service.feeds).await.expect("the clock");
}

async fn item_of(club: &Contracted<'_>, taken: &Taken) -> Value {
    club.job(&taken.job).await["line_items"][0].clone()
}

#[actix_web::test]
async fn extra_work_is_approved_as_it_was_shown_on_the_organisations_account() {
    let app = spawn().await;
    let club = Contracted::new(&app).await;
    let taken = club.taken().await;
    let item = taken.extra_work(120.0).await;
    let asked = item_of(&club, &taken).await;
    assert_eq!((&asked["status"], &asked["total"]), (&json!("proposed"), &json!(120.0)));
    assert!(asked["decide_by"].is_string());
    let changed = json!({"version": 2});
    club.program.post(&path(&taken, &item, "approve"), changed).await.refused(409, "CONFLICT");
    let shown = json!({"version": 1, "quoted_total": 120.0});
    let approved = club.program.post_once(&path(&taken, &item, "approve"), &shown, "yes").await.expect(200);
    assert_eq!((&approved["status"], &approved["version"]), (&json!("approved"), &json!(2)));
    assert_eq!(
        club.program.post_once(&path(&taken, &item, "approve"), &shown, "yes").await.expect(200),
        approved
    );
    assert_eq!(item_of(&club, &taken).await["decide_by"], Value::Null);
    club.program
        .post(&path(&taken, &item, "reject"), json!({"version": 2}))
        .await
        .refused(409, "INVALID_TRANSITION");
    let kinds = until("both are told", async || {
        let kinds = club.told(&taken.case).await;
        kinds.contains(&"job.approved".to_owned()).then_some(kinds)
    });
    assert!(kinds.await.contains(&"job.approval_requested".to_owned()));
}

#[actix_web::test]
async fn work_beyond_the_cover_is_left_to_the_person_who_is_helped() {
    let app = spawn().await;
    let club = Contracted::with(&app, json!({"cover": 400, "approval_default": "approve"})).await;
    let taken = club.taken().await;
    let item = taken.extra_work(101.01).await;
    club.program.post(&path(&taken, &item, "approve"), json!({"version": 1})).await.refused(409, "CONFLICT");
    let_the_time_pass(&app, &item).await;
    let left = item_of(&club, &taken).await;
    assert_eq!((&left["status"], &left["decide_by"]), (&json!("proposed"), &Value::Null));
}

#[actix_web::test]
async fn undecided_work_counts_as_the_contract_says() {
    for (default, status) in [("approve", "approved"), ("reject", "rejected")] {
        let app = spawn().await;
        let club = Contracted::with(&app, json!({"approval_default": default, "approval_minutes": 5})).await;
        let taken = club.taken().await;
        let item = taken.extra_work(50.0).await;
        decide_due(&app.service.feeds).await.expect("the clock");
        assert_eq!(item_of(&club, &taken).await["status"], "proposed", "its time is not over");
        let_the_time_pass(&app, &item).await;
        let decided = item_of(&club, &taken).await;
        assert_eq!((&decided["status"], &decided["decide_by"]), (&json!(status), &Value::Null));
    }
}

#[actix_web::test]
async fn an_amended_item_is_asked_anew_and_a_withdrawn_one_not_any_more() {
    let app = spawn().await;
    let club = Contracted::new(&app).await;
    let taken = club.taken().await;
    let item = taken.extra_work(50.0).await;
    let of_mechanic = format!("/jobs/{}/line-items/{}", taken.job, id_of(&item));
    taken.mechanic.client.patch(&of_mechanic, json!({"unit_price": 40.0})).await.expect(200);
    let asked = item_of(&club, &taken).await;
    assert!(asked["decide_by"].is_string());
    assert_eq!((&asked["total"], &asked["version"]), (&json!(40.0), &json!(2)));
    taken.mechanic.client.delete(&of_mechanic).await.expect(204);
    assert_eq!(club.job(&taken.job).await["line_items"], json!([]));
    let left = "select count(*) from partner_approvals where line_item_id = $1::uuid";
    assert_eq!(app.value::<i64>(left, &[&id_of(&item)]).await, 0);
}
