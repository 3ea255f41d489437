use chrono::{DateTime, Utc};
use futures_util::future::join_all;
use roadcall::money::wallet;
use serde_json::{Value, json};
use uuid::Uuid;

use super::spawn_prompt;
use crate::support::{
    AssertFields, Client, TestApp,
    money::{Earned, Earning, insert_chargeback, insert_earning},
    rows::set_job_status,
};

/// Runs every round that could be in progress, including the worker's own.
async fn clear(app: &TestApp) {
    wallet::clear_due(&app.service.wallet).await.unwrap();
}

/// Lets the clearing time of an earning pass.
async fn set_due(app: &TestApp, earned: Earned) {
    let due = sqlx::query("update earnings set clears_at = now() - interval '1 minute' where id = $1");
    due.bind(earned.id).execute(&app.database.db).await.unwrap();
}

async fn is_cleared(app: &TestApp, earned: Earned) -> bool {
    let cleared = "select cleared_at is not null from earnings where id = $1";
    sqlx::query_scalar(cleared).bind(earned.id).fetch_one(&app.database.db).await.unwrap()
}

#[actix_web::test]
async fn held_earnings_become_available_after_the_clearing_time() {
    let app = spawn_prompt().await;
    let mechanic = app.registered_mechanic().await;
    let due = insert_earning(&app.database.db, Earning::due(&mechanic.profile_id, 10_000)).await;
    let later = Earning {
        clears_at: Some(app.service.clock.now() + chrono::TimeDelta::hours(1)),
        ..Earning::of(&mechanic.profile_id, 2_000)
    };
    let later = insert_earning(&app.database.db, later).await;
    join_all((0..4).map(|_| clear(&app))).await;
    assert!(is_cleared(&app, due).await && !is_cleared(&app, later).await);
    let wallet = mechanic.client.get("/wallet").await.expect(200);
    assert_eq!((&wallet["available"], &wallet["held"]), (&json!(85.0), &json!(17.0)));
    assert_eq!(wallet["lifetime_earned"], 102.0);
    app.sound_ledger().await;
}

#[actix_web::test]
async fn the_wallet_shows_the_next_release_of_held_money() {
    let app = spawn_prompt().await;
    let mechanic = app.registered_mechanic().await;
    let next = async || mechanic.client.get("/wallet").await.expect(200)["next_release"].clone();
    assert_eq!(next().await, Value::Null, "nothing is held");
    let at = |hours| app.service.clock.now() + chrono::TimeDelta::hours(hours);
    let held = |gross_paise, hours, job_status| Earning {
        clears_at: Some(at(hours)),
        job_status,
        ..Earning::of(&mechanic.profile_id, gross_paise)
    };
    insert_earning(&app.database.db, held(5_000, 1, "disputed")).await;
    assert_eq!(next().await, Value::Null, "a dispute has no hour");
    insert_earning(&app.database.db, held(4_000, 72, "paid")).await;
    let first = insert_earning(&app.database.db, held(2_000, 48, "paid")).await;
    let stored = sqlx::query_scalar("select clears_at from earnings where id = $1").bind(first.id);
    let stored: DateTime<Utc> = stored.fetch_one(&app.database.db).await.unwrap();
    let shown = next().await;
    assert_eq!(shown["amount"], 17.0);
    let at: DateTime<Utc> = shown["at"].as_str().expect("a time").parse().expect("a time");
    assert_eq!(at.timestamp_millis(), stored.timestamp_millis());
}

#[actix_web::test]
async fn the_next_release_leaves_out_earnings_that_wait_for_a_decision() {
    let app = spawn_prompt().await;
    let mechanic = app.registered_mechanic().await;
    let (db, profile) = (&app.database.db, mechanic.profile_id.parse::<Uuid>().unwrap());
    let next = async || mechanic.client.get("/wallet").await.expect(200)["next_release"]["amount"].clone();
    let at = |hours| app.service.clock.now() + chrono::TimeDelta::hours(hours);
    let held = async |gross_paise, hours| {
        let earning =
            Earning { clears_at: Some(at(hours)), ..Earning::of(&mechanic.profile_id, gross_paise) };
        insert_earning(db, earning).await
    };
    // This one is cleared, and so already released.
    insert_earning(db, Earning::of(&mechanic.profile_id, 1_000)).await;
    let charged = held(2_000, 1).await;
    insert_chargeback(db, charged.payment_id).await;
    assert_eq!(next().await, Value::Null, "the customer's bank wants it back");
    let contested = held(4_000, 2).await;
    let fee = "insert into cancellation_fees (job_id, customer_id, amount_paise, status, cancelled_at, is_contested)
        select id, customer_id, 4000, 'paid', now(), true from jobs where id = $1";
    sqlx::query(fee).bind(contested.job_id).execute(db).await.unwrap();
    assert_eq!(next().await, Value::Null, "a no-show is contested");
    let hold = async |earned: Earned, hours| {
        let due = sqlx::query(
            "insert into job_dues (job_id, customer_id, mechanic_profile_id, due_paise, paid_paise, created_at, held_until)
            select id, customer_id, $2, 29900, 29900, now(), $3 from jobs where id = $1",
        );
        due.bind(earned.job_id).bind(profile).bind(at(hours)).execute(db).await.unwrap();
    };
    hold(held(6_000, 3).await, 5).await;
    assert_eq!(next().await, Value::Null, "a tow may be reviewed beyond the clearing time");
    hold(held(8_000, 4).await, 3).await;
    assert_eq!(next().await, 68.0, "a review that ends before changes nothing");
    sqlx::query("update cancellation_fees set is_contested = false").execute(db).await.unwrap();
    assert_eq!(next().await, 34.0, "the fee stands");
}

