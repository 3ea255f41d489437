//! A payment of the usual kind is booked by one statement, which waits for nobody. Every other one, and one that meets another
//! change, is decided in a transaction, with the same result.

use futures_util::future::{join, join_all};
use roadcall::jobs;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{completed, event, ids_of, order, spawn_ordered, until_payment};
use crate::support::{
    Answer, Client, TestApp,
    roadside::Scene,
    rows::{copy_completed_job, job_status, until_blocked, until_so_many_blocked},
    spawn_app, spawn_app_behind, spawn_app_with,
};

/// A cash payment that nobody has confirmed.
struct Cash {
    confirm: String,
    amount: Value,
}

impl Cash {
    async fn of(scene: &Scene) -> Self {
        let body = json!({"job_id": scene.job, "method": "cash"});
        let made = scene.customer.post("/payments/orders", body).await.expect(201);
        let confirm = format!("/payments/{}/cash-confirm", made["payment_id"].as_str().expect("an id"));
        Self { confirm, amount: made["amount"].clone() }
    }

    async fn confirm(&self, side: &Client) -> Answer {
        side.post(&self.confirm, json!({"amount": self.amount})).await
    }
}

/// Asserts that the mechanic owes the commission of one cash payment, which is the only entry of the ledger.
async fn is_booked_once(app: &TestApp, scene: &Scene) {
    assert_eq!(job_status(&app.database.db, &scene.job).await, "paid");
    assert_eq!(app.balances(&scene.mechanic.profile_id).await.owed_paise, 4_485);
    assert_eq!(app.sound_ledger().await.transactions, 1);
}

/// Locks a row of the job until the transaction is dropped.
async fn hold(app: &TestApp, sql: &'static str, job: &str) -> roadcall::platform::db::Transaction {
    let mut holder = app.database.db.begin().await.expect("a transaction");
    let lock = sqlx::query(sql).bind(job.parse::<Uuid>().expect("a UUID"));
    lock.execute(&mut *holder).await.expect("a lock");
    holder
}

#[actix_web::test]
async fn the_usual_payment_needs_no_lock_that_a_transaction_takes_first() {
    let app = spawn_app().await;
    // Another server than the leader decides in transactions.
    if app.cluster.is_some() {
        return;
    }
    let facts = "select from job_facts where id = $1 for no key update";
    let scene = completed(&app).await;
    let holder = hold(&app, facts, &scene.job).await;
    let cash = Cash::of(&scene).await;
    for side in [&*scene.mechanic.client, &*scene.customer] {
        cash.confirm(side).await.expect(200);
    }
    is_booked_once(&app, &scene).await;
    drop(holder);

    let scene = completed(&app).await;
    let made = order(&scene).await;
    let _holder = hold(&app, facts, &scene.job).await;
    let order_id = made["gateway_order_id"].as_str().expect("an order");
    let captured = event("payment.captured", "pay_at_once", order_id, 29_900, "captured");
    assert_eq!(app.webhook(&captured).await.expect(200)["status"], "ok");
    let payment = made["payment_id"].as_str().expect("an id");
    let shown = scene.customer.get(&format!("/payments/{payment}")).await.expect(200);
    assert_eq!((&shown["status"], &shown["gateway_payment_id"]), (&json!("captured"), &json!("pay_at_once")));
    assert_eq!(job_status(&app.database.db, &scene.job).await, "paid");
    let kept = "select status || attempts || (last_error is null) from webhook_events";
    let kept: String = sqlx::query_scalar(kept).fetch_one(&app.database.db).await.expect("the event");
    assert_eq!(kept, "processed1true");
    assert_eq!(app.balances(&scene.mechanic.profile_id).await.held_paise, 25_415);
    app.sound_ledger().await;
}

#[actix_web::test]
async fn a_payment_that_meets_another_change_of_its_job_waits_for_it() {
    let app = spawn_app().await;
    let scene = completed(&app).await;
    let cash = Cash::of(&scene).await;
    let changes = "update job_states set version = version where id = $1";
    for side in [&*scene.mechanic.client, &*scene.customer] {
        let holder = hold(&app, changes, &scene.job).await;
        let ended = async {
            until_blocked(&app.database.db).await;
            holder.commit().await.expect("a commit");
        };
        let (confirmed, ()) = join(cash.confirm(side), ended).await;
        confirmed.expect(200);
    }
    is_booked_once(&app, &scene).await;
}

