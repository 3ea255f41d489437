//! Jobs on account end, and their partners get bills for them.

mod together;

use futures_util::future::join_all;
use roadcall::{
    accounting::ledger,
    partners::bills::{self, settle_due},
    service::settings::Settings,
};
use serde_json::{Value, json};

use crate::support::{
    Client, OnRoad, Person, TestApp,
    bodies::{FLAT_TYRE, id_of, set},
    new_phone,
    partners::Partner,
    roadside::PICKUP,
    rows::booked_for_job,
    spawn_accepted, spawn_app_with, until, until_so,
};

/// An insurer with a contract, whose program orders help.
struct Insurer<'a> {
    app: &'a TestApp,
    admin: Person,
    partner: Partner<'a>,
    program: Client,
}

/// A job of an insurer that a mechanic has accepted.
struct Ordered {
    mechanic: OnRoad,
    job: String,
}

async fn spawn() -> TestApp {
    spawn_with(|_| {}).await
}

async fn spawn_with(alter: impl FnOnce(&mut Settings)) -> TestApp {
    spawn_app_with(|settings| {
        settings.jobs.start_code = false;
        settings.jobs.no_show_after_s = 0;
        settings.limits.per_user_per_minute = 100_000;
        alter(settings);
    })
    .await
}

/// Returns terms in which each outcome has a share of its own.
fn terms() -> Value {
    json!({
        "service_category_id": FLAT_TYRE,
        "pricing": "quoted",
        "gone_on_arrival_percent": 40,
        "unsuccessful_percent": 25,
        "cancelled_percent": 20,
        "promise_missed_percent": 30,
        "free_cancellation_minutes": 0,
    })
}

impl<'a> Insurer<'a> {
    /// Makes an insurer whose contract has these terms and further fields.
    async fn new(app: &'a TestApp, terms: Value, fields: Value) -> Self {
        let admin = app.admin().await;
        let partner = app.partner(&admin).await;
        let mut contract = json!({"reference": "roadside", "terms": [terms]});
        for (field, value) in fields.as_object().expect("fields") {
            contract = set(&contract, field, value.clone());
        }
        admin.post(&partner.path("/contracts"), contract).await.expect(201);
        let key =
            partner.key_with(&["read", "cases", "approvals"], json!({"requests_per_minute": 10_000})).await;
        let program = (*app.program(&key)).clone();
        Self { app, admin, partner, program }
    }

    /// Orders help at a place that is so many degrees north of the usual one; returns the job's id.
    async fn order(&self, north: u32) -> String {
        let case = json!({
            "contract_reference": "roadside",
            "partner_reference": format!("case-{north}"),
            "beneficiary": {"name": "Asha Rao", "phone": new_phone()},
            "vehicle": {"vehicle_type": "two_wheeler", "make": "Hero", "model": "Splendor",
                "registration_number": format!("KA01AB{:04}", 1_000 + north)},
            "texts": [],
            "job": {"service_category_slug": "flat-tyre", "pickup_address": "MG Road",
                "pickup_lat": PICKUP.0 + f64::from(north), "pickup_lng": PICKUP.1},
        });
        let made = self.program.post("/partner/cases", case).await.expect(201);
        id_of(&made["jobs"][0])
    }

    /// Orders help, which a mechanic 110 m away accepts. Nobody else is within reach.
    async fn ordered(&self, north: u32) -> Ordered {
        let lat = PICKUP.0 + f64::from(north) + 0.001;
        let mut mechanic = self.app.on_road_at(&self.admin, (lat, PICKUP.1)).await;
        let job = self.order(north).await;
        mechanic.accept().await;
        Ordered { mechanic, job }
    }

    /// Waits for the bill of a job.
    async fn bill(&self, job: &str) -> Value {
        until("the job is billed", async || {
            let bills = self.program.get("/partner/bills?limit=100").await.expect(200);
            bills["data"].as_array()?.iter().find(|bill| bill["job_id"] == job).cloned()
        })
        .await
    }

    async fn cancel(&self, job: &str) {
        let why = json!({"reason": "Somebody else helped"});
        self.program.post(&format!("/partner/jobs/{job}/cancel"), why).await.expect(200);
    }
}

