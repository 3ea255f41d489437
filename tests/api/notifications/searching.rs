//! Customers are notified when their search becomes long, a minute after it began.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall::jobs::{LongSearches, outlook};
use roadcall_actors::{
    ids::JobId,
    ports::{Outlook, WaitReason},
};
use serde_json::json;

use super::{listed, register, spawn_with, told};
use crate::support::{Stranded, TestApp, bodies::id_of, fcm::FcmPeer, spawn_app, spawn_with_admin, within};

fn searches(app: &TestApp) -> &LongSearches {
    &app.leading().payments.jobs.searches
}

/// Waits until news of a search is scheduled, and returns when it is due.
async fn due(app: &TestApp) -> DateTime<Utc> {
    within("a search that may become long", async {
        loop {
            if let Some(due_at) = searches(app).earliest() {
                return due_at;
            }
            tokio::task::yield_now().await;
        }
    })
    .await
}

/// Returns somebody whose job searches where no mechanic is online, and its id.
async fn alone(app: &TestApp) -> (Stranded, String) {
    let stranded = app.breakdown().await;
    let job = id_of(&stranded.call().await);
    due(app).await;
    (stranded, job)
}

async fn notify_at(app: &TestApp, now: DateTime<Utc>) -> u64 {
    outlook::notify_due(&app.service.payments.jobs, now).await.expect("notified")
}

/// Makes the dispatcher have expected this wait a minute ago, and sends the notifications that are due.
async fn expect_in(app: &TestApp, job: &str, minutes: Option<u32>) -> u64 {
    let job = JobId(job.parse().expect("an id"));
    let outlook = Outlook {
        expected_wait_s: minutes.map(|minutes| minutes * 60),
        chance_permille: 500,
        in_time_s: 1_800,
        reason: if minutes.is_some() { WaitReason::Busy } else { WaitReason::NobodyOnline },
    };
    let now = app.service.clock.now();
    // Otherwise the entry would be due at the time of the first look at the job.
    if searches(app).earliest().is_some() {
        searches(app).forget(job);
    }
    searches(app).note(job, &outlook, now - TimeDelta::seconds(61));
    notify_at(app, now).await
}

#[actix_web::test]
async fn a_customer_whom_nobody_can_serve_is_notified_once_a_minute_after_the_call() {
    let app = spawn_app().await;
    let called_at = app.service.clock.now();
    let (stranded, job) = alone(&app).await;
    let due_at = due(&app).await;
    assert!(due_at >= called_at + TimeDelta::seconds(60), "{due_at} after {called_at}");
    assert_eq!(notify_at(&app, due_at - TimeDelta::microseconds(1)).await, 0);
    assert_eq!(told(&stranded.client).await, Vec::<String>::new());
    assert_eq!(notify_at(&app, due_at).await, 1);
    let shown = &listed(&stranded.client, "").await[0];
    assert_eq!((&shown["type"], &shown["data"]), (&json!("search_unserved"), &json!({"job_id": job})));
    assert_eq!(notify_at(&app, due_at + TimeDelta::minutes(10)).await, 0);
    assert_eq!(searches(&app).earliest(), None);
}

#[actix_web::test]
async fn a_customer_is_notified_at_most_twice_per_attempt_and_never_twice_of_the_same() {
    let app = spawn_app().await;
    let (stranded, job) = alone(&app).await;
    for (minutes, notified) in [(Some(20), 1), (Some(40), 0), (Some(5), 1), (Some(20), 0), (None, 0)] {
        assert_eq!(expect_in(&app, &job, minutes).await, notified, "{minutes:?}");
    }
    assert_eq!(told(&stranded.client).await, ["search_long", "search_shorter"]);
    let next = sqlx::query("update job_states set attempt = attempt + 1");
    next.execute(&app.database.db).await.expect("another attempt");
    assert_eq!(expect_in(&app, &job, Some(5)).await, 0, "relief from what an earlier attempt said");
    assert_eq!(expect_in(&app, &job, None).await, 1);
    assert_eq!(told(&stranded.client).await, ["search_long", "search_shorter", "search_unserved"]);
}

#[actix_web::test]
async fn a_short_wait_is_not_announced_first() {
    let app = spawn_app().await;
    let (stranded, job) = alone(&app).await;
    assert_eq!(expect_in(&app, &job, Some(15)).await, 0);
    assert_eq!(told(&stranded.client).await, Vec::<String>::new());
}

#[actix_web::test]
async fn a_matched_or_cancelled_job_is_not_a_long_search() {
    let (app, admin) = spawn_with_admin().await;
    let (cancelled, job) = alone(&app).await;
    cancelled.cancel(&job).await;
    let due_at = due(&app).await;
    assert_eq!(notify_at(&app, due_at).await, 0);
    assert_eq!(searches(&app).earliest(), None);
    assert_eq!(told(&cancelled.client).await, Vec::<String>::new());

    let (served, _) = alone(&app).await;
    let mut mechanic = app.on_road(&admin).await;
    mechanic.accept().await;
    within("the search is forgotten", async {
        while searches(&app).earliest().is_some() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(told(&served.client).await, ["job_accepted"]);
    let news: i64 = app.value("select count(*) from search_news", &[]).await;
    assert_eq!(news, 0);
}

#[actix_web::test]
async fn a_restart_repeats_no_notification_and_ended_searches_are_swept() {
    let mut app = spawn_app().await;
    let (stranded, job) = alone(&app).await;
    assert_eq!(expect_in(&app, &job, None).await, 1);
    app.restart().await;
    let due_at = due(&app).await;
    assert_eq!(notify_at(&app, due_at).await, 0);
    let stranded = Stranded { client: app.sign_in(&stranded.client.phone).await, ..stranded };
    assert_eq!(told(&stranded.client).await, ["search_unserved"]);
    let jobs = &app.service.payments.jobs;
    assert_eq!(outlook::sweep(jobs, 100).await.expect("swept"), 0);
    stranded.cancel(&job).await;
    assert_eq!(outlook::sweep(jobs, 100).await.expect("swept"), 1);
}

#[actix_web::test]
async fn pushes_of_a_long_search_belong_to_the_topic_of_jobs() {
    let peer = FcmPeer::start().await;
    let app = spawn_with(&peer, |_| {}).await;
    let (stranded, job) = alone(&app).await;
    register(&stranded.client, "phone").await;
    assert_eq!(expect_in(&app, &job, Some(20)).await, 1);
    let message = peer.until_taken("search_long").await;
    assert_eq!((&message["token"], &message["data"]["job_id"]), (&json!("phone"), &json!(job)));
    stranded.client.patch("/notifications/preferences", json!({"jobs": false})).await.expect(200);
    assert_eq!(expect_in(&app, &job, None).await, 1);
    super::until_status(&stranded.client, "search_unserved", "skipped").await;
}
