//! `GET /admin/jobs/{id}/dispatch`, and the recorder behind it.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{
    dispatcher::explain::{Considered, Explanation, Method, Passed, Terms, Unfit, Verdict},
    eta::EtaSource,
    ids::{JobId, MechanicId},
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{
    AssertFields, Client, OnRoad, TestApp,
    bodies::{FLAT_TYRE, id_of},
    roadside::PICKUP,
    spawn_admin_with, spawn_app_behind, spawn_on_road, spawn_with_admin, until_fits, within,
};

const NOBODY: &str = "018f0000-0000-7000-8000-00000000dead";

fn uuid(text: &str) -> Uuid {
    text.parse().expect("a UUID")
}

fn terms(cost_s: i64) -> Terms {
    Terms {
        eta_s: 30,
        eta_source: EtaSource::StraightLine,
        refusal_s: 4,
        idle_s: -2,
        parked_s: 0,
        foresight: None,
        cost_s,
    }
}

fn unfit(mechanic: &str) -> Considered {
    considered(mechanic, Verdict::Unfit(Unfit::VehicleType))
}

fn considered(mechanic: &str, verdict: Verdict) -> Considered {
    Considered { mechanic_id: MechanicId(uuid(mechanic)), distance_m: 120, verdict }
}

fn decision(job: &str, round: u32, at: DateTime<Utc>, considered: Vec<Considered>) -> Explanation {
    Explanation {
        job_id: JobId(uuid(job)),
        // The dispatcher of this process makes no decision in this attempt itself.
        attempt: 7,
        round,
        at,
        ring_m: 5500.0,
        wanted: 1,
        priority_s: 12,
        competing_jobs: 2,
        method: Method::Bounded { gap_s: 3 },
        considered,
        omitted: 4,
    }
}

async fn record(admin: &Client, job: &str) -> Value {
    admin.get(&format!("/admin/jobs/{job}/dispatch")).await.expect(200)
}

/// Returns the decisions that [`decision`] made up.
fn made_up(record: &Value) -> Vec<Value> {
    let all = record["decisions"].as_array().expect("a list").iter();
    all.filter(|decision| decision["attempt"] == 7).cloned().collect()
}

async fn waiting_job(app: &TestApp) -> String {
    id_of(&app.breakdown().await.call().await)
}

#[actix_web::test]
async fn a_decision_is_shown_with_its_reasons_and_terms() {
    let (app, admin) = spawn_with_admin().await;
    let (job, other) = (waiting_job(&app).await, app.verified_mechanic(&admin).await.profile_id);
    let now = app.service.clock.now();
    let passed = Verdict::Passed(terms(32), Passed::MatchedWith(JobId(uuid(NOBODY))));
    let looked_at = vec![unfit(&other), considered(&other, passed)];
    app.service.dispatch.decisions.record(decision(&job, 2, now, looked_at));
    let shown = record(&admin, &job).await;
    let mut decisions = made_up(&shown);
    let at: DateTime<Utc> = decisions[0]["at"].take().as_str().expect("a time").parse().unwrap();
    assert_eq!(at.timestamp_millis(), now.timestamp_millis());
    // The dispatcher of this process records decisions about the job, too.
    assert!(decisions[0]["number"].take().is_i64());
    let of_other = |verdict, reason, with_job_id, terms| {
        json!({"mechanic_profile_id": other, "name": "Asha", "distance_m": 120, "offer": null, "note": null,
            "verdict": verdict, "reason": reason, "with_job_id": with_job_id, "terms": terms})
    };
    let terms = json!({"eta_s": 30, "eta_source": "straight_line", "refusal_s": 4, "idle_s": -2, "parked_s": 0,
        "foresight": null, "cost_s": 32});
    let expected = json!([{
        "number": null, "attempt": 7, "round": 2, "at": null, "looks": 1, "ring_km": 5.5, "wanted": 1,
        "priority_s": 12, "competing_jobs": 2, "method": "bounded", "gap_s": 3, "omitted": 4,
        "considered": [
            of_other("unfit", "vehicle_type", None, None),
            of_other("passed", "matched_with_another_job", Some(NOBODY), Some(terms)),
        ],
    }]);
    assert_eq!(Value::Array(decisions), expected);
    assert!(!shown.to_string().contains("+91"), "no phone number: {shown}");
}

