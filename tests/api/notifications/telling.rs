//! Tests who is notified of what, in the transaction in which it happens.

use std::collections::BTreeMap;

use roadcall::{
    accounting::ledger,
    money::wallet,
    notifications::{self, Addressee, DomainEvent, PaymentOf},
    providers::payouts::{Payout, PayoutStatus},
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{listed, told};
use crate::support::{
    Client, TestApp, bodies::id_of, money::set_name_mismatch, spawn_accepted, spawn_app, spawn_app_with,
    spawn_on_road, spawn_with_admin, spawn_with_customer, until,
};

/// Waits until somebody has a notification of this type.
async fn until_told(person: &Client, kind: &str) -> Value {
    let query = format!("&type={kind}");
    until(&query, async || listed(person, &query).await.into_iter().next()).await
}

/// Starts an app whose sandbox sends webhooks at once.
async fn prompt() -> TestApp {
    spawn_app_with(|settings| {
        settings.sandbox.delay_min_ms = 0;
        settings.sandbox.delay_max_ms = 0;
    })
    .await
}

async fn pay(app: &TestApp, customer: &Client, job: &str, outcome: &str) -> Value {
    let order = customer.post("/payments/orders", json!({"job_id": job})).await;
    assert!(matches!(order.status, 200 | 201), "{}", order.text);
    let path =
        format!("/sandbox/gateway/orders/{}/pay", order.body["gateway_order_id"].as_str().expect("an id"));
    app.anonymous().post(&path, json!({"outcome": outcome})).await.expect(200);
    order.body
}

#[actix_web::test]
async fn each_side_is_notified_of_every_step_of_a_job_once_and_in_order() {
    let app = prompt().await;
    let scene = app.accepted().await;
    scene.mechanic.drive_and_start(&scene.customer, &scene.job).await;
    let item = json!({"type": "part", "description": "Valve", "quantity": 1, "unit_price": 100});
    for verb in ["approve", "reject"] {
        let item = scene.mechanic.client.post(&scene.path("/line-items"), item.clone()).await.expect(201);
        let path = scene.path(&format!("/line-items/{}/{verb}", id_of(&item)));
        scene.customer.post(&path, json!({"version": 1})).await.expect(200);
    }
    scene.step("complete", json!({"outcome": "fixed"})).await;
    pay(&app, &scene.customer, &scene.job, "failed").await;
    until_told(&scene.customer, "payment_failed").await;
    let order = pay(&app, &scene.customer, &scene.job, "captured").await;
    let captured = until_told(&scene.customer, "payment_captured").await;
    assert_eq!(captured["data"], json!({"job_id": scene.job, "payment_id": order["payment_id"]}));
    let dispute = json!({"reason_code": "poor_work", "description": "Flat again"});
    scene.customer.post(&scene.path("/dispute"), dispute).await.expect(201);
    let admin = app.admin().await;
    let resolve = json!({"outcome": "split", "price_reduction": 100, "note": "Half of it holds"});
    admin.post(&format!("/admin/jobs/{}/resolve", scene.job), resolve).await.expect(200);
    until_told(&scene.customer, "refund_processed").await;

    let of_customer = [
        "job_accepted",
        "job_en_route",
        "job_arrived",
        "job_started",
        "line_item_proposed",
        "line_item_proposed",
        "job_completed",
        "payment_failed",
        "payment_captured",
        "dispute_resolved",
        "refund_processed",
    ];
    assert_eq!(told(&scene.customer).await, of_customer);
    let of_mechanic = [
        "mechanic_verified",
        "job_offer",
        "line_item_approved",
        "line_item_rejected",
        "job_paid",
        "dispute_opened",
        "dispute_resolved",
    ];
    assert_eq!(told(&scene.mechanic.client).await, of_mechanic);
    for person in [&scene.customer, &scene.mechanic.client] {
        for told in listed(person, "").await {
            let text = format!("{}{}", told["title"], told["body"]);
            assert!(!text.contains(|c: char| c.is_ascii_digit()), "{told}");
            let ids = told["data"].as_object().expect("an object");
            assert!(
                ids.values().all(|id| id.as_str().is_some_and(|id| id.parse::<Uuid>().is_ok())),
                "{told}"
            );
        }
    }
    assert!(ledger::audit(&app.database.db).await.expect("an audit").is_sound());
}

#[actix_web::test]
async fn only_the_other_side_is_notified() {
    let app = spawn_app().await;
    // The customer cancels.
    let scene = app.accepted().await;
    let why = json!({"reason_code": "changed_mind"});
    scene.customer.post(&scene.path("/cancel"), why).await.expect(200);
    assert_eq!(told(&scene.customer).await, ["job_accepted"]);
    assert_eq!(told(&scene.mechanic.client).await.last().unwrap(), "job_cancelled");
    // The mechanic gives it back.
    let (_app, scene) = spawn_accepted().await;
    scene.step("release", json!({"reason_code": "personal"})).await;
    assert_eq!(told(&scene.customer).await, ["job_accepted", "job_released"]);
    assert_eq!(told(&scene.mechanic.client).await, ["mechanic_verified", "job_offer"]);
    // An admin assigns the job, gives it to somebody else, and cancels.
    let (app, admin) = spawn_with_admin().await;
    let (mechanic, stranded) = (app.verified_mechanic(&admin).await, app.breakdown().await);
    let job = id_of(&stranded.call().await);
    let path = |verb: &str| format!("/admin/jobs/{job}/{verb}");
    let who = json!({"mechanic_profile_id": mechanic.profile_id, "override_reason": "nobody else is near"});
    admin.post(&path("assign"), who).await.expect(200);
    admin.post(&path("reassign"), json!({"reason": "the van broke down"})).await.expect(200);
    admin.post(&path("cancel"), json!({"reason": "it was towed away"})).await.expect(200);
    assert_eq!(told(&stranded.client).await, ["job_accepted", "job_released", "job_cancelled"]);
    assert_eq!(told(&mechanic.client).await, ["mechanic_verified", "job_assigned", "job_reassigned"]);
    assert_eq!(told(&admin).await, Vec::<String>::new());
}

#[actix_web::test]
async fn a_failed_search_and_a_lost_silent_mechanic_cause_notifications() {
    let app = spawn_app_with(|settings| {
        settings.dispatch.attempt_ttl_s = 5;
        settings.dispatch.offer_ttl_s = 5;
        settings.watch.dark_after_s = 1;
        settings.watch.debounce_s = 0;
        settings.watch.tell_after_s = 0;
        settings.watch.reassign_after_s = 1;
    })
    .await;
    let scene = app.accepted().await;
    until_told(&scene.customer, "no_mechanic_found").await;
    assert_eq!(
        told(&scene.customer).await,
        ["job_accepted", "job_delayed", "job_released", "no_mechanic_found"]
    );
    // The mechanic is asked to open the app before the job is taken, and told why it was.
    assert_eq!(
        told(&scene.mechanic.client).await,
        ["mechanic_verified", "job_offer", "job_silent", "job_lost_by_silence"]
    );
}

#[actix_web::test]
async fn the_side_that_did_not_confirm_cash_last_is_notified() {
    for customer_is_last in [true, false] {
        let (_app, scene) = spawn_accepted().await;
        scene.serve().await;
        let order = json!({"job_id": scene.job, "method": "cash"});
        let order = scene.customer.post("/payments/orders", order).await.expect(201);
        let path = format!("/payments/{}/cash-confirm", order["payment_id"].as_str().expect("an id"));
        let (customer, mechanic) = (&scene.customer, &scene.mechanic.client);
        for person in if customer_is_last { [mechanic, customer] } else { [customer, mechanic] } {
            person.post(&path, json!({"amount": order["amount"]})).await.expect(200);
        }
        let has = async |person: &Client, kind: &str| told(person).await.iter().any(|told| told == kind);
        assert_eq!(has(customer, "payment_captured").await, !customer_is_last);
        assert_eq!(has(mechanic, "job_paid").await, customer_is_last);
        assert_eq!(scene.customer.get(&scene.path("")).await.expect(200)["status"], "paid");
    }
}

#[actix_web::test]
async fn a_mechanic_is_notified_of_documents_accounts_and_withdrawals() {
    let app = spawn_app_with(|settings| {
        settings.wallet.new_account_wait_hours = 0;
        settings.sandbox.delay_min_ms = 0;
        settings.sandbox.delay_max_ms = 0;
        settings.payouts.retry_s = 1;
    })
    .await;
    let admin = app.admin().await;
    let mechanic = app.registered_mechanic().await;
    let person = &mechanic.client;
    let reason = json!({"reason": "not readable"});
    let act = async |verb: &str, body: &Value| {
        let asked = body.clone();
        admin.post(&format!("/admin/mechanics/{}/{verb}", mechanic.profile_id), asked).await.expect(200);
    };
    act("reject", &reason).await;
    person.post("/mechanics/register", crate::support::bodies::registration()).await.expect(201);
    act("verify", &json!({})).await;
    act("suspend", &json!({"reason": "The papers have run out"})).await;
    assert_eq!(why_suspended(person).await, "The papers have run out");
    act("reinstate", &json!({})).await;
    assert_eq!(why_suspended(person).await, Value::Null);
    let suspended = listed(person, "&type=mechanic_suspended").await;
    assert_eq!(suspended[0]["body"], "You will not get job offers for now. Reason: The papers have run out");
    person.patch("/users/me", json!({"language": "hi"})).await.expect(200);
    let suspended = listed(person, "&type=mechanic_suspended").await;
    assert_eq!(suspended[0]["body"], "अभी आपको काम नहीं मिलेंगे। कारण: The papers have run out");
    let papers = ["mechanic_rejected", "mechanic_verified", "mechanic_suspended", "mechanic_reinstated"];
    assert_eq!(told(person).await, papers);

    let mut accounts = BTreeMap::new();
    for vpa in ["asha@okbank", "mismatch1@okbank", "mismatch2@okbank", "invalid@okbank"] {
        let made =
            person.post("/wallet/upi", json!({"vpa": vpa, "holder_name": "Asha Rao"})).await.expect(201);
        accounts.insert(vpa, id_of(&made));
    }
    admin.post(&format!("/wallet/upi/{}/approve", accounts["mismatch1@okbank"]), json!({})).await.expect(200);
    admin.post(&format!("/wallet/upi/{}/reject", accounts["mismatch2@okbank"]), json!({})).await.expect(200);
    // The sandbox's webhook may come twice: the second one notifies nobody.
    set_name_mismatch(&app.database.db, &accounts["invalid@okbank"]).await;
    let of_accounts = [
        "upi_verified",
        "upi_name_mismatch",
        "upi_name_mismatch",
        "upi_invalid",
        "upi_approved",
        "upi_rejected",
    ];
    assert_eq!(told(person).await[4..], of_accounts);

    app.fund(&mechanic.profile_id, 100_000).await;
    let withdraw = json!({"amount": 200, "upi_account_id": accounts["asha@okbank"]});
    let withdrawal = person.post("/wallet/withdrawals", withdraw).await.expect(201);
    let paid = until_told(person, "withdrawal_paid").await;
    assert_eq!(paid["data"], json!({"withdrawal_id": id_of(&withdrawal)}));
    let row: (String, i64) = app.row("select payout_id, amount_paise from withdrawals", &[]).await;
    let payout = |status| Payout {
        id: row.0.clone(),
        withdrawal_id: None,
        amount_paise: row.1,
        status,
        utr: None,
        failure: None,
    };
    for _ in 0..2 {
        let mut tx = app.database.db.begin().await.expect("a transaction");
        wallet::apply_payout(&mut tx, &app.service.wallet, &payout(PayoutStatus::Reversed))
            .await
            .expect("heard");
        tx.commit().await.expect("a commit");
    }
    assert_eq!(told(person).await[10..], ["withdrawal_paid", "withdrawal_reversed"]);
    let failing = json!({"vpa": "failure@okbank", "holder_name": "Asha Rao"});
    let failing = id_of(&person.post("/wallet/upi", failing).await.expect(201));
    let withdraw = json!({"amount": 200, "upi_account_id": failing});
    person.post("/wallet/withdrawals", withdraw).await.expect(201);
    until_told(person, "withdrawal_failed").await;
}

#[actix_web::test]
async fn a_rolled_back_transaction_notifies_nobody() {
    let (app, person) = spawn_with_customer().await;
    let to = Addressee::User(person.user_id.parse().expect("an id"));
    let happened = DomainEvent::RatingReceived { to, job_id: Uuid::nil() };
    let at = app.service.clock.now();
    let mut tx = app.database.db.begin().await.expect("a transaction");
    notifications::record(&mut tx, &app.service.random, happened, at).await.expect("noted");
    tx.rollback().await.expect("rolled back");
    assert_eq!(told(&person).await, Vec::<String>::new());
    let mut tx = app.database.db.begin().await.expect("a transaction");
    notifications::record(&mut tx, &app.service.random, happened, at).await.expect("noted");
    tx.commit().await.expect("a commit");
    assert_eq!(told(&person).await, ["rating_received"]);
    // A transition that is refused notifies nobody either.
    let scene = app.accepted().await;
    let too_early = scene.mechanic.client.post(&scene.path("/complete"), json!({"outcome": "fixed"})).await;
    too_early.refused(409, "INVALID_TRANSITION");
    assert_eq!(told(&scene.customer).await, ["job_accepted"]);
}

#[actix_web::test]
async fn all_sockets_of_a_person_get_the_listed_notifications() {
    let (app, _, mut mechanic, stranded) = spawn_on_road().await;
    let mut sockets = [app.socket(&stranded.client).await, app.socket(&stranded.client).await];
    let other = app.customer().await;
    let mut others = app.socket(&other).await;
    app.taken(&stranded, &mut mechanic).await;
    for socket in &mut sockets {
        let frame = socket.expect("notification.created").await;
        assert_eq!(frame["data"]["type"], "job_accepted");
        assert!(frame.get("seq").is_none(), "{frame}");
        assert!(frame.get("job_id").is_none(), "{frame}");
        assert!(frame["at"].is_string(), "{frame}");
        let mut listed = listed(&stranded.client, "").await.remove(0);
        listed["delivery_status"] = frame["data"]["delivery_status"].clone();
        assert_eq!(frame["data"], listed);
    }
    let offered = mechanic.socket.find("the offer", |frame| frame["data"]["type"] == "job_offer").await;
    assert_eq!(offered["type"], "notification.created");
    others.settle().await;
    assert!(others.came("notification.created").is_empty());
}

#[actix_web::test]
async fn notifications_recorded_before_a_crash_are_listed() {
    let mut app = spawn_app().await;
    let admin = app.admin().await;
    let person = app.customer().await;
    let of = PaymentOf {
        payment_id: Uuid::nil(),
        job_id: None,
        customer_id: person.user_id.parse().expect("an id"),
    };
    app.stop().await;
    let at = app.service.clock.now();
    let mut tx = app.database.db.begin().await.expect("a transaction");
    notifications::record(&mut tx, &app.service.random, DomainEvent::PaymentCaptured(of), at)
        .await
        .expect("noted");
    tx.commit().await.expect("a commit");
    app.restart().await;
    let person = app.anonymous().with_token(person.token().expect("a token"));
    assert_eq!(told(&person).await, ["payment_captured"]);
    drop(admin);
}

/// Returns the reason in the person's own export.
async fn why_suspended(person: &Client) -> Value {
    person.get("/users/me/export").await.expect(200)["mechanic_suspension_reason"].clone()
}