#[actix_web::test]
async fn a_booking_that_would_wait_for_its_mechanics_profile_is_left_to_a_transaction() {
    let app = spawn_app().await;
    let scene = completed(&app).await;
    let cash = Cash::of(&scene).await;
    cash.confirm(&scene.mechanic.client).await.expect(200);
    let profile = "select from mechanic_profiles m join job_states j on j.mechanic_profile_id = m.id
        where j.id = $1 for update of m";
    let holder = hold(&app, profile, &scene.job).await;
    let ended = async {
        until_blocked(&app.database.db).await;
        let waiting = "select query from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'";
        let waiting: Vec<String> =
            sqlx::query_scalar(waiting).fetch_all(&app.database.db).await.expect("statements");
        holder.commit().await.expect("a commit");
        waiting
    };
    let (confirmed, waiting) = join(cash.confirm(&scene.customer), ended).await;
    confirmed.expect(200);
    // The statements for several jobs begin like this.
    assert!(!waiting.iter().any(|sql| sql.starts_with("with given as")), "{waiting:?}");
    is_booked_once(&app, &scene).await;
}

#[actix_web::test]
async fn cash_that_both_sides_confirm_at_once_is_booked_once() {
    let app = spawn_app().await;
    let scene = completed(&app).await;
    let cash = Cash::of(&scene).await;
    let sides = [&*scene.mechanic.client, &*scene.customer, &*scene.mechanic.client, &*scene.customer];
    for confirmed in join_all(sides.map(|side| cash.confirm(side))).await {
        confirmed.expect(200);
    }
    is_booked_once(&app, &scene).await;
}

#[actix_web::test]
async fn a_booking_whose_answer_was_lost_is_booked_once() {
    let (app, wire) = spawn_app_behind(|settings| settings.limits.per_user_per_minute = 100_000).await;
    let scene = completed(&app).await;
    let body = json!({"job_id": scene.job, "method": "cash"});
    let ask = || scene.customer.post_once("/payments/orders", &body, "once");
    wire.lose_next_answer("made_payment");
    ask().await.refused(503, "OUTCOME_UNKNOWN");
    let made = ask().await.expect(201);
    let confirm = format!("/payments/{}/cash-confirm", made["payment_id"].as_str().expect("an id"));
    let cash = Cash { confirm, amount: made["amount"].clone() };
    for side in [&*scene.mechanic.client, &*scene.customer] {
        wire.lose_next_answer("moved_payment");
        cash.confirm(side).await.refused(503, "OUTCOME_UNKNOWN");
        cash.confirm(side).await.expect(200);
    }
    is_booked_once(&app, &scene).await;
    assert_eq!(cash.confirm(&scene.customer).await.expect(200)["status"], "captured");
    let count = "select count(*) from payments";
    let count: i64 = sqlx::query_scalar(count).fetch_one(&app.database.db).await.expect("a count");
    assert_eq!(count, 1);
}

#[actix_web::test]
async fn cash_is_refused_as_before_when_something_else_is_due_by_now() {
    let app = spawn_app().await;
    let scene = completed(&app).await;
    let cash = Cash::of(&scene).await;
    cash.confirm(&scene.mechanic.client).await.expect(200);
    let due = sqlx::query("update job_dues set due_paise = due_paise - 100 where job_id = $1::uuid");
    due.bind(&scene.job).execute(&app.database.db).await.expect("another due");
    let refused = cash.confirm(&scene.customer).await.refused(409, "CONFLICT");
    assert!(refused["error"]["message"].as_str().expect("a message").contains("has changed"), "{refused}");
    assert_eq!(app.sound_ledger().await.transactions, 0);
}