#[actix_web::test]
async fn a_pickup_that_is_not_worth_the_mechanics_time_is_held_back_unless_it_is_an_accident() {
    // Nobody who is two kilometres away arrives within a minute, and a late arrival is worth nothing here.
    let (app, admin) = spawn_admin_with(|settings| {
        (settings.dispatch.worth_s, settings.dispatch.in_time_s, settings.dispatch.late_percent) =
            (60, 60, 0);
    })
    .await;
    let mut helper = app.on_road_at(&admin, (PICKUP.0 + 0.018, PICKUP.1)).await;
    let job = waiting_job(&app).await;
    let has_decision = |shown: &Value| !shown["decisions"][0]["considered"][0].is_null();
    let shown = until_fits("a decision is recorded", async || record(&admin, &job).await, has_decision).await;
    let candidate = &shown["decisions"][0]["considered"][0];
    candidate.assert_fields(json!({"verdict": "passed", "reason": "held_back"}));
    let foresight = &candidate["terms"]["foresight"];
    foresight.assert_fields(json!({"late_s": 60, "worth_s": 60, "chance_in_time_percent": 0.0}));
    let note = candidate["note"].as_str().expect("a note");
    assert!(note.ends_with("and 0 min here (0 % in time)"), "{note}");
    assert_eq!(shown["status"], "dispatching", "the customer goes on waiting");

    let accident = app.breakdown().await.call_with("urgency", json!("accident")).await;
    assert_eq!(helper.offer().await["job_id"], accident["id"]);
}

#[actix_web::test]
async fn offers_are_shown_with_their_outcome() {
    let (app, admin) = spawn_with_admin().await;
    let mut near = app.on_road(&admin).await;
    let mut far = app.on_road_at(&admin, (PICKUP.0 + 0.01, PICKUP.1)).await;
    let (_, job) = app.called().await;
    let declined = id_of(&near.offer().await);
    near.client.post(&format!("/offers/{declined}/decline"), json!({"reason": "lunch"})).await.expect(200);
    let pending = id_of(&far.offer().await);
    let shown = record(&admin, &job).await;
    shown.assert_fields(json!({"status": "dispatching", "attempt": 1, "round": 2,
        "offers/0/id": declined, "offers/0/status": "declined", "offers/0/decline_reason": "lunch",
        "offers/0/name": "Asha", "offers/1/id": pending, "offers/1/status": "pending",
        "offers/1/mechanic_profile_id": far.profile_id, "offers/1/settled_at": null}));
    assert!(shown["offers"][0]["settled_at"].is_string() && shown["attempt_ends_at"].is_string());

    far.client.post(&format!("/offers/{pending}/accept"), json!({})).await.expect(200);
    let shown = record(&admin, &job).await;
    shown.assert_fields(json!({"offers/1/status": "accepted", "status": "accepted", "round": null,
        "attempt_ends_at": null}));
}

/// Waits until the dispatcher has recorded a decision of this round that offered the job to someone: it records the
/// decision after the offer is made.
async fn offering(admin: &Client, job: &str, round: u32) -> Value {
    let is_it = |decision: &&Value| {
        let mut considered = decision["considered"].as_array().into_iter().flatten();
        decision["round"] == round && considered.any(|one| one["verdict"] == "offered")
    };
    let find = async || record(admin, job).await["decisions"].as_array()?.iter().find(is_it).cloned();
    until_fits("the decision is told of", find, Option::is_some).await.expect("it was found")
}

