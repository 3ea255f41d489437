//! The map and the figures of the console count alike.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::support::{Client, roadside::PICKUP, spawn_admin_with, until_fits};

const HERE: &str = "/admin/fleet?bbox=77.5,12.9,77.7,13.1&zoom=13";
const ELSEWHERE: &str = "/admin/fleet?bbox=10,50,11,51&zoom=13";

/// Waits until the map counts `expected` everywhere: its answer may be a second old.
async fn map_counts(admin: &Client, path: &str, expected: &Value) {
    let ask = async || admin.get(path).await.expect(200);
    until_fits(&format!("{expected} at {path}"), ask, |map| map["everywhere"] == *expected).await;
}

#[actix_web::test]
async fn the_map_and_the_figures_count_alike_and_an_overdue_job_is_a_concern() {
    let (app, admin) = spawn_admin_with(|settings| {
        settings.limits.per_user_per_minute = 100_000;
        // However slow the machine is, nobody goes offline, and no silence becomes a concern.
        settings.dispatch.fresh_position_s = 900;
        (settings.watch.dark_after_s, settings.fees.dark_after_s) = (900, 900);
        settings.check().expect("sound settings");
    })
    .await;
    let mut driving = app.on_road(&admin).await;
    let stranded = app.breakdown().await;
    let id = app.taken(&stranded, &mut driving).await;
    let free = app.on_road(&admin).await;
    let promise = "update job_states set accepted_at = $2, promised_at = $3, concern = $4,
        concern_since = case when $4::text is not null then $2 end where id = $1::uuid";
    // The times are minutes before now.
    for (accepted, promised, concern, concerns, why) in [
        (20, -5, None, 0, "the time that was promised has not come"),
        (20, 20, None, 0, "no time was promised"),
        (20, 1, None, 0, "within two minutes"),
        (20, 10, None, 1, "the promise was ten minutes"),
        (60, 5, None, 0, "a fifth of 55 minutes"),
        (60, 20, None, 1, "more than a fifth of 40 minutes"),
        (20, -5, Some("dark"), 1, "the mechanic is silent"),
        (60, 20, Some("dark"), 1, "a silent mechanic who is late counts once"),
        (20, -5, None, 0, "the concern is over"),
    ] {
        let now = app.service.clock.now();
        let ago = |minutes| now - TimeDelta::minutes(minutes);
        let changed = sqlx::query(promise).bind(&id).bind(ago(accepted)).bind(ago(promised)).bind(concern);
        changed.execute(&app.database.db).await.unwrap();
        let counts =
            json!({"waiting_jobs": 0, "active_jobs": 1, "concerns": concerns, "online": 2, "free": 1});
        map_counts(&admin, HERE, &counts).await;
        map_counts(&admin, ELSEWHERE, &counts).await;
        let live = admin.get("/admin/live").await.expect(200);
        assert_eq!((&live["everywhere"], &live["jobs_with_a_concern"]), (&counts, &json!(concerns)), "{why}");
        assert_eq!((&live["mechanics"]["online"], &live["mechanics"]["free"]), (&json!(2), &json!(1)));
    }

    // Nobody is within reach of the next job. A booking waits for its time, not for a mechanic.
    let far = (PICKUP.0 + 1.0, PICKUP.1);
    app.breakdown_at(far).await.call().await;
    let booked = app.breakdown_at(far).await;
    let at = json!((app.service.clock.now() + TimeDelta::hours(20)).to_rfc3339());
    booked.call_with("scheduled_for", at).await;
    let counts = json!({"waiting_jobs": 1, "active_jobs": 1, "concerns": 0, "online": 2, "free": 1});
    map_counts(&admin, HERE, &counts).await;
    map_counts(&admin, ELSEWHERE, &counts).await;
    assert_eq!(admin.get("/admin/live").await.expect(200)["everywhere"], counts);
    drop(free);
}
