//! Events of one order that wait for the worker are settled by one transaction.

use std::collections::VecDeque;

use roadcall::money::payments::{
    actions::webhooks::{self, EventOutcome},
    inbox::{NewEvent, PendingEvent, ReadEvent},
};
use serde_json::json;
use uuid::Uuid;

use super::{completed, event, ids_of, order, spawn_ordered, until_payment};
use crate::support::{TestApp, rows::until_blocked, spawn_app_with};

impl TestApp {
    /// Returns what the job's log has about payments, in order.
    async fn logged_payments(&self, job: &str) -> Vec<String> {
        let kinds =
            "select kind from job_events where job_id = $1 and kind in ('payment', 'paid') order by version";
        let kinds = sqlx::query_scalar(kinds).bind(job.parse::<Uuid>().unwrap());
        kinds.fetch_all(&self.database.db).await.unwrap()
    }
}

#[actix_web::test]
async fn a_capture_settles_the_older_events_that_wait_with_it() {
    // The worker processes every event.
    let app = spawn_app_with(|settings| settings.gateway.inbox_answer_queue = 0).await;
    let scene = completed(&app).await;
    let made = order(&scene).await;
    let (payment, order_id) = ids_of(&made);
    let send = async |kind: &str, attempt: &str, status: &str| {
        let mut event = event(kind, attempt, order_id, 29_900, status);
        event["note"] = json!(kind);
        assert_eq!(app.webhook(&event).await.expect(200)["status"], "ok", "{kind}");
    };
    let mut logged = app.logged_payments(&scene.job).await;

    // The worker waits for the job with the first event, while the others come.
    let mut holder = app.database.db.begin().await.unwrap();
    let lock =
        sqlx::query("select from jobs where id = $1 for update").bind(scene.job.parse::<Uuid>().unwrap());
    lock.execute(&mut *holder).await.unwrap();
    send("payment.failed", "pay_first", "failed").await;
    until_blocked(&app.database.db).await;
    for (kind, status) in
        [("payment.authorized", "authorized"), ("payment.captured", "captured"), ("order.paid", "captured")]
    {
        send(kind, "pay_second", status).await;
    }
    holder.rollback().await.unwrap();

    until_payment(&scene.customer, payment, "status", json!("captured")).await;
    let settled =
        "select count(*), count(distinct xmin::text), bool_and(status = 'processed' and attempts = 1)
        from webhook_events where event <> 'payment.failed'";
    let settled: (i64, i64, bool) = app.sql_row(settled).await;
    assert_eq!(settled, (3, 1, true), "three events, one transaction");
    logged.extend(["payment", "payment", "paid"].map(str::to_owned));
    assert_eq!(
        app.logged_payments(&scene.job).await,
        logged,
        "the failure, the capture, and its consequence"
    );
    assert_eq!(app.sound_ledger().await.transactions, 1);
}

#[actix_web::test]
async fn after_a_failure_the_other_events_of_an_order_are_not_tried_at_once() {
    let (app, _scene, made) = spawn_ordered().await;
    let (_, order_id) = ids_of(&made);
    let (payments, at) = (&app.service.payments, app.now());
    let mut events = VecDeque::new();
    for attempt in ["pay_first", "pay_second"] {
        let id = app.service.random.id(at);
        let body = event("payment.captured", attempt, order_id, 29_900, "captured").to_string();
        let event = PendingEvent { id, event: "payment.captured".to_owned(), body };
        let claim = payments.inbox.claim(id).expect("a new event is unclaimed");
        let read = ReadEvent::of_stored(&event).expect("an event");
        payments.inbox.store(NewEvent { event, event_id: attempt.to_owned(), at }).await.expect("stored");
        events.push_back((claim, read));
    }
    app.sql("delete from job_dues").await;
    let outcomes = webhooks::process_order(payments, events).await;
    assert!(matches!(&outcomes[..], [EventOutcome::Failed(_)]), "{outcomes:?}");
}
