//! Events of one order that wait for the worker are settled by one transaction.

use serde_json::json;
use uuid::Uuid;

use super::{completed, event, order, until_payment};
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
    let (payment, order_id) =
        (made["payment_id"].as_str().unwrap(), made["gateway_order_id"].as_str().unwrap());
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
    let settled: (i64, i64, bool) = sqlx::query_as(settled).fetch_one(&app.database.db).await.unwrap();
    assert_eq!(settled, (3, 1, true), "three events, one transaction");
    logged.extend(["payment", "payment", "paid"].map(str::to_owned));
    assert_eq!(
        app.logged_payments(&scene.job).await,
        logged,
        "the failure, the capture, and its consequence"
    );
    assert_eq!(app.sound_ledger().await.transactions, 1);
}