impl Ordered {
    async fn tell(&self, verb: &str, body: Value) -> Value {
        self.mechanic.tell(&self.job, verb, body).await
    }

    async fn arrive(&self) {
        self.tell("en-route", json!({})).await;
        self.tell("arrive", json!({})).await;
    }

    async fn complete(&self, outcome: &str) {
        self.arrive().await;
        self.tell("start", json!({})).await;
        self.tell("complete", json!({"outcome": outcome})).await;
    }
}

/// Returns a job that has ended in one of four ways.
async fn ended(insurer: &Insurer<'_>, north: u32) -> Ordered {
    let ordered = insurer.ordered(north).await;
    // On a busy machine, many jobs at once may take longer than the estimate for 110 m.
    let later =
        "update partner_jobs set promised_at = promised_at + interval '1 hour' where job_id = $1::uuid";
    assert_eq!(insurer.app.change(later, &[&ordered.job]).await, 1);
    match north % 4 {
        0 => ordered.complete("fixed").await,
        1 => ordered.complete("not_fixable").await,
        2 => insurer.cancel(&ordered.job).await,
        _ => {
            ordered.arrive().await;
            ordered.tell("no-show", json!({})).await;
        }
    }
    ordered
}

/// Returns the quoted price of a job in paise.
async fn quoted(app: &TestApp, job: &str) -> i64 {
    app.value("select estimated_price_paise from jobs where id = $1::uuid", &[job]).await
}

/// Returns the outcome of a job, and what is payable in paise.
async fn decided(app: &TestApp, job: &str) -> (String, i64) {
    app.row("select outcome, payable_paise from partner_bills where job_id = $1::uuid", &[job]).await
}

/// Checks that the ledger is sound, and that organisations owe exactly what their bills say.
async fn assert_sound(app: &TestApp) {
    let audit = ledger::audit(&app.database.db).await.expect("an audit");
    assert!(audit.is_sound(), "{audit:?}");
    let owed: i64 = app
        .value(
            "select coalesce(-sum(p.amount_paise), 0)::bigint from ledger_postings p
            join ledger_accounts a on a.id = p.account_id where a.kind = 'partners_receivable'",
            &[],
        )
        .await;
    let payable: i64 =
        app.value("select coalesce(sum(payable_paise), 0)::bigint from partner_bills", &[]).await;
    assert_eq!(owed, payable);
}

/// Returns how many bills there are, how many of them the ledger contradicts, and how many are missing.
async fn audited_bills(app: &TestApp) -> (i64, i64, i64) {
    let audit = bills::audit(&app.database.db).await.expect("an audit");
    (audit.bills, audit.wrong_bills, audit.missing_bills)
}

/// Returns a share of an amount in paise, rounded half up.
fn share(paise: i64, percent: i64) -> i64 {
    (2 * paise * percent + 100) / 200
}

#[actix_web::test]
async fn sixty_four_jobs_at_once_are_billed_to_the_paisa() {
    const JOBS: u32 = 64;
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({"cover": 250.0})).await;
    let jobs = join_all((0..JOBS).map(|north| ended(&insurer, north))).await;
    let billed = "select count(*) from partner_bills";
    until_so("all jobs are billed", async || app.value::<i64>(billed, &[]).await == i64::from(JOBS)).await;
    assert_sound(&app).await;
    for (north, ordered) in jobs.iter().enumerate() {
        let covered = quoted(&app, &ordered.job).await.min(25_000);
        let expected = [
            ("completed", covered),
            ("unsuccessful", share(covered, 25)),
            ("cancelled_by_partner", share(covered, 20)),
            ("gone_on_arrival", share(covered, 40)),
        ][north % 4];
        let (outcome, payable) = decided(&app, &ordered.job).await;
        assert_eq!((outcome.as_str(), payable), expected, "job {north}");
    }
    let unsettled = "select count(*) from partner_jobs where settled_at is null";
    assert_eq!(app.value::<i64>(unsettled, &[]).await, 0);
}

