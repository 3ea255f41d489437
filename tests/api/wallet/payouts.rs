//! Reports of payouts, and a provider that fails.

use roadcall::{
    accounting::ledger,
    money::wallet,
    providers::payouts::{Payout, PayoutStatus},
};
use serde_json::json;
use uuid::Uuid;

use super::{Earner, spawn_prompt, spawn_prompt_with, spawn_silent, verify_all};
use crate::{
    payments::orders,
    support::{AssertFields, TestApp, bodies::id_of, rows::until_blocked, until_fits},
};

async fn earner(app: &TestApp, paise: i64) -> Earner {
    let admin = app.admin().await;
    let earner = Earner::new(app, &admin, "asha@okbank", paise).await;
    verify_all(app).await;
    earner
}

fn payout(withdrawal: Option<Uuid>, status: PayoutStatus, paise: i64) -> Payout {
    let failure =
        matches!(status, PayoutStatus::Failed | PayoutStatus::Reversed).then(|| "no such bank".to_owned());
    let utr = (status == PayoutStatus::Processed).then(|| "123456789".to_owned());
    Payout { id: "pout_1".to_owned(), withdrawal_id: withdrawal, amount_paise: paise, status, utr, failure }
}

async fn report(app: &TestApp, payout: &Payout) -> bool {
    let mut tx = app.database.db.begin().await.unwrap();
    let known = wallet::apply_payout(&mut tx, &app.service.wallet, payout).await.unwrap();
    tx.commit().await.unwrap();
    known
}