/// Returns what a decision says about a mechanic.
fn of<'a>(decision: &'a Value, mechanic: &OnRoad) -> &'a Value {
    let mut considered = decision["considered"].as_array().expect("a list").iter();
    let found = considered.find(|one| one["mechanic_profile_id"] == *mechanic.profile_id);
    found.unwrap_or_else(|| panic!("{} is missing in {decision}", mechanic.profile_id))
}

#[actix_web::test]
async fn the_dispatcher_records_why_everyone_in_the_ring_was_or_was_not_offered_the_job() {
    let (app, admin) = spawn_with_admin().await;
    let mut busy = app.on_road(&admin).await;
    let elsewhere = app.breakdown().await;
    app.taken(&elsewhere, &mut busy).await;
    let tower = app.on_road(&admin).await;
    app.serve(&admin, &tower.client, json!({"vehicle_types": ["commercial"]})).await;
    let mut near = app.on_road(&admin).await;
    let mut far = app.on_road_at(&admin, (PICKUP.0 + 0.01, PICKUP.1)).await;
    let (_, job) = app.called().await;

    let offer = id_of(&near.offer().await);
    let first = offering(&admin, &job, 1).await;
    assert_eq!((&first["attempt"], &first["wanted"], &first["ring_km"]), (&json!(1), &json!(1), &json!(3.0)));
    let chosen = of(&first, &near);
    assert_eq!((&chosen["offer"]["id"], &chosen["offer"]["status"]), (&json!(offer), &json!("pending")));
    let (cheap, dear) = (&chosen["terms"]["cost_s"], &of(&first, &far)["terms"]["cost_s"]);
    assert!(cheap.as_i64().expect("seconds") < dear.as_i64().expect("seconds"), "{first}");
    assert_eq!(of(&first, &far)["reason"], "costs_more");

    let lunch = json!({"reason": "lunch"});
    near.client.post(&format!("/offers/{offer}/decline"), lunch).await.expect(200);
    far.accept().await;
    let first = offering(&admin, &job, 1).await;
    let fate = &of(&first, &near)["offer"];
    assert_eq!((&fate["status"], &fate["decline_reason"]), (&json!("declined"), &json!("lunch")));
    assert!(fate["settled_at"].is_string());
    let second = offering(&admin, &job, 2).await;
    for (mechanic, reason) in [(&near, "excluded"), (&busy, "engaged"), (&tower, "vehicle_type")] {
        let reply = of(&second, mechanic);
        reply.assert_fields(json!({"verdict": "unfit", "reason": reason, "terms": null, "offer": null}));
    }
    let reply = of(&second, &far);
    reply.assert_fields(json!({"verdict": "offered", "reason": null, "terms/eta_source": "straight_line",
        "offer/status": "accepted"}));
}

#[actix_web::test]
async fn only_admins_read_the_decisions_of_existing_jobs() {
    let (app, admin, mechanic, stranded) = spawn_on_road().await;
    let path = format!("/admin/jobs/{}/dispatch", id_of(&stranded.call().await));
    stranded.client.get(&path).await.refused(403, "FORBIDDEN");
    mechanic.client.get(&path).await.refused(403, "FORBIDDEN");
    app.anonymous().get(&path).await.refused(401, "UNAUTHORIZED");
    app.super_admin().await.get(&path).await.expect(200);
    admin.get(&format!("/admin/jobs/{NOBODY}/dispatch")).await.refused(404, "NOT_FOUND");
    admin.get("/admin/jobs/odd/dispatch").await.refused_field("id");
}