#[actix_web::test]
async fn each_outcome_costs_its_share_and_mechanics_earn_the_same() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({})).await;
    let admin = &insurer.admin;

    let late = insurer.ordered(0).await;
    let missed = "update partner_jobs set promise = 'accepted', promised_at = now() - interval '1 minute'
        where job_id = $1::uuid";
    app.change(missed, &[&late.job]).await;
    late.complete("fixed").await;
    let in_time = insurer.ordered(1).await;
    in_time.complete("temporary").await;
    let unsuccessful = insurer.ordered(2).await;
    unsuccessful.complete("needs_tow").await;
    let gone = insurer.ordered(3).await;
    gone.arrive().await;
    gone.tell("no-show", json!({})).await;
    let by_partner = insurer.ordered(4).await;
    insurer.cancel(&by_partner.job).await;
    let by_us = insurer.ordered(5).await;
    let why = json!({"reason": "The road is flooded"});
    admin.post(&format!("/admin/jobs/{}/cancel", by_us.job), why).await.expect(200);
    let never_accepted = insurer.order(6).await;
    insurer.cancel(&never_accepted).await;

    for (job, outcome, percent) in [
        (&in_time.job, "completed", 100),
        (&late.job, "promise_missed", 30),
        (&unsuccessful.job, "unsuccessful", 25),
        (&gone.job, "gone_on_arrival", 40),
        (&by_partner.job, "cancelled_by_partner", 20),
        (&by_us.job, "cancelled_by_us", 0),
        (&never_accepted, "cancelled_by_partner", 0),
    ] {
        let bill = insurer.bill(job).await;
        let payable = share(quoted(&app, job).await, percent);
        assert_eq!(decided(&app, job).await, (outcome.to_owned(), payable), "{bill}");
        assert_eq!((&bill["outcome"], &bill["driver_pays"]), (&json!(outcome), &json!(0.0)));
        let booked = booked_for_job(&app.database.db, job).await;
        assert_eq!(booked.get("partners_receivable").copied().unwrap_or_default(), -payable, "{outcome}");
    }
    assert_sound(&app).await;
    // A promise that was missed costs the platform, not the mechanic.
    let held = async |job: &str| booked_for_job(&app.database.db, job).await["mechanic_held"];
    assert_eq!(held(&late.job).await, held(&in_time.job).await);
    assert!(held(&gone.job).await > 0);
}

#[actix_web::test]
async fn a_job_for_which_nobody_was_found_costs_nothing() {
    let mut app = spawn_with(|settings| settings.dispatch.attempt_ttl_s = 1).await;
    let job = {
        let insurer = Insurer::new(&app, terms(), json!({})).await;
        insurer.order(0).await
    };
    let status = "select status from jobs where id = $1::uuid";
    until_so("the search ends", async || app.value::<String>(status, &[&job]).await == "no_mechanic_found")
        .await;
    assert_eq!(app.value::<i64>("select count(*) from partner_bills", &[]).await, 0, "they may search again");
    let over = "update job_states set no_mechanic_until = now() - interval '1 minute' where id = $1::uuid";
    app.change(over, &[&job]).await;
    app.restart().await;
    let billed = "select count(*) from partner_bills";
    until_so("the job is billed", async || app.value::<i64>(billed, &[]).await == 1).await;
    assert_eq!(decided(&app, &job).await, ("no_mechanic".to_owned(), 0));
    assert_sound(&app).await;
}

#[actix_web::test]
async fn a_no_show_that_no_position_proves_is_billed_once_an_admin_has_decided() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({})).await;
    let mut jobs = Vec::new();
    for (north, charge) in [(0, true), (1, false)] {
        let mut ordered = insurer.ordered(north).await;
        ordered.mechanic.ping((PICKUP.0 + f64::from(north) + 0.15, PICKUP.1)).await;
        ordered.tell("en-route", json!({})).await;
        ordered.tell("arrive", json!({"override_reason": "gps is off"})).await;
        ordered.tell("no-show", json!({})).await;
        jobs.push((ordered, charge));
    }
    assert_eq!(settle_due(&app.service.payments).await.expect("a round"), 0, "an admin has to decide first");
    for (ordered, charge) in &jobs {
        let decision = json!({"charge": charge, "note": "The trail was looked at"});
        let path = format!("/admin/jobs/{}/decide-no-show", ordered.job);
        insurer.admin.post(&path, decision).await.expect(200);
        insurer.bill(&ordered.job).await;
        let expected = match charge {
            true => ("gone_on_arrival".to_owned(), share(quoted(&app, &ordered.job).await, 40)),
            false => ("cancelled_by_us".to_owned(), 0),
        };
        assert_eq!(decided(&app, &ordered.job).await, expected);
    }
    assert_sound(&app).await;
}

