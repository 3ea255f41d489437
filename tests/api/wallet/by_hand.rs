//! Without a payout provider, admins decide about addresses, pay withdrawals by hand, and record it.

use chrono::{DateTime, Utc};
use roadcall::{platform::db::MIGRATOR, service::settings::PayoutProvider};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Earner, spawn_earner, spawn_prompt_with, spawn_silent, verify_all};
use crate::support::{AssertFields, Client, Person, TestApp, bodies::id_of, until_fits};

async fn spawn_by_hand() -> TestApp {
    spawn_prompt_with(|settings| settings.payouts.provider = PayoutProvider::None).await
}

/// Returns a mechanic whose address an admin has approved.
async fn approved(app: &TestApp, admin: &Client) -> Earner {
    let earner = Earner::new(app, admin, "asha@okbank", 50_000).await;
    let approve = format!("/wallet/upi/{}/approve", id_of(&earner.account));
    admin.post(&approve, json!({})).await.expect(200);
    earner
}

fn path(withdrawal: &Value, what: &str) -> String {
    format!("/admin/withdrawals/{}/{what}", id_of(withdrawal))
}

async fn is_notified(earner: &Earner, kind: &str) -> bool {
    earner.client.column("/notifications", "type").await.contains(&json!(kind))
}

/// Starts a service without a provider; returns it with an admin, and a mechanic whose address the admin has approved.
async fn spawn_approved() -> (TestApp, Person, Earner) {
    let app = spawn_by_hand().await;
    let admin = app.admin().await;
    let earner = approved(&app, &admin).await;
    (app, admin, earner)
}

#[actix_web::test]
async fn an_address_without_a_provider_to_look_it_up_waits_for_an_admin() {
    let app = spawn_by_hand().await;
    let admin = app.admin().await;
    let earner = Earner::new(&app, &admin, "asha@okbank", 50_000).await;
    earner.account.assert_fields(json!({"verification_status": "name_mismatch", "name_at_bank": null}));
    assert!(!is_notified(&earner, "upi_name_mismatch").await, "no bank said another name");
    earner.client.post("/wallet/withdrawals", json!({"amount": 1})).await.refused(409, "CONFLICT");
    let waiting = admin.get("/admin/wallet/upi?status=name_mismatch").await.expect(200);
    assert_eq!(waiting["data"][0]["id"], earner.account["id"]);
}

#[actix_web::test]
async fn an_admin_pays_a_withdrawal_by_hand_and_records_it_once() {
    let (app, admin, earner) = spawn_approved().await;
    let made = earner.withdraw(123.45).await;
    let put_off = "select next_try_at > now() + interval '1 hour' from withdrawals";
    let is_put_off = async || app.sql_value::<bool>(put_off).await;
    until_fits("the worker has left it to the admins", is_put_off, |is_put_off| *is_put_off).await;
    let listed = admin.get("/admin/withdrawals").await.expect(200);
    let row = &listed["data"][0];
    assert_eq!((&row["status"], &row["is_to_be_paid_by_hand"]), (&json!("requested"), &json!(true)));

    let paid = path(&made, "mark-paid");
    admin.post(&paid, json!({})).await.refused_field("reference");
    let done = admin.post(&paid, json!({"reference": "UPI 6034"})).await.expect(200);
    assert_eq!((&done["status"], &done["utr"]), (&json!("processed"), &json!("UPI 6034")));
    assert!(done["settled_at"].is_string(), "{done}");
    admin.post(&paid, json!({"reference": "UPI 6035"})).await.refused(409, "INVALID_TRANSITION");
    let failed = json!({"reason": "closed"});
    admin.post(&path(&made, "mark-failed"), failed).await.refused(409, "INVALID_TRANSITION");

    let wallet = earner.wallet().await;
    wallet.assert_fields(json!({"available": 376.55, "held": 0.0, "lifetime_withdrawn": 123.45}));
    assert!(is_notified(&earner, "withdrawal_paid").await);
    let listed = admin.get("/admin/withdrawals").await.expect(200);
    assert_eq!(listed["data"][0]["is_to_be_paid_by_hand"], false);
    let recorded: Vec<(String, Value)> =
        app.sql_rows("select action, after from audit_log where subject_kind = 'withdrawal'").await;
    let after = json!({"status": "processed", "reference": "UPI 6034", "failure_reason": null});
    assert_eq!(recorded, [("withdrawal.mark_paid".to_owned(), after)]);
    app.sound_ledger().await;
}

#[actix_web::test]
async fn an_amount_that_could_not_be_paid_is_available_again() {
    let (app, admin, earner) = spawn_approved().await;
    let made = earner.withdraw(100.0).await;
    let failed = path(&made, "mark-failed");
    let done = admin.post(&failed, json!({"reason": "The address is closed."})).await.expect(200);
    done.assert_fields(json!({"status": "failed", "utr": null, "failure_reason": "The address is closed."}));
    admin.post(&path(&made, "mark-paid"), json!({"reference": "x"})).await.refused(409, "INVALID_TRANSITION");
    earner.has(500.0, 0.0).await;
    assert!(is_notified(&earner, "withdrawal_failed").await);
    app.sound_ledger().await;
}

