//! kill -9 between any two steps of a withdrawal: the ledger sums to zero, and the provider pays once.

use std::time::Duration;

use roadcall::accounts::auth::Role;
use roadcall::platform::db::Db;
use serde_json::json;

use super::{Earner, spawn_prompt};
use crate::{
    restart::Server,
    support::{Person, TestApp, bodies::id_of, rows::until_blocked},
};

const SETTINGS: &[(&str, &str)] = &[
    ("ROADCALL__WALLET__NEW_ACCOUNT_WAIT_HOURS", "0"),
    ("ROADCALL__SANDBOX__DELAY_MIN_MS", "0"),
    ("ROADCALL__SANDBOX__DELAY_MAX_MS", "0"),
    ("ROADCALL__PAYOUTS__TIMEOUT_MS", "200"),
    ("ROADCALL__PAYOUTS__RETRY_S", "1"),
    ("ROADCALL__PAYOUTS__RECONCILE_AFTER_S", "1"),
    ("ROADCALL__LIMITS__PER_USER_PER_MINUTE", "100000"),
];

/// Creates the database and an admin, then leaves them to a process of their own.
async fn process() -> (TestApp, Person, Server) {
    let mut app = spawn_prompt().await;
    app.make_admin("meera@example.com", Role::Admin).await;
    app.stop().await;
    let server = Server::start_with(&app, SETTINGS);
    app.address = ([127, 0, 0, 1], server.port).into();
    server.until_ready().await;
    let admin = app.sign_in_admin("meera@example.com").await;
    (app, admin, server)
}

async fn again(app: &TestApp, server: &mut Server) {
    server.kill();
    go_on(app, server).await;
}

async fn go_on(app: &TestApp, server: &mut Server) {
    server.run_again(app, SETTINGS);
    server.until_ready().await;
}

async fn paid(db: &Db) -> (i64, i64) {
    let paid = "select count(*), coalesce(sum(amount_paise), 0)::bigint from sandbox_payouts";
    sqlx::query_as(paid).fetch_one(db).await.unwrap()
}

#[actix_web::test]
async fn a_kill_before_the_provider_was_asked_pays_once() {
    let (app, admin, mut server) = process().await;
    let earner = Earner::new(&app, &admin, "asha@okbank", 10_000).await;
    let mut provider = app.database.db.begin().await.unwrap();
    sqlx::query("lock table sandbox_payouts in access exclusive mode").execute(&mut *provider).await.unwrap();
    let made = earner.withdraw(100.0).await;
    until_blocked(&app.database.db).await;
    server.kill();
    provider.rollback().await.unwrap();
    app.sound_ledger().await;
    go_on(&app, &mut server).await;
    earner.until(&made, "processed").await;
    assert_eq!(paid(&app.database.db).await, (1, 10_000));
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_kill_before_the_payout_was_recorded_pays_once() {
    let (app, admin, mut server) = process().await;
    let earner = Earner::new(&app, &admin, "asha@okbank", 10_000).await;
    // The statement that records the payout waits for this lock; the hold before it does not.
    let waiting = "create function wait() returns trigger language plpgsql as
            'begin perform pg_advisory_xact_lock(4711); return new; end';
        create trigger wait before insert on ledger_transactions
            for each row when (new.kind = 'withdrawal_paid') execute function wait()";
    sqlx::raw_sql(waiting).execute(&app.database.db).await.unwrap();
    let mut books = app.database.db.begin().await.unwrap();
    sqlx::query("select pg_advisory_xact_lock(4711)").execute(&mut *books).await.unwrap();
    let made = earner.withdraw(100.0).await;
    until_blocked(&app.database.db).await;
    assert_eq!(paid(&app.database.db).await, (1, 10_000), "the provider has paid");
    server.kill();
    books.rollback().await.unwrap();
    assert_eq!(app.sound_ledger().await.wrong_holds, 0);
    go_on(&app, &mut server).await;
    earner.until(&made, "processed").await;
    assert_eq!(paid(&app.database.db).await, (1, 10_000), "and does not again");
    assert_eq!(earner.wallet().await["available"], 0.0);
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_kill_after_the_payout_was_recorded_pays_once() {
    let (app, admin, mut server) = process().await;
    let earner = Earner::new(&app, &admin, "asha@okbank", 20_000).await;
    let made = earner.withdraw(100.0).await;
    let done = earner.until(&made, "processed").await;
    again(&app, &mut server).await;
    // Another withdrawal goes all the way, so the worker has handled all earlier ones.
    let second = earner.withdraw(100.0).await;
    earner.until(&second, "processed").await;
    assert_eq!(earner.withdrawal(&id_of(&made)).await, done);
    assert_eq!(paid(&app.database.db).await, (2, 20_000));
    app.sound_ledger().await;
}

/// Kills at any step: each round requests several withdrawals at once, and kills a little later than the one before.
#[actix_web::test]
async fn kills_at_any_moment_pay_once() {
    let (app, admin, mut server) = process().await;
    let mut earners = Vec::new();
    for vpa in ["asha@okbank", "reversed@okbank", "failure@okbank"] {
        earners.push(Earner::new(&app, &admin, vpa, 100_000).await);
    }
    let mut asked = 0;
    for round in 0..8u64 {
        let all = earners.iter().map(|earner| async {
            earner.client.try_post("/wallet/withdrawals", json!({"amount": 10.0})).await
        });
        let killed = async {
            tokio::time::sleep(Duration::from_millis(4 * round)).await;
            server.kill();
        };
        asked += 3;
        futures_util::future::join(futures_util::future::join_all(all), killed).await;
        app.sound_ledger().await;
        go_on(&app, &mut server).await;
    }
    // Everything committed is carried to its end.
    for (earner, status) in earners.iter().zip(["processed", "reversed", "failed"]) {
        let made = earner.client.list("/wallet/withdrawals?limit=100").await;
        for withdrawal in &made {
            earner.until(withdrawal, status).await;
        }
        let left = if status == "processed" { 1000.0 - 10.0 * made.len() as f64 } else { 1000.0 };
        let wallet = earner.wallet().await;
        assert_eq!((&wallet["available"], &wallet["held"]), (&json!(left), &json!(0.0)), "{status}");
    }
    let total: i64 = app.sql_value("select count(*) from withdrawals").await;
    assert_eq!(paid(&app.database.db).await.0, total, "each was paid once, of {asked} requested");
    app.sound_ledger().await;
}