#[actix_web::test]
async fn an_agreed_price_is_billed_whatever_the_mechanic_earns() {
    let app = spawn().await;
    let agreed = json!({"service_category_id": FLAT_TYRE, "pricing": "agreed", "call_out": 1_500.0,
        "included_km": 10, "per_km": 40.0});
    let insurer = Insurer::new(&app, agreed, json!({"cover": 2_000.0})).await;
    let ordered = insurer.ordered(0).await;
    ordered.complete("fixed").await;
    let bill = insurer.bill(&ordered.job).await;
    assert_eq!([&bill["price"], &bill["payable"]], [&json!(1_500.0), &json!(1_500.0)]);
    let booked = booked_for_job(&app.database.db, &ordered.job).await;
    assert_eq!(booked["partners_receivable"], -150_000);
    assert_eq!(
        app.value::<String>("select status from jobs where id = $1::uuid", &[&ordered.job]).await,
        "paid"
    );
    assert_sound(&app).await;
}

#[actix_web::test]
async fn the_driver_pays_in_cash_what_exceeds_the_cover() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({"cover": 100.0})).await;
    let ordered = insurer.ordered(0).await;
    ordered.complete("fixed").await;
    let bill = insurer.bill(&ordered.job).await;
    let rest = quoted(&app, &ordered.job).await - 10_000;
    assert_eq!((&bill["payable"], &bill["driver_pays"]), (&json!(100.0), &json!(rest as f64 / 100.0)));
    let order = json!({"job_id": ordered.job, "method": "cash"});
    let made = ordered.mechanic.client.post("/payments/orders", order).await.expect(201);
    assert_eq!(made["amount"], json!(rest as f64 / 100.0));
    let on_account = json!({"job_id": ordered.job, "method": "account"});
    ordered.mechanic.client.post("/payments/orders", on_account).await.refused_field("method");
    assert_sound(&app).await;
}

#[actix_web::test]
async fn the_rest_of_a_price_is_paid_only_once_the_part_on_account_is_booked() {
    let (app, scene) = spawn_accepted().await;
    scene.serve().await;
    app.change("update job_dues set account_paise = 10000 where job_id = $1::uuid", &[&scene.job]).await;
    let order = json!({"job_id": scene.job, "method": "cash"});
    scene.mechanic.client.post("/payments/orders", order.clone()).await.refused(409, "CONFLICT");
    app.change("update job_dues set paid_paise = 10000 where job_id = $1::uuid", &[&scene.job]).await;
    let made = scene.mechanic.client.post("/payments/orders", order).await.expect(201);
    let rest = quoted(&app, &scene.job).await - 10_000;
    assert_eq!(made["amount"], json!(rest as f64 / 100.0));
}

#[actix_web::test]
async fn a_refund_of_what_is_on_account_lowers_the_bill_at_once() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({})).await;
    let ordered = insurer.ordered(0).await;
    ordered.complete("fixed").await;
    insurer.bill(&ordered.job).await;
    let of_job = "select id::text from payments where job_id = $1::uuid and channel = 'account'";
    let payment: String = app.value(of_job, &[&ordered.job]).await;
    let quoted = quoted(&app, &ordered.job).await;
    refund(&insurer, &ordered.job, 50.0).await;
    assert_eq!(decided(&app, &ordered.job).await, ("completed".to_owned(), quoted - 5_000));
    let shown = insurer.admin.get(&format!("/payments/{payment}")).await.expect(200);
    let states = (&shown["status"], &shown["refunded_amount"]);
    assert_eq!(states, (&json!("partially_refunded"), &json!(50.0)));
    let rest = json!({"reason": "All of it"});
    insurer.admin.post(&format!("/payments/{payment}/refunds"), rest).await.expect(201);
    assert_eq!(decided(&app, &ordered.job).await, ("completed".to_owned(), 0));
    let booked = booked_for_job(&app.database.db, &ordered.job).await;
    assert!(booked.is_empty(), "everything went back: {booked:?}");
    assert_sound(&app).await;
}