#[actix_web::test]
async fn captures_of_one_mechanics_jobs_that_arrive_together_are_booked_together() {
    const JOBS: usize = 12;
    let app = spawn_app_with(|settings| settings.limits.per_user_per_minute = 100_000).await;
    let scene = completed(&app).await;
    let (mut jobs, mut payments, mut events) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..JOBS {
        let job = copy_completed_job(&app.database.db, &scene.job, app.service.random.id(app.now())).await;
        let made = scene.customer.post("/payments/orders", json!({"job_id": job})).await.expect(201);
        let order_id = made["gateway_order_id"].as_str().expect("an order");
        let attempt = format!("pay_together{number}");
        events.push(event("payment.captured", &attempt, order_id, 29_900, "captured"));
        payments.push(made["payment_id"].as_str().expect("an id").to_owned());
        jobs.push(job);
    }
    // The wallet's lock keeps the first bookings from ending, so the others gather.
    let mechanic: Uuid = scene.mechanic.profile_id.parse().expect("a UUID");
    let mut holder = app.database.db.begin().await.expect("a transaction");
    roadcall::accounting::ledger::lock(&mut holder, &[mechanic]).await.expect("the wallet's lock");
    let ended = async {
        until_so_many_blocked(&app.database.db, 2).await;
        holder.commit().await.expect("a commit");
    };
    let (taken, ()) = join(join_all(events.iter().map(|event| app.webhook(event))), ended).await;
    for answer in taken {
        assert_eq!(answer.expect(200)["status"], "ok");
    }
    for (job, payment) in jobs.iter().zip(&payments) {
        until_payment(&scene.customer, payment, "status", json!("captured")).await;
        assert_eq!(job_status(&app.database.db, job).await, "paid");
    }
    let held = app.balances(&scene.mechanic.profile_id).await.held_paise;
    assert_eq!(held, 25_415 * JOBS as i64);
    assert_eq!(app.sound_ledger().await.transactions, JOBS as i64);
}

#[actix_web::test]
async fn a_capture_is_two_entries_of_the_log_each_with_the_job_as_it_was_then() {
    let app = spawn_app().await;
    let scene = completed(&app).await;
    scene.pay_cash().await;
    let (context, job) = (&app.service.payments, scene.job.parse::<Uuid>().expect("a UUID"));
    let newest = scene.customer.get(&scene.path("")).await.expect(200)["seq"].as_i64().expect("a number");
    // From memory, if it was quick enough, and from the database.
    let known = jobs::events_since(context, job, newest - 2, Some(newest), 10).await.expect("entries");
    let read = jobs::events_since(context, job, newest - 2, None, 10).await.expect("entries");
    assert_eq!(format!("{known:?}"), format!("{read:?}"));
    let entries = read.iter().map(|entry| (&*entry.kind, entry.snapshot.status.0.as_str()));
    assert_eq!(entries.collect::<Vec<_>>(), [("payment", "completed"), ("paid", "paid")]);
}

#[actix_web::test]
async fn several_entries_of_a_wallet_are_added_up_and_none_is_booked_twice() {
    let app = spawn_app().await;
    let scene = completed(&app).await;
    let mechanic: Uuid = scene.mechanic.profile_id.parse().expect("a UUID");
    let book = || {
        // Two entries, each with a posting to the platform and to the same mechanic.
        sqlx::query_scalar::<_, i64>(
            "with e as materialized (select gen_random_uuid() as id, name from unnest(array['a', 'b']) name)
            select ledger_book_all(1, array_agg(e.id), array_agg('cash'::text), array_agg('cash:' || e.name), array_agg(null::uuid),
                array_agg(now()), array_agg(gen_random_uuid()), array_agg(p.kind), array_agg(p.mechanic), array_agg(p.paise))
            from e, (values ('tax', null::uuid, 5::bigint), ('mechanic_owed', $1, -5)) p (kind, mechanic, paise)",
        )
        .bind(mechanic)
        .fetch_one(&app.database.db)
    };
    assert_eq!(book().await.expect("four postings"), 4);
    let again = book().await.expect_err("it was booked before");
    assert_eq!(roadcall::platform::error::constraint(&again), Some("ledger_transactions_key"));
    assert_eq!(app.balances(&scene.mechanic.profile_id).await.owed_paise, 10);
    assert_eq!(app.sound_ledger().await.transactions, 2);
}

