//! The map and the figures of the console count alike.

use std::time::Duration;

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::support::{Client, spawn_app_with, within};

const HERE: &str = "/admin/fleet?bbox=77.5,12.9,77.7,13.1&zoom=13";
const ELSEWHERE: &str = "/admin/fleet?bbox=10,50,11,51&zoom=13";

/// Waits until the map counts `expected` everywhere: its answer may be a second old.
async fn map_counts(admin: &Client, path: &str, expected: &Value) {
    within(&format!("{expected} at {path}"), async {
        while admin.get(path).await.expect(200)["everywhere"] != *expected {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
}

#[actix_web::test]
async fn the_map_and_the_figures_count_alike_and_an_overdue_job_is_a_concern() {
    let app = spawn_app_with(|settings| settings.limits.per_user_per_minute = 100_000).await;
    let admin = app.admin().await;
    let mut driving = app.on_road(&admin).await;
    let stranded = app.breakdown().await;
    let id = app.taken(&stranded, &mut driving).await;
    let free = app.on_road(&admin).await;
    let promise = "update jobs set accepted_at = $2, promised_at = $3 where id = $1::uuid";
    // The times are minutes from now.
    for (accepted, promised, concerns, why) in [
        (20, -5, 0, "the time that was promised has not come"),
        (20, 20, 0, "no time was promised"),
        (20, 1, 0, "within two minutes"),
        (20, 10, 1, "the promise was ten minutes"),
        (60, 5, 0, "a fifth of 55 minutes"),
        (60, 20, 1, "more than a fifth of 40 minutes"),
    ] {
        let now = app.service.clock.now();
        let ago = |minutes| now - TimeDelta::minutes(minutes);
        let changed = sqlx::query(promise).bind(&id).bind(ago(accepted)).bind(ago(promised));
        changed.execute(&app.database.db).await.unwrap();
        let counts =
            json!({"waiting_jobs": 0, "active_jobs": 1, "concerns": concerns, "online": 2, "free": 1});
        map_counts(&admin, HERE, &counts).await;
        map_counts(&admin, ELSEWHERE, &counts).await;
        let live = admin.get("/admin/live").await.expect(200);
        assert_eq!((&live["everywhere"], &live["jobs_with_a_concern"]), (&counts, &json!(concerns)), "{why}");
        assert_eq!((&live["mechanics"]["online"], &live["mechanics"]["free"]), (&json!(2), &json!(1)));
    }
    drop(free);
}