#[actix_web::test]
async fn a_refund_of_a_fee_on_account_lowers_the_bill_of_its_job() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({})).await;
    let ordered = insurer.ordered(0).await;
    ordered.arrive().await;
    ordered.tell("no-show", json!({})).await;
    insurer.bill(&ordered.job).await;
    let (_, payable) = decided(&app, &ordered.job).await;
    let of_job = "select payment_id::text from payment_fees where job_id = $1::uuid";
    let payment: String = app.value(of_job, &[&ordered.job]).await;
    let refund = json!({"amount": 10.0, "reason": "The mechanic was at the wrong gate"});
    insurer.admin.post(&format!("/payments/{payment}/refunds"), refund).await.expect(201);
    assert_eq!(decided(&app, &ordered.job).await.1, payable - 1_000);
    assert_sound(&app).await;
}

#[actix_web::test]
async fn a_bill_that_differs_from_the_ledger_is_found_by_the_check() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({})).await;
    let other = app.partner(&insurer.admin).await;
    let ordered = insurer.ordered(0).await;
    ordered.complete("fixed").await;
    insurer.bill(&ordered.job).await;
    assert_eq!(audited_bills(&app).await, (1, 0, 0));
    app.sql("update partner_bills set payable_paise = payable_paise + 1").await;
    let (is_sound, figures) = app.check_ledger().await;
    assert!(!is_sound && figures.contains("bills unlike the ledger    1"), "{figures}");
    let to_other = "update partner_bills set payable_paise = payable_paise - 1, organisation_id = $1::uuid";
    app.change(to_other, &[&other.id]).await;
    assert_eq!(audited_bills(&app).await, (1, 1, 0), "another organisation has the bill");
    app.sql("delete from partner_bills").await;
    assert_eq!(audited_bills(&app).await, (0, 1, 1));
}

#[actix_web::test]
async fn a_job_without_a_bill_is_found_by_the_check_ten_minutes_after_its_end() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({})).await;
    let ordered = insurer.ordered(0).await;
    // A job without terms can't be settled.
    app.sql("delete from partner_terms").await;
    ordered.complete("fixed").await;
    assert_eq!(audited_bills(&app).await, (0, 0, 0), "it has just ended");
    app.pass_since_end(&ordered.job, 601).await;
    assert_eq!(audited_bills(&app).await, (0, 0, 1));
}

#[actix_web::test]
async fn a_mechanic_sees_their_share_and_not_the_payment_on_account() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({})).await;
    let ordered = insurer.ordered(0).await;
    ordered.complete("fixed").await;
    insurer.bill(&ordered.job).await;
    let of_job = "select id::text from payments where job_id = $1::uuid and channel = 'account'";
    let payment: String = app.value(of_job, &[&ordered.job]).await;
    let mechanic = &ordered.mechanic.client;
    mechanic.get(&format!("/payments/{payment}")).await.refused(404, "NOT_FOUND");
    assert_eq!(mechanic.get("/payments").await.expect(200)["total"], 0);
    mechanic.get(&format!("/wallet/refunds/{payment}")).await.refused(404, "NOT_FOUND");
    let stats = mechanic.get("/mechanics/me/stats").await.expect(200);
    assert_eq!((&stats["gross"], &stats["commission"]), (&stats["earnings"], &json!(0.0)), "{stats}");
    assert_ne!(stats["gross"], json!(0.0));
    assert_ne!(mechanic.get("/wallet/transactions").await.expect(200)["data"], json!([]));
}

/// Settles the week of a completed job of which an amount was refunded; returns the settlement as admins see it.
async fn settled(insurer: &Insurer<'_>, job: &str) -> Value {
    refund(insurer, job, 50.0).await;
    insurer.app.sql("update earnings set created_at = '2026-01-06T12:00:00Z'").await;
    let week = json!({"period_start": "2026-01-05", "period_end": "2026-01-12"});
    insurer.admin.post("/admin/settlements/run", week).await.expect(200)["data"][0].clone()
}