/// Sends an event about an attempt.
async fn tell(app: &TestApp, order_id: &str, attempt: &str, status: &str) {
    let told = event(&format!("payment.{status}"), attempt, order_id, 29_900, status);
    assert_eq!(app.webhook(&told).await.expect(200)["status"], "ok", "{attempt}: {status}");
}

/// Returns the status of an attempt, that of the last event about it, and whether both were written at once with the payment.
async fn recorded(app: &TestApp, attempt: &str) -> Option<(String, String, bool)> {
    let recorded = "select a.status, e.status || e.attempts,
            a.xmin::text = p.xmin::text and e.xmin::text = p.xmin::text
        from payment_attempts a join payments p on p.id = a.payment_id
            join webhook_events e on strpos(e.body, a.gateway_payment_id) > 0
        where a.gateway_payment_id = $1 order by e.received_at desc limit 1";
    sqlx::query_as(recorded).bind(attempt).fetch_optional(&app.database.db).await.expect("an answer")
}

#[actix_web::test]
async fn an_attempt_that_leaves_its_payment_as_it_is_needs_no_lock_of_the_job() {
    let (app, scene, made) = spawn_ordered().await;
    let (payment, order_id) = ids_of(&made);
    // A second failure, and a failure beside an authorization.
    for (first, status, second) in
        [("pay_first", "failed", "pay_second"), ("pay_third", "authorized", "pay_fourth")]
    {
        tell(&app, order_id, first, status).await;
        let holder = hold(&app, "select from job_facts where id = $1 for no key update", &scene.job).await;
        tell(&app, order_id, second, "failed").await;
        let expected = ("failed".to_owned(), "processed1".to_owned(), true);
        assert_eq!(recorded(&app, second).await, Some(expected), "{second}");
        let shown = scene.customer.get(&format!("/payments/{payment}")).await.expect(200);
        assert_eq!(shown["status"], status, "{second}");
        holder.rollback().await.expect("a rollback");
    }
}

#[actix_web::test]
async fn an_attempt_that_meets_a_newer_report_is_decided_in_a_transaction() {
    let (app, _scene, made) = spawn_ordered().await;
    let (payment, order_id) = ids_of(&made);
    tell(&app, order_id, "pay_first", "captured").await;
    // The attempt is decided on what is read now, and its statement begins after the other server's change.
    let mut holder = app.database.db.begin().await.expect("a transaction");
    let lock = sqlx::query("lock table payment_attempts in exclusive mode");
    lock.execute(&mut *holder).await.expect("a lock");
    let changed = async {
        until_blocked(&app.database.db).await;
        let change = "with newer as (
                insert into payment_attempts (gateway_payment_id, payment_id, status, first_seen_at, updated_at)
                values ('pay_second', $1::uuid, 'captured', now(), now()))
            update payments set updated_at = updated_at + interval '1 microsecond' where id = $1::uuid";
        sqlx::query(change).bind(payment).execute(&mut *holder).await.expect("a newer report");
        holder.commit().await.expect("a commit");
    };
    join(tell(&app, order_id, "pay_second", "authorized"), changed).await;
    let expected = ("captured".to_owned(), "processed1".to_owned(), false);
    assert_eq!(recorded(&app, "pay_second").await, Some(expected));
}

#[actix_web::test]
async fn each_new_status_of_an_attempt_changes_what_is_compared_of_its_payment() {
    let (app, _scene, made) = spawn_ordered().await;
    let (_, order_id) = ids_of(&made);
    // The passing of time changes nothing.
    app.sql("update payments set updated_at = now() + interval '1 day'").await;
    let compared = async || {
        let sql = "select status || ' ' || updated_at from payments where duplicate_of is null";
        app.sql_value::<String>(sql).await
    };
    for (attempt, status) in [
        ("pay_first", "failed"),
        ("pay_second", "failed"),
        ("pay_third", "authorized"),
        ("pay_fourth", "failed"),
        ("pay_third", "captured"),
        ("pay_fifth", "authorized"),
        ("pay_fifth", "captured"),
    ] {
        let before = compared().await;
        tell(&app, order_id, attempt, status).await;
        assert_ne!(compared().await, before, "{attempt}: {status}");
    }
}
