//! No-shows are reported, contested and decided.

use futures_util::future::join_all;
use roadcall::{money::wallet, service::settings::Settings, tracking::hour_of};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    jobs::repeating::keyed,
    payments::{event, own_refund, report, slow_gateway, until_payment},
    support::{
        Client, OnRoad, Stranded, TestApp,
        bodies::{id_of, without},
        roadside::{PICKUP, Scene},
        spawn_accepted, spawn_app_with, until,
    },
};

/// Returns a scene whose mechanic is 16 km away, claims to have arrived, and reports a no-show at once.
async fn claimed(app: &TestApp) -> Scene {
    let mut scene = app.accepted().await;
    scene.mechanic.ping((PICKUP.0 + 0.15, PICKUP.1)).await;
    scene.step("en-route", json!({})).await;
    scene.step("arrive", json!({"override_reason": "gps is off"})).await;
    let gone = scene.step("no-show", json!({})).await;
    assert_eq!((&gone["status"], &gone["cancellation_fee"]), (&json!("cancelled"), &json!(0.0)));
    assert_eq!(gone["cancel_reason_code"], "customer_no_show");
    scene
}

/// Returns a scene whose mechanic is at the pickup and reports a no-show at once.
async fn proven(app: &TestApp) -> Scene {
    let scene = app.accepted().await;
    scene.step("en-route", json!({})).await;
    scene.step("arrive", json!({})).await;
    assert_eq!(scene.step("no-show", json!({})).await["cancellation_fee"], 150.0);
    scene
}

/// Does the same with a new mechanic, who goes home afterwards.
async fn proven_by_another(app: &TestApp, admin: &Client, stranded: &Stranded) -> (OnRoad, String) {
    let mut mechanic = app.on_road(admin).await;
    let job = app.taken(stranded, &mut mechanic).await;
    for step in ["en-route", "arrive", "no-show"] {
        mechanic.tell(&job, step, json!({})).await;
    }
    let off = json!({"is_available": false});
    mechanic.client.put("/mechanics/me/availability", off).await.expect(200);
    (mechanic, job)
}

async fn two_proven(app: &TestApp, admin: &Client, stranded: &Stranded) -> [(OnRoad, String); 2] {
    [proven_by_another(app, admin, stranded).await, proven_by_another(app, admin, stranded).await]
}

async fn impatient() -> TestApp {
    impatient_with(|_| {}).await
}

async fn impatient_with(alter: impl FnOnce(&mut Settings)) -> TestApp {
    spawn_app_with(|settings| {
        settings.jobs.no_show_after_s = 0;
        settings.fees.max_unpaid_paise = 60_000;
        alter(settings);
    })
    .await
}

fn side() -> Value {
    json!({"statement": "Nobody came. I waited beside the scooter."})
}

/// Lets the clearing time of all held earnings pass, and runs the worker.
pub async fn clear(app: &TestApp) {
    app.change("update earnings set clears_at = now() - interval '1 minute' where cleared_at is null", &[])
        .await;
    wallet::clear_due(&app.service.wallet).await.unwrap();
}

/// Returns the held and available amounts, in paise.
async fn purse(app: &TestApp, mechanic: &OnRoad) -> (i64, i64) {
    let balances = app.balances(&mechanic.profile_id).await;
    (balances.held_paise, balances.available_paise)
}

async fn owed(scene: &Scene) -> Value {
    scene.customer.get("/payments/unpaid-fees").await.expect(200)["data"].clone()
}

fn decision(charge: bool) -> Value {
    json!({"charge": charge, "note": "The trail ends 300 m from the pickup"})
}

async fn kinds(app: &TestApp, scene: &Scene) -> Vec<String> {
    let kinds = "select type from notifications where user_id = $1::uuid order by created_at, id";
    app.values(kinds, &[&scene.customer.user_id]).await
}