/// Refunds a part of what is on account.
async fn refund(insurer: &Insurer<'_>, job: &str, rupees: f64) {
    let of_job = "select id::text from payments where job_id = $1::uuid and channel = 'account'";
    let payment: String = insurer.app.value(of_job, &[job]).await;
    let refund = json!({"amount": rupees, "reason": "The spare wheel was scratched"});
    insurer.admin.post(&format!("/payments/{payment}/refunds"), refund).await.expect(201);
}

#[actix_web::test]
async fn a_mechanics_settlement_still_adds_up_after_one_of_its_refunds_was_undone() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({})).await;
    let ordered = insurer.ordered(0).await;
    ordered.complete("fixed").await;
    insurer.bill(&ordered.job).await;
    let path = format!("/wallet/settlements/{}", id_of(&settled(&insurer, &ordered.job).await));
    let mechanic = &ordered.mechanic.client;
    let shown = mechanic.get(&path).await.expect(200);
    // A refund that is undone and made anew forgets from whom it took its amount before.
    app.sql("delete from refund_parts").await;
    refund(&insurer, &ordered.job, 10.0).await;
    assert_eq!(mechanic.get(&path).await.expect(200), shown);
    assert_eq!(mechanic.get("/wallet/settlements").await.expect(200)["data"], json!([shown]));
}

#[actix_web::test]
async fn a_mechanics_settlement_has_their_share_of_a_hidden_price_and_admins_see_it_in_full() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({})).await;
    let ordered = insurer.ordered(0).await;
    ordered.complete("fixed").await;
    insurer.bill(&ordered.job).await;
    let in_full = settled(&insurer, &ordered.job).await;
    let paise =
        |settlement: &Value, field: &str| (settlement[field].as_f64().expect(field) * 100.0).round() as i64;
    let price = quoted(&app, &ordered.job).await;
    assert_eq!((paise(&in_full, "gross"), paise(&in_full, "refunds")), (price, 5_000));
    let mechanic = &ordered.mechanic.client;
    let own = mechanic.get(&format!("/wallet/settlements/{}", id_of(&in_full))).await.expect(200);
    let share: i64 =
        app.value("select share_paise from earnings where job_id = $1::uuid", &[&ordered.job]).await;
    assert_eq!((paise(&own, "gross"), paise(&own, "commission"), paise(&own, "tax")), (share, 0, 0));
    assert_eq!(paise(&own, "net"), share - paise(&own, "refunds"), "what is shown adds up");
    assert_eq!(own["net"], in_full["net"]);
    assert!(share < price);
    assert_eq!(mechanic.get("/wallet/settlements").await.expect(200)["data"], json!([own]));
    assert_eq!(mechanic.get("/users/me/export").await.expect(200)["wallet"]["settlements"], json!([own]));
    let listed = insurer.admin.get("/admin/settlements").await.expect(200)["data"][0].clone();
    assert_eq!(listed["gross"], in_full["gross"]);
}

#[actix_web::test]
async fn a_mechanic_sees_their_share_of_a_hidden_price_in_disputes_and_exports() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({})).await;
    let ordered = insurer.ordered(0).await;
    ordered.complete("fixed").await;
    insurer.bill(&ordered.job).await;
    let (mechanic, job) = (&ordered.mechanic.client, &ordered.job);
    let share = mechanic.get(&format!("/jobs/{job}")).await.expect(200)["final_price"].clone();
    assert!(share.is_number(), "{share}");
    let complaint = json!({"job_id": job, "reason_code": "other", "description": "The way was longer"});
    let opened = mechanic.post("/wallet/disputes", complaint).await.expect(201);
    let shown = [
        mechanic.get(&format!("/wallet/disputes/{}", id_of(&opened))).await.expect(200),
        mechanic.get(&format!("/jobs/{job}/dispute")).await.expect(200),
        mechanic.get("/wallet/disputes").await.expect(200)["data"][0].clone(),
        mechanic.get("/users/me/export").await.expect(200)["disputes"][0].clone(),
        opened,
    ];
    for dispute in &shown {
        assert_eq!(dispute["final_price"], share, "{dispute}");
    }
    let price = json!(quoted(&app, job).await as f64 / 100.0);
    assert_ne!(share, price);
    assert_eq!(insurer.admin.get("/admin/disputes").await.expect(200)["data"][0]["final_price"], price);
}