#[actix_web::test]
async fn a_debt_is_covered_first() {
    let app = spawn_prompt().await;
    let mechanic = app.registered_mechanic().await;
    let cash = Earning { is_cash: true, ..Earning::of(&mechanic.profile_id, 100_000) };
    insert_earning(&app.database.db, cash).await;
    for (available, owed) in [(0.0, 65.0), (20.0, 0.0), (105.0, 0.0)] {
        insert_earning(&app.database.db, Earning::due(&mechanic.profile_id, 10_000)).await;
        clear(&app).await;
        let wallet = mechanic.client.get("/wallet").await.expect(200);
        assert_eq!((&wallet["available"], &wallet["owed"]), (&json!(available), &json!(owed)));
    }
    app.sound_ledger().await;
}

#[actix_web::test]
async fn disputed_and_charged_back_earnings_wait() {
    let app = spawn_prompt().await;
    let mechanic = app.registered_mechanic().await;
    let disputed = Earning { job_status: "disputed", ..Earning::due(&mechanic.profile_id, 10_000) };
    let disputed = insert_earning(&app.database.db, disputed).await;
    // It is held back until the chargeback exists, too.
    let later = app.service.clock.now() + chrono::TimeDelta::hours(1);
    let charged = Earning { clears_at: Some(later), ..Earning::of(&mechanic.profile_id, 10_000) };
    let charged = insert_earning(&app.database.db, charged).await;
    insert_chargeback(&app.database.db, charged.payment_id).await;
    set_due(&app, charged).await;
    let free = insert_earning(&app.database.db, Earning::due(&mechanic.profile_id, 1_000)).await;
    clear(&app).await;
    assert!(is_cleared(&app, free).await);
    assert!(!is_cleared(&app, disputed).await && !is_cleared(&app, charged).await);
    set_job_status(&app.database.db, disputed.job_id, "resolved").await;
    app.sql("update chargebacks set status = 'won'").await;
    clear(&app).await;
    assert!(is_cleared(&app, disputed).await && is_cleared(&app, charged).await);
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_failing_earning_does_not_stop_others() {
    let app = spawn_prompt().await;
    let (broken, sound) = (app.registered_mechanic().await, app.registered_mechanic().await);
    // This is more than the ledger holds: the account would fall below zero.
    let earned = insert_earning(&app.database.db, Earning::of(&broken.profile_id, 10_000)).await;
    let held = "update earnings set cleared_at = null, held_paise = share_paise, clears_at = now() - interval '1 day'
        where id = $1";
    sqlx::query(held).bind(earned.id).execute(&app.database.db).await.unwrap();
    let good = insert_earning(&app.database.db, Earning::due(&sound.profile_id, 10_000)).await;
    clear(&app).await;
    assert!(is_cleared(&app, good).await && !is_cleared(&app, earned).await);
    assert_eq!(sound.client.get("/wallet").await.expect(200)["available"], 85.0);
}

/// Clears more earnings than one statement looks up.
#[actix_web::test]
async fn many_earnings_are_cleared_in_one_round() {
    let app = spawn_prompt().await;
    let mechanic = app.registered_mechanic().await;
    for _ in 0..120 {
        insert_earning(&app.database.db, Earning::due(&mechanic.profile_id, 1_000)).await;
    }
    clear(&app).await;
    clear(&app).await;
    mechanic.client.get("/wallet").await.expect(200).assert_fields(json!({"available": 1020.0, "held": 0.0}));
    app.sound_ledger().await;
}

/// Checks that the account stays, for this reason.
async fn stays(mechanic: &Client, why: &str) {
    mechanic.delete("/users/me").await.refused_saying(409, "CONFLICT", why);
}

#[actix_web::test]
async fn an_account_with_money_says_whether_it_can_be_withdrawn() {
    let app = spawn_prompt().await;
    let mechanic = app.registered_mechanic().await;
    let later = app.service.clock.now() + chrono::TimeDelta::hours(1);
    let held = Earning { clears_at: Some(later), ..Earning::of(&mechanic.profile_id, 10_000) };
    let held = insert_earning(&app.database.db, held).await;
    stays(&mechanic.client, "It is held or owed, and can't be withdrawn yet.").await;
    set_due(&app, held).await;
    clear(&app).await;
    stays(&mechanic.client, "Withdraw it first.").await;
}

#[actix_web::test]
async fn an_account_with_less_than_the_smallest_withdrawal_or_than_its_debt_says_so() {
    let app = spawn_prompt().await;
    let (thrifty, indebted) = (app.registered_mechanic().await, app.registered_mechanic().await);
    app.fund(&thrifty.profile_id, 99).await;
    let why = "There is still 0.99 in the wallet, less than the smallest withdrawal of 1.00.";
    stays(&thrifty.client, why).await;
    app.fund(&indebted.profile_id, 5_000).await;
    let cash = Earning { is_cash: true, ..Earning::of(&indebted.profile_id, 100_000) };
    insert_earning(&app.database.db, cash).await;
    stays(&indebted.client, "It is held or owed, and can't be withdrawn yet.").await;
}
