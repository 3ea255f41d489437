use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::{
    leaving::in_vain,
    support::{
        AssertFields, OnRoad,
        bodies::{FLAT_TYRE, TOWING, id_of, set, vehicle},
        roadside::PICKUP,
        spawn_admin_with, spawn_app_with, spawn_on_road, spawn_with_admin,
    },
};

#[actix_web::test]
async fn an_offer_shows_no_more_than_a_mechanic_needs() {
    let (app, admin, mut mechanic, stranded) = spawn_on_road().await;
    let job = stranded.call().await;
    let offer = mechanic.offer().await;
    offer.assert_fields(json!({"job_id": job["id"], "status": "pending", "round": 1}));
    let text = offer.to_string();
    assert!(!text.contains("MG Road") && !text.contains(&stranded.client.phone), "{text}");
    assert_ne!(offer["job"]["pickup_lat"], json!(PICKUP.0), "the exact place is for the assigned mechanic");
    let listed = mechanic.client.get("/mechanics/me/offers").await.expect(200);
    assert_eq!(listed["data"], json!([offer]));
    // For everyone else, the offer does not exist.
    let other = app.on_road_at(&admin, (PICKUP.0 + 1.0, PICKUP.1)).await;
    let accept = format!("/offers/{}/accept", id_of(&offer));
    other.client.post(&accept, json!({})).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn a_declined_job_goes_to_the_next_mechanic_and_never_back() {
    let (app, admin) = spawn_with_admin().await;
    let mut near = app.on_road(&admin).await;
    let mut far = app.on_road_at(&admin, (PICKUP.0 + 0.01, PICKUP.1)).await;
    let (stranded, job) = app.called().await;
    let offer = id_of(&near.offer().await);
    let declined = near.client.post(&format!("/offers/{offer}/decline"), json!({"reason": "lunch"})).await;
    assert_eq!(declined.expect(200)["status"], "declined");
    near.client.post(&format!("/offers/{offer}/accept"), json!({})).await.refused(409, "OFFER_EXPIRED");
    assert_eq!(far.accept().await["id"], job.as_str());
    far.tell(&job, "release", json!({"reason_code": "vehicle_trouble"})).await;
    assert_eq!(stranded.job(&job).await["status"], "dispatching");
    // Both are excluded now, so the next mechanic who comes online gets the offer.
    let mut third = app.on_road_at(&admin, (PICKUP.0, PICKUP.1 + 0.02)).await;
    assert_eq!(third.accept().await["id"], job.as_str());
    far.client.get(&format!("/jobs/{job}")).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn unanswered_offers_expire_and_the_failed_search_can_be_retried() {
    let (app, admin) = spawn_admin_with(|settings| {
        settings.dispatch.offer_ttl_s = 1;
        settings.dispatch.offer_grace_ms = 0;
        settings.dispatch.attempt_ttl_s = 8;
    })
    .await;
    let mut mechanic = app.on_road(&admin).await;
    let stranded = app.breakdown().await;
    let (job, mut watcher) = app.followed(&stranded).await;
    let offer = id_of(&mechanic.offer().await);
    // The first round may have gone out before anyone watched; the second cannot have.
    let progress = watcher.expect("dispatch.progress").await;
    assert!([json!(1), json!(2)].contains(&progress["data"]["round"]), "{progress}");
    progress.assert_fields(json!({"data/radius_km": 3.0, "data/mechanics_offered": 1}));
    assert_eq!(mechanic.socket.expect("offer.expired").await["data"]["id"], offer.as_str());
    mechanic.client.post(&format!("/offers/{offer}/accept"), json!({})).await.refused(409, "OFFER_EXPIRED");
    watcher.until_status("no_mechanic_found").await;
    let outlook = &stranded.job(&job).await["outlook"];
    assert_eq!(
        (&outlook["reason"], &outlook["expected_wait_s"], &outlook["is_served"]),
        (&json!("declined"), &Value::Null, &json!(false)),
        "the mechanic was asked and did not answer"
    );
    let flat_tyre = format!("/service-categories/{FLAT_TYRE}");
    admin.patch(&flat_tyre, json!({"is_active": false})).await.expect(200);
    stranded.client.post(&format!("/jobs/{job}/retry"), json!({})).await.refused(409, "CONFLICT");
    admin.patch(&flat_tyre, json!({"is_active": true})).await.expect(200);
    let again = stranded.client.post(&format!("/jobs/{job}/retry"), json!({})).await.expect(200);
    assert_eq!(again["status"], "dispatching");
    // Each search makes two offers: the third belongs to the new one.
    for _ in 2..=3 {
        assert_eq!(mechanic.offer().await["job_id"], job.as_str());
    }
}

#[actix_web::test]
async fn a_job_for_a_deleted_vehicle_is_not_searched_again() {
    let app = spawn_app_with(|settings| settings.dispatch.attempt_ttl_s = 1).await;
    let (stranded, job) = in_vain(&app).await;
    stranded.client.delete(&format!("/vehicles/{}", stranded.vehicle_id)).await.expect(204);
    let refused = stranded.client.post(&format!("/jobs/{job}/retry"), json!({})).await;
    refused.refused_saying(409, "CONFLICT", "vehicle");
    assert_eq!(stranded.job(&job).await["status"], "no_mechanic_found");
}

#[actix_web::test]
async fn a_mechanic_who_comes_online_is_offered_the_waiting_job() {
    let (app, admin) = spawn_with_admin().await;
    let stranded = app.breakdown().await;
    let job = stranded.call().await;
    let mut mechanic = app.on_road(&admin).await;
    assert_eq!(mechanic.offer().await["job_id"], job["id"]);
}

#[actix_web::test]
async fn a_mechanic_is_never_sent_to_their_own_breakdown() {
    let (app, admin) = spawn_with_admin().await;
    let mut own = app.on_road(&admin).await;
    let vehicle = own.client.post("/vehicles", vehicle("KA09Z9")).await.expect(201);
    let call = set(&app.breakdown().await.call_body(), "vehicle_id", vehicle["id"].clone());
    let job = own.client.post("/jobs", call).await.expect(201);
    let mut other = app.on_road_at(&admin, (PICKUP.0 + 0.02, PICKUP.1)).await;
    assert_eq!(other.offer().await["job_id"], job["id"], "the farther one is asked");
    assert_eq!(own.client.get("/mechanics/me/offers").await.expect(200)["data"], json!([]));
    own.socket.ask("job.subscribe", json!({"job_id": job["id"]})).await.expect("an ack");
    let body = json!({"mechanic_profile_id": own.profile_id});
    let assign = format!("/admin/jobs/{}/assign", id_of(&job));
    admin.post(&assign, body).await.refused_field("mechanic_profile_id");
}

#[actix_web::test]
async fn suspending_a_mechanic_revokes_their_offer() {
    let (app, admin, mut mechanic, stranded) = spawn_on_road().await;
    let job = id_of(&stranded.call().await);
    let accept = format!("/offers/{}/accept", id_of(&mechanic.offer().await));
    let suspend = format!("/admin/mechanics/{}/suspend", mechanic.profile_id);
    admin.post(&suspend, json!({"reason": "Complaints."})).await.expect(200);
    mechanic.socket.expect("offer.revoked").await;
    mechanic.client.post(&accept, json!({})).await.refused(403, "NOT_VERIFIED");
    let mut other = app.on_road_at(&admin, (PICKUP.0 + 0.02, PICKUP.1)).await;
    assert_eq!(other.accept().await["id"], job.as_str());
}

#[actix_web::test]
async fn an_assignment_against_the_rules_names_them_and_needs_a_reason() {
    let (app, admin) = spawn_with_admin().await;
    let (far, stranded) = (app.on_road_at(&admin, (PICKUP.0 + 1.0, PICKUP.1)).await, app.breakdown().await);
    let job = id_of(&stranded.call_with("service_category_id", json!(TOWING)).await);
    let narrowed = json!({"vehicle_types": ["four_wheeler"], "service_category_ids": [FLAT_TYRE]});
    far.client.patch("/mechanics/me", narrowed).await.expect(200);
    far.client.put("/mechanics/me/availability", json!({"is_available": false})).await.expect(200);
    let assign = format!("/admin/jobs/{job}/assign");
    let refused = admin.post(&assign, json!({"mechanic_profile_id": far.profile_id})).await;
    let refused = refused.refused(422, "VALIDATION_FAILED");
    let broken = json!([
        "does not serve this type of vehicle",
        "does not offer this kind of help",
        "is not online with a recent position",
        "is farther away than they are willing to come",
    ]);
    assert_eq!(refused["error"]["errors"]["mechanic_profile_id"], broken, "{refused}");
    assert!(refused["error"]["errors"]["override_reason"].is_array(), "{refused}");
    let short = json!({"mechanic_profile_id": far.profile_id, "override_reason": "ok"});
    admin.post(&assign, short).await.refused_field("override_reason");
    let pending = app.registered_mechanic().await.profile_id;
    for profile_id in [pending, job.clone()] {
        let body = json!({"mechanic_profile_id": profile_id, "override_reason": "they are next door"});
        admin.post(&assign, body).await.refused_field("mechanic_profile_id");
    }

    let why = "they have agreed on the phone";
    let body = json!({"mechanic_profile_id": far.profile_id, "override_reason": why});
    admin.post(&assign, body).await.expect(200);
    let rules = json!(["vehicle_type", "service_category", "offline", "outside_own_radius"]);
    let timeline = stranded.client.list(&format!("/jobs/{job}/timeline")).await;
    let accepted = timeline.iter().find(|entry| entry["event"] == "accepted").expect("it was accepted");
    let trail = admin.get(&format!("/admin/audit-log?action=job.assign&object_id={job}")).await.expect(200);
    for told in [&accepted["data"], &trail["data"][0]["after"]] {
        assert_eq!((&told["overridden_rules"], &told["override_reason"]), (&rules, &json!(why)), "{told}");
    }
}

#[actix_web::test]
async fn an_admin_assigns_and_reassigns() {
    let (app, admin) = spawn_with_admin().await;
    let (stranded, job) = app.called().await;
    // Both are too far away for an offer.
    let (far, other) = ((PICKUP.0 + 1.0, PICKUP.1), (PICKUP.0 + 1.1, PICKUP.1));
    let (chosen, next) = (app.on_road_at(&admin, far).await, app.on_road_at(&admin, other).await);
    let assign = format!("/admin/jobs/{job}/assign");
    admin.post(&assign, json!({"mechanic_profile_id": job})).await.refused_field("mechanic_profile_id");
    let who =
        |profile_id: &str| json!({"mechanic_profile_id": profile_id, "override_reason": "nobody is near"});
    let assigned = admin.post(&assign, who(&chosen.profile_id)).await.expect(200);
    assigned.assert_fields(json!({"status": "accepted", "mechanic_profile_id": chosen.profile_id}));
    // The customer reads that nobody knows yet whether the mechanic will come, and so does the holder of a link.
    chosen.client.get(&format!("/jobs/{job}")).await.expect(200);
    let shared = stranded.client.post(&format!("/jobs/{job}/shares"), json!({})).await.expect(201);
    let link = format!("/shares/{}", shared["token"].as_str().expect("a token"));
    let told = async || {
        let own = stranded.client.get(&format!("/jobs/{job}")).await.expect(200);
        let guests = app.anonymous().get(&link).await.expect(200);
        (own["is_unconfirmed"].clone(), guests["is_unconfirmed"].clone())
    };
    assert_eq!(told().await, (json!(true), json!(true)));
    let (_, second) = app.called().await;
    let again = who(&chosen.profile_id);
    admin.post(&format!("/admin/jobs/{second}/assign"), again).await.refused(409, "ACTIVE_JOB_EXISTS");
    let reason = json!({"reason": "It broke down as well."});
    admin.post(&format!("/admin/jobs/{job}/reassign"), reason).await.expect(200);
    let assigned = admin.post(&assign, who(&next.profile_id)).await.expect(200);
    assert_eq!(assigned["mechanic_profile_id"], next.profile_id.as_str());
    next.tell(&job, "en-route", json!({})).await;
    assert_eq!(told().await, (json!(false), json!(false)), "who sets out has seen it");
    let reason = json!({"reason": "The road is closed."});
    admin.post(&format!("/admin/jobs/{job}/cancel"), reason).await.expect(200);
    let changes = "select array[action, before->>'status', after->>'status'] from audit_log
        where subject_id::text = $1 order by at, id";
    let changes: Vec<Vec<String>> =
        sqlx::query_scalar(changes).bind(&job).fetch_all(&app.database.db).await.unwrap();
    let expected = [
        ["job.assign", "dispatching", "accepted"],
        ["job.reassign", "accepted", "dispatching"],
        ["job.assign", "dispatching", "accepted"],
        ["job.cancel", "en_route", "cancelled"],
    ];
    assert_eq!(changes, expected);
}

#[actix_web::test]
async fn an_admin_restarts_a_failed_search_and_assigns_the_job() {
    // This is the shortest time that an admin may set.
    let (app, admin) = spawn_admin_with(|settings| settings.dispatch.attempt_ttl_s = 5).await;
    let stranded = app.breakdown().await;
    let (job, mut watcher) = app.followed(&stranded).await;
    let (retry, flat_tyre) = (format!("/admin/jobs/{job}/retry"), format!("/service-categories/{FLAT_TYRE}"));
    watcher.until_status("no_mechanic_found").await;
    // Candidates are shown without a new search.
    admin.get(&format!("/admin/jobs/{job}/candidates")).await.expect(200);
    assert_eq!(stranded.job(&job).await["status"], "no_mechanic_found");
    admin.patch(&flat_tyre, json!({"is_active": false})).await.expect(200);
    admin.post(&retry, json!({})).await.refused(409, "CONFLICT");
    admin.patch(&flat_tyre, json!({"is_active": true})).await.expect(200);
    // The next search goes on until somebody is assigned.
    let config = admin.get("/admin/config/dispatch").await.expect(200);
    let longer = set(&config["settings"], "attempt_ttl_s", json!(600));
    let body = json!({"version": config["version"], "settings": longer});
    admin.put("/admin/config/dispatch", body).await.expect(200);
    let again = admin.post(&retry, json!({})).await.expect(200);
    assert_eq!(again["status"], "dispatching");
    watcher.until_status("dispatching").await;
    let audited = admin.get(&format!("/admin/audit-log?action=job.retry&object_id={job}")).await.expect(200);
    let entry = &audited["data"][0];
    entry.assert_fields(json!({"before/status": "no_mechanic_found", "after/status": "dispatching"}));
    // As on the console, an admin assigns somebody who is too far away for an offer.
    let far = app.on_road_at(&admin, (PICKUP.0 + 1.0, PICKUP.1)).await;
    let (assign, who) = (
        format!("/admin/jobs/{job}/assign"),
        json!({"mechanic_profile_id": far.profile_id, "override_reason": "nobody is near"}),
    );
    assert_eq!(admin.post(&assign, who).await.expect(200)["status"], "accepted");
    admin.post(&retry, json!({})).await.refused(409, "INVALID_TRANSITION");
}

/// The number of jobs, and of mechanics per job, that answer at once.
const SIDE: usize = 8;

/// Accepts over HTTP (even indices) or the socket (odd ones). Returns the job's id, or the code of the refusal.
async fn answer(index: usize, mechanic: &mut OnRoad, offer: Value) -> Result<String, String> {
    if index.is_multiple_of(2) {
        let path = format!("/offers/{}/accept", id_of(&offer));
        let answer = mechanic.client.post(&path, json!({})).await;
        match answer.status {
            200 => Ok(id_of(&answer.body)),
            _ => Err(answer.body["error"]["code"].as_str().unwrap().to_owned()),
        }
    } else {
        let accepted = mechanic.socket.ask("offer.accept", json!({"offer_id": offer["id"]})).await;
        accepted.map(|job| id_of(&job)).map_err(|error| error["code"].as_str().unwrap().to_owned())
    }
}

#[actix_web::test]
async fn each_job_and_each_mechanic_takes_at_most_one_of_64_simultaneous_accepts() {
    let (app, admin) = spawn_admin_with(|settings| {
        settings.dispatch.round_widths = vec![SIDE as u32];
        settings.dispatch.offer_ttl_s = 60;
        settings.limits.admin_login_per_minute = 1000;
    })
    .await;
    // The clusters are a degree apart, so that no mechanic is within reach of two jobs.
    let place = |cluster: usize, step: f64| (PICKUP.0 + cluster as f64, PICKUP.1 + 0.001 * step);
    let mut mechanics = Vec::new();
    for cluster in 0..SIDE {
        let road = (0..SIDE).map(|step| app.on_road_at(&admin, place(cluster, step as f64 + 1.0)));
        mechanics.extend(join_all(road).await);
    }
    for cluster in 0..SIDE {
        app.breakdown_at(place(cluster, 0.0)).await.call().await;
    }
    let offers = join_all(mechanics.iter_mut().map(OnRoad::offer)).await;
    let answers = mechanics.iter_mut().zip(offers).enumerate();
    let answers = join_all(answers.map(|(index, (mechanic, offer))| answer(index, mechanic, offer))).await;

    let won: BTreeSet<&String> = answers.iter().filter_map(|answer| answer.as_ref().ok()).collect();
    let winners = answers.iter().filter(|answer| answer.is_ok()).count();
    let lost: BTreeSet<&String> = answers.iter().filter_map(|answer| answer.as_ref().err()).collect();
    assert_eq!((won.len(), winners), (SIDE, SIDE), "one winner a job: {answers:?}");
    assert_eq!(lost.into_iter().collect::<Vec<_>>(), ["OFFER_TAKEN"], "every loser is told why");
    let all = admin.column("/admin/jobs?status=accepted&limit=100", "mechanic_profile_id").await;
    let on_it: BTreeSet<String> = all.iter().map(Value::to_string).collect();
    assert_eq!(on_it.len(), SIDE, "no mechanic has two jobs");
}

#[actix_web::test]
async fn a_customer_sees_the_expected_wait_only_during_the_search() {
    let (app, admin) = spawn_admin_with(|settings| settings.jobs.schedule_lead_s = 3600).await;
    let stranded = app.breakdown().await;
    let begins = app.service.clock.now() + chrono::TimeDelta::seconds(3600 + 3);
    let begins = json!(begins.to_rfc3339_opts(chrono::SecondsFormat::Millis, true));
    let job = id_of(&stranded.call_with("scheduled_for", begins).await);
    let mut watcher = app.socket(&stranded.client).await;
    watcher.ask("job.subscribe", json!({"job_id": job})).await.expect("an ack");
    assert_eq!(stranded.job(&job).await["outlook"], Value::Null, "before its dispatch");
    let frame = watcher.expect("dispatch.outlook").await;
    assert_eq!((&frame["job_id"], &frame["seq"]), (&json!(job), &Value::Null));
    let unserved = json!({"expected_wait_s": null, "chance_in_time_percent": 0, "in_time_s": 1800,
        "reason": "nobody_online", "is_held": false, "is_served": false});
    assert_eq!(frame["data"], unserved);
    assert_eq!(stranded.job(&job).await["outlook"], unserved);
    let mut mechanic = app.on_road(&admin).await;
    let offer = id_of(&mechanic.offer().await);
    watcher.find("an outlook with an offer out", |frame| frame["data"]["reason"] == "free").await;
    let outlook = &stranded.job(&job).await["outlook"];
    assert_eq!((&outlook["reason"], &outlook["is_served"]), (&json!("free"), &json!(true)));
    let accepted = mechanic.client.post(&format!("/offers/{offer}/accept"), json!({})).await.expect(200);
    assert_eq!(accepted["outlook"], Value::Null);
    assert_eq!(stranded.job(&job).await["outlook"], Value::Null, "a mechanic is on the way");
}