#[actix_web::test]
async fn a_mechanic_sees_their_share_of_the_hidden_fee_of_a_no_show() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({})).await;
    let ordered = insurer.ordered(0).await;
    ordered.arrive().await;
    let cancelled = ordered.tell("no-show", json!({})).await;
    let path = format!("/jobs/{}/no-show", ordered.job);
    let shown = ordered.mechanic.client.get(&path).await.expect(200)["amount"].clone();
    assert!(shown.is_number(), "{shown}");
    assert_eq!(shown, cancelled["cancellation_fee"]);
    let exported = ordered.mechanic.client.get("/users/me/export").await.expect(200);
    assert_eq!(exported["no_shows"][0]["amount"], shown);
    let for_admin = insurer.admin.get(&path).await.expect(200)["amount"].as_f64();
    assert!(shown.as_f64() < for_admin, "{shown} of {for_admin:?}");
}

#[actix_web::test]
async fn an_organisations_account_gets_only_the_notifications_that_become_texts() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({})).await;
    let ordered = insurer.ordered(0).await;
    ordered.complete("fixed").await;
    insurer.bill(&ordered.job).await;
    let rating = format!("/jobs/{}/rating", ordered.job);
    ordered.mechanic.client.post(&rating, json!({"score": 5})).await.expect(201);
    let kinds: Vec<String> = app
        .sql_column(
            "select distinct n.type from notifications n join organisations o on o.account_id = n.user_id order by 1",
        )
        .await;
    assert_eq!(kinds, ["job_accepted", "job_arrived", "job_completed", "job_created"]);
}

#[actix_web::test]
async fn a_settlement_that_is_cut_off_midway_is_made_again_as_a_whole() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({})).await;
    let ordered = insurer.ordered(0).await;
    let mut tx = app.database.db.begin().await.expect("a transaction");
    sqlx::query("lock table partner_bills in exclusive mode").execute(&mut *tx).await.expect("a lock");
    ordered.complete("fixed").await;
    // The statement that settles the job waits for the table.
    let cut =
        "select count(pg_terminate_backend(l.pid)) from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and l.relation = 'partner_bills'::regclass and not l.granted";
    until_so("the settlement waits and is cut off", async || app.value::<i64>(cut, &[]).await > 0).await;
    let captured = "select count(*) from payments where channel = 'account'";
    assert_eq!(app.value::<i64>(captured, &[]).await, 0);
    tx.commit().await.expect("the lock ends");
    insurer.bill(&ordered.job).await;
    assert_eq!(app.value::<i64>(captured, &[]).await, 1);
    assert_eq!(decided(&app, &ordered.job).await, ("completed".to_owned(), quoted(&app, &ordered.job).await));
    assert_sound(&app).await;
}

#[actix_web::test]
async fn bills_are_listed_for_their_partner_and_exported_for_admins() {
    let app = spawn().await;
    let (insurer, other) =
        (Insurer::new(&app, terms(), json!({})).await, Insurer::new(&app, terms(), json!({})).await);
    let ordered = insurer.ordered(0).await;
    insurer.cancel(&ordered.job).await;
    let bill = insurer.bill(&ordered.job).await;
    assert_eq!(
        (&bill["partner_reference"], &bill["contract_reference"]),
        (&json!("case-0"), &json!("roadside"))
    );
    let none = other.program.get("/partner/bills").await.expect(200);
    assert_eq!((&none["total"], &none["data"]), (&json!(0), &json!([])));
    let unlike = insurer.program.get("/partner/bills?outcome=completed").await.expect(200);
    assert_eq!(unlike["total"], 0);
    let of_insurer = format!("/admin/partner-bills?organisation_id={}", insurer.partner.id);
    let shown = insurer.admin.get(&of_insurer).await.expect(200)["data"][0].clone();
    assert_eq!((&shown["id"], &shown["organisation_id"]), (&bill["id"], &json!(insurer.partner.id)));
    let of_other = format!("/admin/partner-bills?organisation_id={}", other.partner.id);
    assert_eq!(insurer.admin.get(&of_other).await.expect(200)["total"], 0);
    let without_scope = other.partner.program(&["cases"]).await;
    without_scope.get("/partner/bills").await.refused(403, "FORBIDDEN");
}