#[actix_web::test]
async fn a_false_no_show_moves_no_money_until_an_admin_has_heard_both_sides() {
    let app = impatient().await;
    let (scene, admin) = (claimed(&app).await, app.admin().await);
    assert_eq!(owed(&scene).await, json!([]));
    let mut seen = scene.customer.get(&scene.path("/no-show")).await.expect(200);
    assert_eq!((&seen["status"], &seen["amount"]), (&json!("open"), &json!(150.0)));
    assert_eq!(seen["override_reason"], "gps is off");
    assert!(kinds(&app, &scene).await.contains(&"no_show_reported".to_owned()));

    let statement = side();
    let contest = scene.path("/contest-no-show");
    scene.customer.post(&contest, json!({"statement": ""})).await.refused_field("statement");
    seen = keyed(&scene.customer, &contest, "k", &statement).await.expect(200);
    assert_eq!(seen["statement"], statement["statement"]);
    assert_eq!(
        keyed(&scene.customer, &contest, "k", &statement).await.expect(200),
        seen,
        "the answer was lost"
    );
    let other = json!({"statement": "I was there"});
    keyed(&scene.customer, &contest, "k", &other).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
    scene.customer.post(&contest, statement).await.refused(409, "INVALID_TRANSITION");
    assert_eq!(scene.mechanic.client.get(&scene.path("/no-show")).await.expect(200), seen);

    let listed = admin.get("/admin/no-shows?status=open").await.expect(200);
    assert_eq!(listed["total"], 1);
    let row = &listed["data"][0];
    assert_eq!((&row["job_id"], &row["statement"]), (&json!(scene.job), &seen["statement"]));
    assert_eq!(row["mechanic_profile_id"], scene.mechanic.profile_id.as_str());
    assert_eq!(admin.get("/admin/live").await.expect(200)["waiting"]["no_shows"], 1);

    let decide = format!("/admin/jobs/{}/decide-no-show", scene.job);
    admin.post(&decide, without(&decision(false), "note")).await.refused_field("note");
    let decided = admin.post(&decide, decision(false)).await.expect(200);
    assert_eq!(decided["status"], "dropped");
    admin.post(&decide, decision(true)).await.refused(409, "INVALID_TRANSITION");
    assert_eq!(owed(&scene).await, json!([]));
    assert_eq!(admin.get("/admin/no-shows?status=open").await.expect(200)["total"], 0);
    assert!(kinds(&app, &scene).await.contains(&"no_show_decided".to_owned()));
}