#[actix_web::test]
async fn an_account_with_a_withdrawal_under_way_stays_until_it_has_arrived() {
    let (app, admin, earner) = spawn_approved().await;
    let made = earner.withdraw(500.0).await;
    let refusal = earner.client.delete("/users/me").await;
    refusal.refused_saying(409, "CONFLICT", "A withdrawal is on its way.");
    admin.post(&path(&made, "mark-paid"), json!({"reference": "UPI 6034"})).await.expect(200);
    earner.client.delete("/users/me").await.expect(204);
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_withdrawal_that_a_provider_may_have_paid_cannot_be_marked_as_failed() {
    let (app, admin, earner) = spawn_approved().await;
    let made = earner.withdraw(100.0).await;
    // An earlier provider was asked and took it: the outcome is unknown, or the provider has reported it.
    for taken in [
        "update withdrawals set asked_at = now()",
        "update withdrawals set asked_at = null, payout_id = 'pout_before', status = 'processing'",
    ] {
        app.sql(taken).await;
        let failed = admin.post(&path(&made, "mark-failed"), json!({"reason": "I think so"})).await;
        failed.refused_saying(409, "CONFLICT", "set the provider up again");
    }
    earner.has(400.0, 100.0).await;
    // The admin can see at the bank that it was paid.
    let done = admin.post(&path(&made, "mark-paid"), json!({"reference": "UTR 77"})).await.expect(200);
    assert_eq!((&done["status"], &done["utr"]), (&json!("processed"), &json!("UTR 77")));
    app.sound_ledger().await;
}

#[actix_web::test]
async fn an_upgrade_notes_each_withdrawal_that_a_provider_may_have_been_asked_for() {
    let (mut app, admin, earner) = spawn_approved().await;
    // Each case has the number of tries, the provider's id of the address, its id of the payout, and whether it may have been
    // asked.
    let cases = [
        (0, Some("fa_1"), None, false, "it was never tried"),
        (3, None, None, false, "no provider knew the address"),
        (1, Some("fa_1"), None, true, "the answer may have been lost"),
        (1, None, Some("pout_before"), true, "the provider told its id"),
        (1, Some("fa_1"), None, false, "it has ended"),
    ];
    let mut made = Vec::new();
    for _ in cases {
        made.push(earner.withdraw(10.0).await);
    }
    let failed = path(&made[4], "mark-failed");
    admin.post(&failed, json!({"reason": "The address is closed."})).await.expect(200);
    app.stop().await;
    let db = &app.database.db;
    let ids: Vec<Uuid> = made.iter().map(|withdrawal| id_of(withdrawal).parse().unwrap()).collect();
    let before = "update withdrawals set attempts = $2, fund_account_id = $3, payout_id = $4 where id = $1";
    for (id, (attempts, account, payout, ..)) in ids.iter().zip(cases) {
        let row = sqlx::query(before).bind(id).bind(attempts).bind(account).bind(payout);
        row.execute(db).await.unwrap();
    }
    sqlx::query("alter table withdrawals drop column asked_at").execute(db).await.unwrap();
    let migration = MIGRATOR.iter().find(|migration| migration.version == 108).expect("a migration");
    sqlx::raw_sql(migration.sql.clone()).execute(db).await.expect("the upgrade");
    for (id, (.., is_asked, why)) in ids.iter().zip(cases) {
        let noted = sqlx::query_scalar("select asked_at is not null from withdrawals where id = $1");
        let noted: bool = noted.bind(id).fetch_one(db).await.unwrap();
        assert_eq!(noted, is_asked, "{why}");
    }
}

#[actix_web::test]
async fn a_withdrawal_cannot_be_marked_as_failed_once_a_silent_provider_was_asked_and_then_removed() {
    // This provider answers nothing. The account is verified without it.
    let mut app = spawn_silent().await;
    let admin = app.admin().await;
    let earner = Earner::new(&app, &admin, "asha@okbank", 50_000).await;
    verify_all(&app).await;
    let made = earner.withdraw(100.0).await;
    let asked_at = async |app: &TestApp| {
        let asked = sqlx::query_scalar::<_, Option<DateTime<Utc>>>("select asked_at from withdrawals");
        asked.fetch_one(&app.database.db).await.unwrap()
    };
    let first = until_fits("the provider is asked", async || asked_at(&app).await, Option::is_some).await;
    app.restart_with(|settings| settings.payouts.provider = PayoutProvider::None).await;
    assert_eq!(asked_at(&app).await, first, "the first time counts, however often it was asked");
    let admin = admin.at(app.address);
    let failed = admin.post(&path(&made, "mark-failed"), json!({"reason": "It does not answer"})).await;
    failed.refused(409, "CONFLICT");
    let listed = admin.get("/admin/withdrawals").await.expect(200);
    let row = &listed["data"][0];
    assert_eq!((&row["status"], &row["is_to_be_paid_by_hand"]), (&json!("requested"), &json!(true)));
    let wallet = earner.client.at(app.address).get("/wallet").await.expect(200);
    assert_eq!((&wallet["available"], &wallet["held"]), (&json!(400.0), &json!(100.0)));
    let paid = json!({"reference": "UTR 78"});
    assert_eq!(admin.post(&path(&made, "mark-paid"), paid).await.expect(200)["status"], "processed");
    app.sound_ledger().await;
}

#[actix_web::test]
async fn payments_cannot_be_recorded_by_hand_with_a_provider() {
    let (app, admin, earner) = spawn_earner(50_000).await;
    let made = earner.withdraw(100.0).await;
    let refused = admin.post(&path(&made, "mark-paid"), json!({"reference": "x"})).await;
    refused.refused(409, "INVALID_TRANSITION");
    earner.until(&made, "processed").await;
    let is_noted = "select asked_at is not null from withdrawals";
    assert!(app.sql_value::<bool>(is_noted).await);
    let listed = admin.get("/admin/withdrawals").await.expect(200);
    assert_eq!(listed["data"][0]["is_to_be_paid_by_hand"], false);
    app.sound_ledger().await;
}