#[actix_web::test]
async fn looks_without_an_offer_in_one_round_are_one_entry_after_many_writes() {
    let (app, admin) = spawn_with_admin().await;
    let job = waiting_job(&app).await;
    let start = app.service.clock.now();
    for second in 0..5 {
        let at = start + TimeDelta::seconds(second);
        app.service.dispatch.decisions.record(decision(&job, 1, at, vec![unfit(NOBODY)]));
        app.service.dispatch.decisions.record(decision(&job, 2, at, Vec::new()));
        // Reading flushes earlier decisions.
        let decisions = made_up(&record(&admin, &job).await);
        let looks: Vec<_> = decisions.iter().map(|decision| decision["looks"].clone()).collect();
        assert_eq!(looks, [second + 1, second + 1]);
    }
    let shown = record(&admin, &job).await;
    let newest = &made_up(&shown)[1];
    assert_eq!((&newest["round"], &newest["considered"]), (&json!(2), &json!([])));
    assert_eq!(shown["dropped_decisions"], 0);
}

#[actix_web::test]
async fn a_job_keeps_its_newest_64_decisions_and_shows_how_many_were_dropped() {
    let (app, admin) = spawn_with_admin().await;
    let (job, other) = (waiting_job(&app).await, waiting_job(&app).await);
    let start = app.service.clock.now();
    let offered = || vec![considered(NOBODY, Verdict::Offered(terms(32)))];
    app.service.dispatch.decisions.record(decision(&other, 1, start, offered()));
    // They are flushed in several writes, with looks without an offer among them.
    for number in 0..70_i64 {
        let at = start + TimeDelta::seconds(number);
        app.service.dispatch.decisions.record(decision(&job, 1, at, offered()));
        if number % 20 == 0 {
            app.service.dispatch.decisions.record(decision(&job, 9, at, Vec::new()));
            assert!(app.service.dispatch.decisions.flush().await);
        }
    }
    let shown = record(&admin, &job).await;
    let decisions = shown["decisions"].as_array().expect("a list");
    assert_eq!(decisions.len(), 64);
    let mut numbers: Vec<i64> =
        decisions.iter().map(|decision| decision["number"].as_i64().unwrap()).collect();
    numbers.sort_unstable();
    let newest = numbers[63];
    assert_eq!(numbers, (newest - 63..=newest).collect::<Vec<_>>(), "no number is missing");
    assert_eq!(shown["dropped_decisions"], newest - 64);
    assert_eq!(made_up(&record(&admin, &other).await).len(), 1, "another job's are untouched");
}

#[actix_web::test]
async fn decisions_survive_a_restart() {
    let (mut app, admin) = spawn_with_admin().await;
    let job = waiting_job(&app).await;
    app.service.dispatch.decisions.record(decision(&job, 1, app.service.clock.now(), vec![unfit(NOBODY)]));
    app.restart().await;
    let admin = app.anonymous().with_token(admin.token().expect("a token"));
    let decisions = made_up(&record(&admin, &job).await);
    assert_eq!(decisions[0]["considered"][0]["reason"], "vehicle_type");
}

#[actix_web::test]
async fn decisions_made_without_postgres_are_written_when_it_is_back() {
    let (app, wire) = spawn_app_behind(|_| {}).await;
    let admin = app.admin().await;
    let job = waiting_job(&app).await;
    wire.cut();
    app.service.dispatch.decisions.record(decision(&job, 1, app.service.clock.now(), vec![unfit(NOBODY)]));
    assert!(!app.service.dispatch.decisions.flush().await);
    wire.mend();
    let written = async { while !app.service.dispatch.decisions.flush().await {} };
    within("the decision is written", written).await;
    assert_eq!(made_up(&record(&admin, &job).await).len(), 1);
}

#[actix_web::test]
async fn a_decision_about_a_job_that_does_not_exist_does_not_prevent_others_from_being_stored() {
    let (app, admin) = spawn_with_admin().await;
    let job = waiting_job(&app).await;
    app.service.dispatch.decisions.record(decision(NOBODY, 1, app.service.clock.now(), Vec::new()));
    app.service.dispatch.decisions.record(decision(&job, 1, app.service.clock.now(), Vec::new()));
    assert_eq!(made_up(&record(&admin, &job).await).len(), 1);
}