#[actix_web::test]
async fn a_no_show_confirmed_by_an_admin_is_charged_once_like_every_fee() {
    let app = impatient().await;
    let (scene, admin) = (claimed(&app).await, app.admin().await);
    let mut watcher = app.following(&scene).await;
    let decide = format!("/admin/jobs/{}/decide-no-show", scene.job);
    let answers = join_all((0..4).map(|_| admin.post(&decide, decision(true)))).await;
    let (done, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!(done.len(), 1);
    refused.into_iter().for_each(|answer| drop(answer.refused(409, "INVALID_TRANSITION")));
    let job = watcher.find("the fee", |frame| frame["data"]["cancellation_fee"] == 150.0).await;
    assert_eq!(job["type"], "job.updated");
    let owed = owed(&scene).await;
    assert_eq!((&owed[0]["job_id"], &owed[0]["cancellation_fee"]), (&json!(scene.job), &json!(150.0)));
    assert_eq!(owed.as_array().unwrap().len(), 1);
    // The admin has not heard the customer: they can still contest it.
    let contest = scene.path("/contest-no-show");
    assert_eq!(scene.customer.post(&contest, side()).await.expect(200)["status"], "open");
    let orders = json!({"fee_job_ids": [scene.job]});
    scene.customer.post("/payments/orders", orders).await.refused_field("fee_job_ids[0]");
    admin.post(&decide, decision(true)).await.expect(200);
    scene.customer.post(&contest, side()).await.refused(409, "INVALID_TRANSITION");
    // From here on it is like every other fee: it can be paid, and it can be waived.
    scene.customer.post("/payments/orders", json!({"fee_job_ids": [scene.job]})).await.expect(201);
    let balances = "select coalesce(sum(amount_paise), 0)::bigint from ledger_postings";
    let sum: i64 = app.value(balances, &[]).await;
    assert_eq!(sum, 0);
}

#[actix_web::test]
async fn an_account_that_an_admin_may_still_charge_cannot_be_deleted() {
    let app = impatient().await;
    let (one, other) = (claimed(&app).await, claimed(&app).await);
    let admin = app.admin().await;
    for (scene, charge) in [(&one, true), (&other, false)] {
        let refused = scene.customer.delete("/users/me").await;
        assert!(refused.text.contains("is not decided yet"), "{}", refused.text);
        refused.refused(409, "CONFLICT");
        let decide = format!("/admin/jobs/{}/decide-no-show", scene.job);
        admin.post(&decide, decision(charge)).await.expect(200);
        let left = scene.customer.delete("/users/me").await;
        if charge {
            assert!(left.text.contains("fee is due"), "{}", left.text);
            left.refused(409, "CONFLICT");
        } else {
            left.expect(204);
        }
    }
}

#[actix_web::test]
async fn a_proven_arrival_needs_no_admin_unless_the_customer_contests_it() {
    let app = impatient().await;
    let (scene, admin) = (proven(&app).await, app.admin().await);
    assert_eq!(owed(&scene).await[0]["cancellation_fee"], 150.0);
    assert!(kinds(&app, &scene).await.contains(&"no_show_reported".to_owned()));
    let seen = scene.customer.get(&scene.path("/no-show")).await.expect(200);
    assert_eq!((&seen["status"], &seen["override_reason"]), (&json!("due"), &Value::Null));
    assert!(seen["contestable_until"].as_str() > seen["created_at"].as_str());
    assert_eq!(admin.get("/admin/no-shows?status=open").await.expect(200)["total"], 0);
    let decide = format!("/admin/jobs/{}/decide-no-show", scene.job);
    admin.post(&decide, decision(false)).await.refused(409, "INVALID_TRANSITION");

    let contest = scene.path("/contest-no-show");
    assert_eq!(scene.customer.post(&contest, side()).await.expect(200)["status"], "open");
    scene.customer.post(&contest, side()).await.refused(409, "INVALID_TRANSITION");
    assert_eq!(owed(&scene).await, json!([]));
    assert_eq!(scene.customer.get(&scene.path("")).await.expect(200)["cancellation_fee"], 0.0);
    assert_eq!(admin.get("/admin/no-shows?status=open").await.expect(200)["total"], 1);
    let waive = format!("/admin/jobs/{}/waive-fee", scene.job);
    admin.post(&waive, json!({})).await.refused(409, "INVALID_TRANSITION");
    let left = scene.customer.delete("/users/me").await;
    assert!(left.text.contains("is not decided yet"), "{}", left.text);

    assert_eq!(admin.post(&decide, decision(true)).await.expect(200)["status"], "charged");
    assert_eq!(owed(&scene).await[0]["cancellation_fee"], 150.0);
    app.pay(&scene.customer, json!({"fee_job_ids": [scene.job]})).await;
    clear(&app).await;
    assert_eq!(purse(&app, &scene.mechanic).await, (0, 12_750));
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_no_show_can_only_be_contested_in_time() {
    let app = impatient().await;
    let (scene, waived) = (proven(&app).await, proven(&app).await);
    let admin = app.admin().await;
    admin.post(&format!("/admin/jobs/{}/waive-fee", waived.job), json!({})).await.expect(200);
    let answer = waived.customer.post(&waived.path("/contest-no-show"), side()).await;
    assert!(answer.text.contains("you owe nothing"), "{}", answer.text);
    answer.refused(409, "INVALID_TRANSITION");
    let long_ago =
        "update job_states set cancelled_at = cancelled_at - interval '3 days' where id = $1::uuid";
    app.change(long_ago, &[&scene.job]).await;
    let answer = scene.customer.post(&scene.path("/contest-no-show"), side()).await;
    assert!(answer.text.contains("could be contested until"), "{}", answer.text);
    answer.refused(409, "INVALID_TRANSITION");
    assert_eq!(owed(&scene).await[0]["cancellation_fee"], 150.0);
}

#[actix_web::test]
async fn a_payment_for_a_contested_no_show_is_held_and_refunded_if_the_fee_is_dropped() {
    let app = impatient().await;
    let (admin, stranded) = (app.admin().await, app.breakdown().await);
    let [(one, first), (other, second)] = two_proven(&app, &admin, &stranded).await;
    let customer = &stranded.client;
    let payment = app.pay(customer, json!({"fee_job_ids": [first, second]})).await;
    assert_eq!([purse(&app, &one).await, purse(&app, &other).await], [(12_750, 0), (12_750, 0)]);

    customer.post(&format!("/jobs/{second}/contest-no-show"), side()).await.expect(200);
    clear(&app).await;
    assert_eq!([purse(&app, &one).await, purse(&app, &other).await], [(0, 12_750), (12_750, 0)]);
    let decide = format!("/admin/jobs/{second}/decide-no-show");
    assert_eq!(admin.post(&decide, decision(false)).await.expect(200)["status"], "dropped");
    assert_eq!([purse(&app, &one).await, purse(&app, &other).await], [(0, 12_750), (0, 0)]);
    let paid = until_payment(customer, &payment, "status", json!("partially_refunded")).await;
    assert_eq!(paid["refunded_amount"], 150.0);
    assert_eq!(customer.get("/payments/unpaid-fees").await.expect(200)["data"], json!([]));

    // Cleared earnings are held again while the fee is contested, and released by the decision.
    customer.post(&format!("/jobs/{first}/contest-no-show"), side()).await.expect(200);
    clear(&app).await;
    assert_eq!(purse(&app, &one).await, (12_750, 0));
    admin.post(&format!("/admin/jobs/{first}/decide-no-show"), decision(true)).await.expect(200);
    clear(&app).await;
    assert_eq!(purse(&app, &one).await, (0, 12_750));
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_dropped_fee_with_a_late_refund_is_taken_from_its_earner() {
    let app = impatient().await;
    let (admin, stranded) = (app.admin().await, app.breakdown().await);
    let [(one, first), (other, second)] = two_proven(&app, &admin, &stranded).await;
    let customer = &stranded.client;
    let order = customer.post("/payments/orders", json!({"fee_job_ids": [first, second]})).await.expect(201);
    let order_id = order["gateway_order_id"].as_str().unwrap();
    // The sandbox knows no such attempt: it refuses the refund.
    let paid = event("payment.captured", "pay_unknown", order_id, 30_000, "captured");
    app.webhook(&paid).await.expect(200);
    let id = order["payment_id"].as_str().unwrap();
    until_payment(customer, id, "status", json!("captured")).await;
    let earned = "select e.job_id::text, r.id::text from refunds r join refund_parts p on p.refund_id = r.id
        join earnings e on e.id = p.earning_id where r.status = $1";
    let of_refund =
        async |status: &str| -> Option<(String, String)> { app.rows(earned, &[status]).await.pop() };

    customer.post(&format!("/jobs/{second}/contest-no-show"), side()).await.expect(200);
    let decide = format!("/admin/jobs/{second}/decide-no-show");
    admin.post(&decide, decision(false)).await.expect(200);
    let (_, refund) = until("the refund has failed", async || of_refund("failed").await).await;
    assert_eq!([purse(&app, &one).await, purse(&app, &other).await], [(12_750, 0), (12_750, 0)]);
    app.sound_ledger().await;

    let entity = json!({"id": "rfnd_after_all", "payment_id": "pay_unknown", "amount": 15_000, "currency": "INR",
        "status": "processed", "notes": {"refund_id": refund}});
    let processed = json!({"event": "refund.processed", "payload": {"refund": {"entity": entity}}});
    app.webhook(&processed).await.expect(200);
    until_payment(customer, id, "status", json!("partially_refunded")).await;
    assert_eq!([purse(&app, &one).await, purse(&app, &other).await], [(12_750, 0), (0, 0)]);
    assert_eq!(of_refund("processed").await, Some((second, refund)));
    app.sound_ledger().await;
}

/// Returns the balance of one of the platform's accounts, in paise.
async fn balance(app: &TestApp, kind: &str) -> i64 {
    let sum = "select coalesce(sum(p.amount_paise), 0)::bigint from ledger_postings p
        join ledger_accounts a on a.id = p.account_id where a.kind = $1";
    app.value(sum, &[kind]).await
}

#[actix_web::test]
async fn a_dropped_fee_that_is_refunded_again_is_taken_once_from_its_earner() {
    let app = impatient_with(slow_gateway).await;
    let (admin, stranded) = (app.admin().await, app.breakdown().await);
    let customer = &stranded.client;
    let (arrives, fails) = ("refund.processed", "refund.failed");
    // These are the outcomes of the first refund (0), after it has failed, and of the one that an admin then makes (1).
    for (steps, of_platform) in [
        // This is the commission of the other fee, less the fee that the customer has twice.
        ([(0, arrives), (1, arrives)], 2_250 - 15_000),
        ([(1, arrives), (0, arrives)], 2_250 - 15_000),
        ([(0, arrives), (1, fails)], 2_250),
    ] {
        let before = balance(&app, "platform_commission").await;
        let [(one, first), (other, second)] = two_proven(&app, &admin, &stranded).await;
        let order = json!({"fee_job_ids": [first, second]});
        let order = customer.post("/payments/orders", order).await.expect(201);
        let (payment, order_id) =
            (order["payment_id"].as_str().unwrap(), order["gateway_order_id"].as_str().unwrap());
        let paid = app.check_out(&order).await;
        let attempt = paid["gateway_payment_id"].as_str().unwrap();
        report(&app, &event("payment.captured", attempt, order_id, 30_000, "captured")).await;
        customer.post(&format!("/jobs/{second}/contest-no-show"), side()).await.expect(200);
        let decide = format!("/admin/jobs/{second}/decide-no-show");
        admin.post(&decide, decision(false)).await.expect(200);
        let refund = "select id::text from refunds where payment_id = $1::uuid";
        let refund: String = app.value(refund, &[payment]).await;
        report(&app, &own_refund(fails, &refund, attempt, 15_000)).await;
        assert_eq!([purse(&app, &one).await, purse(&app, &other).await], [(12_750, 0), (12_750, 0)]);

        let again = json!({"amount": 150, "reason": "The refund has failed."});
        let again = admin.post(&format!("/payments/{payment}/refunds"), again).await.expect(201);
        assert_eq!([purse(&app, &one).await, purse(&app, &other).await], [(12_750, 0), (0, 0)]);
        let refunds = [refund, id_of(&again)];
        for (which, kind) in steps {
            report(&app, &own_refund(kind, &refunds[which], attempt, 15_000)).await;
            assert_eq!([purse(&app, &one).await, purse(&app, &other).await], [(12_750, 0), (0, 0)]);
        }
        assert_eq!(balance(&app, "platform_commission").await - before, of_platform, "{steps:?}");
        assert_eq!(balance(&app, "refunds").await, 0, "{steps:?}");
        app.sound_ledger().await;
    }
}

#[actix_web::test]
async fn a_customer_who_contests_every_fee_gets_no_jobs_until_an_admin_decides() {
    let app = spawn_app_with(|settings| {
        settings.jobs.no_show_after_s = 0;
        settings.fees.max_unpaid_paise = 20_000;
        settings.fees.max_unpaid_in_accident_paise = 25_000;
    })
    .await;
    let (admin, stranded) = (app.admin().await, app.breakdown().await);
    let customer = &stranded.client;
    let mut accident = stranded.call_body();
    accident["urgency"] = json!("accident");
    let mut jobs = Vec::new();
    for _ in 0..2 {
        // A single contested fee is below the limit.
        let (_, job) = proven_by_another(&app, &admin, &stranded).await;
        customer.post(&format!("/jobs/{job}/contest-no-show"), side()).await.expect(200);
        jobs.push(job);
    }
    let refused = customer.post("/jobs", stranded.call_body()).await.refused(409, "UNPAID_FEES");
    let said = refused["error"]["message"].as_str().unwrap();
    assert!(said.contains("not decided yet") && said.contains("300.00"), "{said}");
    let refused = customer.post("/jobs", accident).await.refused(409, "UNPAID_FEES");
    let said = refused["error"]["message"].as_str().unwrap();
    assert!(said.contains("due or contested"), "{said}");
    let owed = customer.get("/payments/unpaid-fees").await.expect(200);
    assert_eq!(owed["data"], json!([]), "none of it is to be paid");
    admin.post(&format!("/admin/jobs/{}/decide-no-show", jobs[0]), decision(false)).await.expect(200);
    customer.post("/jobs", stranded.call_body()).await.expect(201);
}

#[actix_web::test]
async fn a_fee_with_an_unseen_payment_is_not_dropped_without_a_refund() {
    let app = impatient().await;
    let (scene, admin) = (proven(&app).await, app.admin().await);
    scene.customer.post(&scene.path("/contest-no-show"), side()).await.expect(200);
    // This is the state if it was paid and contested between two statements of the decision.
    app.change("update cancellation_fees set status = 'paid'", &[]).await;
    let decide = format!("/admin/jobs/{}/decide-no-show", scene.job);
    admin.post(&decide, decision(false)).await.refused(409, "CONFLICT");
    let seen = scene.customer.get(&scene.path("/no-show")).await.expect(200);
    assert_eq!(seen["status"], "open");
}

#[actix_web::test]
async fn money_paid_for_a_contested_fee_is_refunded() {
    let app = impatient().await;
    let scene = proven(&app).await;
    let order =
        scene.customer.post("/payments/orders", json!({"fee_job_ids": [scene.job]})).await.expect(201);
    scene.customer.post(&scene.path("/contest-no-show"), side()).await.expect(200);
    app.check_out(&order).await;
    let id = order["payment_id"].as_str().unwrap();
    let paid = until_payment(&scene.customer, id, "status", json!("refunded")).await;
    assert_eq!(paid["refunded_amount"], 150.0);
    assert_eq!(purse(&app, &scene.mechanic).await, (0, 0));
    app.sound_ledger().await;
}

/// Inserts three points of the mechanic, each so many degrees farther north; the second may be doubtful.
async fn drive(app: &TestApp, scene: &Scene, step: f64, is_doubtful: bool) {
    let now = app.now();
    let inserted = sqlx::query(
        "insert into trail_points (job_id, mechanic_profile_id, hour, seq, lat, lng, is_doubtful, recorded_at,
            corrected_at)
        select $1, $2, $3, n, 12.0 + n * $4, 77.5, $5 and n = 2, $6::timestamptz + make_interval(secs => n),
            $6::timestamptz + make_interval(secs => n)
        from generate_series(1, 3) n",
    )
    .bind(scene.job.parse::<Uuid>().unwrap())
    .bind(scene.mechanic.profile_id.parse::<Uuid>().unwrap())
    .bind(hour_of(now))
    .bind(step)
    .bind(is_doubtful)
    .bind(now);
    inserted.execute(&app.database.db).await.expect("a trail");
}

#[actix_web::test]
async fn an_admin_sees_whether_positions_jump_or_stand_still() {
    let app = impatient().await;
    let admin = app.admin().await;
    let scenes = [proven(&app).await, proven(&app).await, proven(&app).await];
    drive(&app, &scenes[0], 0.0, false).await;
    drive(&app, &scenes[1], 0.001, true).await;
    let listed = admin.get("/admin/no-shows").await.expect(200);
    let expected = [(json!(false), json!(true)), (json!(true), json!(false)), (Value::Null, Value::Null)];
    for (scene, (jump, still)) in scenes.iter().zip(expected) {
        let row = listed["data"].as_array().unwrap().iter().find(|row| row["job_id"] == scene.job.as_str());
        let row = row.expect("a row");
        assert_eq!((&row["positions_jump"], &row["positions_stand_still"]), (&jump, &still));
    }
}

#[actix_web::test]
async fn an_unproven_arrival_makes_no_cancellation_more_expensive_even_after_a_restart() {
    let mut app = spawn_app_with(|settings| settings.fees.free_after_accept_s = -1).await;
    let mut scene = app.accepted().await;
    scene.mechanic.ping((PICKUP.0 + 0.15, PICKUP.1)).await;
    scene.step("en-route", json!({})).await;
    scene.step("arrive", json!({"override_reason": "gps is off"})).await;
    for is_restarted in [false, true] {
        if is_restarted {
            app.restart().await;
        }
        let customer = scene.customer.at(app.address);
        let quote = customer.get(&scene.path("/cancellation-quote")).await.expect(200);
        assert_eq!((&quote["cancellation_fee"], &quote["reason"]), (&json!(50.0), &json!("on_the_way")));
    }
}

#[actix_web::test]
async fn strangers_learn_nothing_of_a_no_show() {
    let (app, scene) = spawn_accepted().await;
    let stranger = app.customer().await;
    stranger.get(&scene.path("/no-show")).await.refused(404, "NOT_FOUND");
    stranger.post(&scene.path("/contest-no-show"), json!({"statement": "x"})).await.refused(404, "NOT_FOUND");
    let body = json!({"statement": "x"});
    scene.customer.post(&scene.path("/contest-no-show"), body).await.refused(404, "NOT_FOUND");
}