#[actix_web::test]
async fn every_order_of_reports_ends_in_the_same_ledger() {
    let app = spawn_silent().await;
    let earner = earner(&app, 100_000).await;
    let profile: Uuid = earner.profile_id.parse().unwrap();
    let (pending, failed) = (PayoutStatus::Pending, PayoutStatus::Failed);
    let (processed, reversed) = (PayoutStatus::Processed, PayoutStatus::Reversed);
    let sets: [(&[PayoutStatus], &str, i64); 7] = [
        (&[pending, processed], "processed", -10_000),
        (&[pending, failed], "failed", 0),
        (&[pending, processed, reversed], "reversed", 0),
        (&[pending, reversed], "reversed", 0),
        (&[processed, failed], "processed", -10_000),
        (&[failed, reversed], "reversed", 0),
        (&[pending, failed, processed, reversed], "reversed", 0),
    ];
    let mut number = 0;
    for (set, status, change) in sets {
        // Each report comes twice; short lists are played in every order of the doubled list.
        let doubled: Vec<PayoutStatus> = if set.len() < 3 { set.repeat(2) } else { set.to_vec() };
        for order in orders(&doubled) {
            number += 1;
            let before = ledger::balances(&app.database.db, profile).await.unwrap();
            let id: Uuid = id_of(&earner.withdraw(100.0).await).parse().unwrap();
            for (step, status) in order.iter().enumerate() {
                let reported = Payout { id: format!("pout_{number}"), ..payout(Some(id), *status, 10_000) };
                assert!(report(&app, &reported).await);
                // From now on it is known by the provider's id.
                let reported =
                    Payout { withdrawal_id: if step % 2 == 0 { None } else { Some(id) }, ..reported };
                assert!(report(&app, &reported).await, "and again");
            }
            let after = ledger::balances(&app.database.db, profile).await.unwrap();
            let net = |balances: ledger::Balances| balances.available_paise - balances.owed_paise;
            assert_eq!(net(after) - net(before), change, "{order:?}");
            assert_eq!(after.held_paise, 0, "{order:?}");
            assert_eq!(earner.withdrawal(&id.to_string()).await["status"], status, "{order:?}");
            app.fund(&earner.profile_id, -change).await;
        }
    }
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_late_successful_payout_is_owed_if_it_was_withdrawn_again() {
    let app = spawn_silent().await;
    let earner = earner(&app, 10_000).await;
    let first: Uuid = id_of(&earner.withdraw(100.0).await).parse().unwrap();
    assert!(report(&app, &payout(Some(first), PayoutStatus::Failed, 10_000)).await);
    earner.withdraw(80.0).await;
    assert!(report(&app, &payout(None, PayoutStatus::Processed, 10_000)).await);
    let wallet = earner.wallet().await;
    let shown = |field: &str| wallet[field].as_f64().unwrap();
    assert_eq!((shown("available"), shown("held"), shown("owed")), (0.0, 80.0, 80.0));
    assert_eq!(shown("withdrawable"), 0.0);
    let shown = earner.withdrawal(&first.to_string()).await;
    shown.assert_fields(json!({"status": "processed", "failure_reason": null, "utr": "123456789"}));
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_withdrawal_that_ends_before_the_provider_is_asked_is_not_paid() {
    let app = spawn_prompt().await;
    let earner = earner(&app, 20_000).await;
    // The statement that notes the question waits for this lock before it looks at the withdrawal.
    let waiting = "create function wait() returns trigger language plpgsql as
            'begin perform pg_advisory_xact_lock(4711); return null; end';
        create trigger wait before update of asked_at on withdrawals for each statement execute function wait()";
    sqlx::raw_sql(waiting).execute(&app.database.db).await.unwrap();
    let mut asking = app.database.db.begin().await.unwrap();
    sqlx::query("select pg_advisory_xact_lock(4711)").execute(&mut *asking).await.unwrap();
    let ended: Uuid = id_of(&earner.withdraw(100.0).await).parse().unwrap();
    until_blocked(&app.database.db).await;
    assert!(report(&app, &payout(Some(ended), PayoutStatus::Failed, 10_000)).await);
    asking.rollback().await.unwrap();
    // The worker has finished the first one when it takes the second one.
    let next = earner.withdraw(100.0).await;
    earner.until(&next, "processed").await;
    let paid: Vec<Uuid> = app.sql_column("select withdrawal_id from sandbox_payouts").await;
    assert_eq!(paid, [id_of(&next).parse::<Uuid>().unwrap()]);
    assert_eq!(earner.withdrawal(&ended.to_string()).await["status"], "failed");
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_report_that_does_not_match_its_withdrawal_moves_nothing() {
    let app = spawn_silent().await;
    let earner = earner(&app, 10_000).await;
    let id: Uuid = id_of(&earner.withdraw(100.0).await).parse().unwrap();
    assert!(!report(&app, &payout(None, PayoutStatus::Processed, 10_000)).await, "it is unknown");
    assert!(!report(&app, &payout(Some(Uuid::nil()), PayoutStatus::Processed, 10_000)).await, "not ours");
    assert!(report(&app, &payout(Some(id), PayoutStatus::Pending, 10_000)).await);
    let mut tx = app.database.db.begin().await.unwrap();
    let other_amount = payout(Some(id), PayoutStatus::Processed, 9_999);
    wallet::apply_payout(&mut tx, &app.service.wallet, &other_amount).await.expect_err("another amount");
    let other_payout =
        Payout { id: "pout_2".to_owned(), ..payout(Some(id), PayoutStatus::Processed, 10_000) };
    wallet::apply_payout(&mut tx, &app.service.wallet, &other_payout).await.expect_err("a second payout");
    tx.commit().await.unwrap();
    assert_eq!(earner.withdrawal(&id.to_string()).await["status"], "processing");
    assert_eq!(earner.wallet().await["held"], 100.0);
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_provider_that_fails_before_or_after_the_effect_pays_once() {
    let app = spawn_prompt_with(|settings| settings.sandbox.failure_percent = 60).await;
    let earner = earner(&app, 200_000).await;
    let mut made = Vec::new();
    for _ in 0..20 {
        made.push(earner.withdraw(100.0).await);
    }
    // Attempts overlap now and then, as after a lease that ended too early.
    let hurried = async || {
        super::cut_pauses_short(&app).await;
        earner.wallet().await
    };
    until_fits("all are processed", hurried, |wallet| wallet["lifetime_withdrawn"] == 2000.0).await;
    let (count, paise): (i64, i64) =
        app.sql_row("select count(*), sum(amount_paise)::bigint from sandbox_payouts").await;
    assert_eq!((count, paise), (20, 200_000));
    earner.has(0.0, 0.0).await;
    app.sound_ledger().await;
}

#[actix_web::test]
async fn an_unanswered_payout_is_never_released() {
    let app = spawn_silent().await;
    let earner = earner(&app, 10_000).await;
    let made = earner.withdraw(100.0).await;
    // It is repeated again and again, and the amount is still held.
    let hurried = async || {
        super::cut_pauses_short(&app).await;
        app.sql_value::<i32>("select attempts from withdrawals").await
    };
    until_fits("four tries", hurried, |attempts| *attempts >= 4).await;
    assert_eq!(earner.withdrawal(&id_of(&made)).await["status"], "requested");
    assert_eq!(earner.wallet().await["held"], 100.0);
    app.sound_ledger().await;
}

#[actix_web::test]
async fn payouts_of_many_mechanics_all_arrive() {
    let app = spawn_prompt().await;
    let admin = app.admin().await;
    let mut all = Vec::new();
    for _ in 0..4 {
        let earner = Earner::new(&app, &admin, "asha@okbank", 50_000).await;
        let mut made = Vec::new();
        for _ in 0..10 {
            made.push(earner.withdraw(50.0).await);
        }
        all.push((earner, made));
    }
    for (earner, made) in &all {
        for withdrawal in made {
            earner.until(withdrawal, "processed").await;
        }
        assert_eq!(earner.wallet().await["available"], 0.0);
    }
    app.sound_ledger().await;
}