#[actix_web::test]
async fn a_category_sets_the_widths_and_the_number_of_its_rounds() {
    let (app, admin) = spawn_with_admin().await;
    let overrides =
        json!({"round_widths": [2], "max_rounds": 3, "urgent_first_round": 3, "rings_km": [2.5, 6]});
    admin.patch(&format!("/service-categories/{FLAT_TYRE}"), overrides.clone()).await.expect(200);
    let mut near = app.on_road(&admin).await;
    let mut far = app.on_road_at(&admin, (PICKUP.0 + 0.002, PICKUP.1)).await;
    let (stranded, job) = app.called().await;
    let (first, second) = (near.offer().await, far.offer().await);
    assert_eq!((&first["job_id"], &first["round"]), (&json!(job), &json!(1)));
    assert_eq!((&second["job_id"], &second["round"]), (&json!(job), &json!(1)), "two at once in round 1");
    let policy = &record(&admin, &job).await["policy"];
    assert_eq!((&policy["round_widths"], &policy["max_rounds"]), (&json!([2]), &json!(3)));
    assert_eq!((&policy["rings_km"], &policy["offer_ttl_s"]), (&json!([2.5, 6.0]), &json!(20)));

    let mut urgent = app.breakdown().await;
    urgent.place = (PICKUP.0 + 1.0, PICKUP.1);
    let urgent = id_of(&urgent.call_with("urgency", json!("accident")).await);
    let mut helper = app.on_road_at(&admin, (PICKUP.0 + 1.0, PICKUP.1)).await;
    let offer = helper.offer().await;
    assert_eq!((&offer["job_id"], &offer["round"]), (&json!(urgent), &json!(3)));

    // An open job keeps the values that it began with; an ended one shows those that would apply now.
    admin.patch(&format!("/service-categories/{FLAT_TYRE}"), json!({"round_widths": [4]})).await.expect(200);
    assert_eq!(record(&admin, &job).await["policy"]["round_widths"], json!([2]));
    stranded.cancel(&job).await;
    assert_eq!(record(&admin, &job).await["policy"]["round_widths"], json!([4]));
}

#[actix_web::test]
async fn decisions_are_swept_once_their_job_has_ended_and_they_are_old() {
    let (app, admin) = spawn_with_admin().await;
    let (ended, open) = (app.breakdown().await, waiting_job(&app).await);
    let job = id_of(&ended.call().await);
    ended.cancel(&job).await;
    let now = app.service.clock.now();
    for (job, days) in [(&job, 29), (&job, 31), (&open, 31)] {
        let old = decision(job, days, now - TimeDelta::days(days.into()), Vec::new());
        app.service.dispatch.decisions.record(old);
    }
    assert!(app.service.dispatch.decisions.flush().await);
    assert_eq!(roadcall::dispatch::sweep(&app.service.dispatch, 100).await.expect("swept"), 1);
    assert_eq!(made_up(&record(&admin, &job).await)[0]["round"], 29);
    assert_eq!(made_up(&record(&admin, &open).await).len(), 1, "of an open job nothing is forgotten");
}

#[actix_web::test]
async fn a_decision_that_the_schema_refuses_does_not_block_later_ones() {
    let (app, admin) = spawn_with_admin().await;
    let job = waiting_job(&app).await;
    let now = app.service.clock.now();
    // Postgres knows no time before 4713 BC.
    app.service.dispatch.decisions.record(decision(&job, 1, DateTime::<Utc>::MIN_UTC, Vec::new()));
    assert!(app.service.dispatch.decisions.flush().await);
    app.service.dispatch.decisions.record(decision(&job, 2, now, Vec::new()));
    let kept = made_up(&record(&admin, &job).await);
    assert_eq!((kept.len(), &kept[0]["round"]), (1, &json!(2)));
}
