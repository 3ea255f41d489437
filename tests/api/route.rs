//! The trail of a job's mechanic: as GeoJSON, and how it is stored.

use std::ops::RangeInclusive;

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use futures_util::future::join;
use roadcall::{
    platform::error::ApiResult,
    tracking::{self, hour_of},
};
use roadcall_actors::clock::Clock;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{TestApp, roadside::PICKUP, roadside::Scene, rows::until_blocked, spawn_accepted};

/// Writes the points with these numbers, a second apart, each a little farther north, as received so many hours ago. A
/// repeated number is the same point.
async fn drive(app: &TestApp, scene: &Scene, points: RangeInclusive<i32>, hours_ago: i32) {
    let accepted_at = accepted_at(scene).await;
    let inserted = sqlx::query(
        "insert into trail_points (job_id, mechanic_profile_id, hour, seq, lat, lng, accuracy_m, heading,
            is_doubtful, recorded_at, corrected_at)
        select $1, $2, $3, n, 12.0 + n * 0.00001, 77.5, 5.3 * n, 359.9, n = 2, $4 + make_interval(secs => n),
            $4 + make_interval(secs => n)
        from generate_series($5, $6) n",
    )
    .bind(scene.job.parse::<Uuid>().unwrap())
    .bind(scene.mechanic.profile_id.parse::<Uuid>().unwrap())
    .bind(hour_of(now(accepted_at)) - hours_ago)
    .bind(accepted_at)
    .bind(points.start())
    .bind(points.end());
    inserted.execute(&app.database.db).await.expect("a trail");
}

/// Returns half past the hour of the acceptance, so that no hour ends during a test.
fn now(accepted_at: DateTime<Utc>) -> DateTime<Utc> {
    accepted_at.duration_trunc(TimeDelta::hours(1)).unwrap() + TimeDelta::minutes(30)
}

/// Packs trails so many minutes after that.
async fn pack(app: &TestApp, scene: &Scene, minutes: i64) -> ApiResult<u64> {
    let clock = Clock::virtual_from(now(accepted_at(scene).await) + TimeDelta::minutes(minutes));
    tracking::pack(&app.service.dispatch.jobs, &clock).await
}

async fn accepted_at(scene: &Scene) -> DateTime<Utc> {
    let job = scene.customer.get(&scene.path("")).await.expect(200);
    job["accepted_at"].as_str().expect("text").parse().expect("a time")
}

/// Returns the numbers of raw points and of packed trails.
async fn stored(app: &TestApp) -> (i64, i64) {
    let counts = "select (select count(*) from trail_points), (select count(*) from trails)";
    app.row(counts, &[]).await
}

fn coordinates(trail: &Value) -> &Vec<Value> {
    trail["geometry"]["coordinates"].as_array().expect("coordinates")
}

#[actix_web::test]
async fn the_trail_is_a_line_with_a_time_for_each_of_its_points() {
    let (app, mut scene) = spawn_accepted().await;
    let trail = scene.customer.get(&scene.path("/route")).await.expect(200);
    assert_eq!((&trail["type"], &trail["geometry"]), (&json!("Feature"), &Value::Null), "an empty one");
    for step in 1..=3 {
        scene.mechanic.ping((PICKUP.0 + 0.001 * f64::from(step), PICKUP.1)).await;
    }
    let answer = scene.customer.get(&scene.path("/route")).await;
    assert_eq!(answer.header("content-type"), Some("application/geo+json"));
    let trail = answer.expect(200);
    assert_eq!(trail["geometry"]["type"], "LineString");
    assert_eq!(coordinates(&trail)[0], json!([PICKUP.1, PICKUP.0 + 0.001]), "longitude first");
    let properties = &trail["properties"];
    let times = properties["times"].as_array().expect("times");
    assert_eq!((times.len(), coordinates(&trail).len()), (3, 3));
    let times: Vec<DateTime<Utc>> =
        times.iter().map(|time| time.as_str().expect("text").parse().expect("a time")).collect();
    assert!(times.is_sorted(), "{times:?}");
    assert_eq!(properties["mechanic_profile_id"], scene.mechanic.profile_id.as_str());
    assert_eq!((&properties["points_recorded"], &properties["is_thinned"]), (&json!(3), &json!(false)));
    let admin = app.admin().await;
    for person in [&*scene.mechanic.client, &*admin] {
        assert_eq!(person.get(&scene.path("/route")).await.expect(200), trail);
    }
    app.customer().await.get(&scene.path("/route")).await.refused(404, "NOT_FOUND");
    scene.serve().await;
    assert_eq!(scene.customer.get(&scene.path("/route")).await.expect(200), trail, "it stays");
}

#[actix_web::test]
async fn a_long_trail_is_thinned_evenly_and_says_so() {
    let (app, scene) = spawn_accepted().await;
    drive(&app, &scene, 1..=1_000, 0).await;
    let whole = scene.customer.get(&scene.path("/route")).await.expect(200);
    assert_eq!((coordinates(&whole).len(), &whole["properties"]["is_thinned"]), (1_000, &json!(false)));
    let (first, last) = (coordinates(&whole)[0].clone(), coordinates(&whole)[999].clone());
    let again = sqlx::query(
        "insert into trail_points (job_id, mechanic_profile_id, hour, seq, lat, lng, is_doubtful, recorded_at,
            corrected_at)
        select job_id, mechanic_profile_id, hour, seq + 100000, lat, lng, is_doubtful, recorded_at + $1, corrected_at + $1
        from trail_points where seq between 2 and 999",
    );
    let between = TimeDelta::milliseconds(500);
    again.bind(between).execute(&app.database.db).await.expect("more points");
    let thinned = scene.customer.get(&scene.path("/route")).await.expect(200);
    let shown = coordinates(&thinned);
    assert_eq!((shown.len(), &shown[0], &shown[999]), (1_000, &first, &last));
    let properties = &thinned["properties"];
    assert_eq!((&properties["points_recorded"], &properties["is_thinned"]), (&json!(1_998), &json!(true)));
    let north: Vec<f64> = shown.iter().map(|point| point[1].as_f64().expect("a number")).collect();
    let widest = north.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
    assert!(north.is_sorted() && widest < 0.000_021, "evenly: {widest}");
}

#[actix_web::test]
async fn the_trail_of_a_mechanic_who_left_the_job_is_hidden() {
    let (app, scene) = spawn_accepted().await;
    drive(&app, &scene, 1..=5, 0).await;
    assert_eq!(coordinates(&scene.customer.get(&scene.path("/route")).await.expect(200)).len(), 5);
    scene.step("release", json!({"reason_code": "vehicle_trouble"})).await;
    let trail = scene.customer.get(&scene.path("/route")).await.expect(200);
    assert_eq!(trail["geometry"], Value::Null);
    assert_eq!(trail["properties"]["mechanic_profile_id"], Value::Null);
    scene.mechanic.client.get(&scene.path("/route")).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn a_trail_is_packed_after_its_hours_and_reads_as_before() {
    let (app, scene) = spawn_accepted().await;
    drive(&app, &scene, 1..=60, 3).await;
    drive(&app, &scene, 61..=90, 2).await;
    // A phone that got no answer sent these again.
    drive(&app, &scene, 50..=60, 3).await;
    drive(&app, &scene, 91..=100, 1).await;
    drive(&app, &scene, 101..=110, 0).await;
    let read = async || {
        let route = scene.customer.get(&scene.path("/route")).await.expect(200);
        let export = scene.mechanic.client.get("/users/me/export").await.expect(200);
        (route, export["positions"].clone())
    };
    let before = read().await;
    assert_eq!(before.0["properties"]["points_recorded"], 110, "each point once");
    assert_eq!(before.1[109]["accuracy_m"], 5.3, "as the phone sent it");
    assert_eq!(pack(&app, &scene, 0).await.unwrap(), 2, "a job in each of two hours");
    assert_eq!(stored(&app).await, (20, 2), "this hour's and the last hour's wait");
    assert_eq!(read().await, before);
    assert_eq!(pack(&app, &scene, 0).await.unwrap(), 0);
    assert_eq!(stored(&app).await, (20, 2));
}

#[actix_web::test]
async fn an_interrupted_pack_is_repeated_and_no_point_is_shown_twice() {
    let (app, scene) = spawn_accepted().await;
    drive(&app, &scene, 1..=10, 2).await;
    let before = scene.customer.get(&scene.path("/route")).await.expect(200);
    let mut reader = app.database.db.begin().await.unwrap();
    sqlx::query("lock table trail_points in access share mode").execute(&mut *reader).await.unwrap();
    let emptied = async {
        until_blocked(&app.database.db).await;
        let cancel = "select pg_cancel_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like 'truncate%'";
        app.change(cancel, &[]).await;
    };
    let (packed, ()) = join(pack(&app, &scene, 0), emptied).await;
    packed.expect_err("it was cancelled");
    reader.rollback().await.unwrap();
    assert_eq!(stored(&app).await, (10, 1), "packed, and still there");
    assert_eq!(scene.customer.get(&scene.path("/route")).await.expect(200), before);
    assert_eq!(pack(&app, &scene, 0).await.unwrap(), 1);
    assert_eq!(stored(&app).await, (0, 1));
    assert_eq!(scene.customer.get(&scene.path("/route")).await.expect(200), before);
}

#[actix_web::test]
async fn a_partition_that_is_about_to_be_reused_is_no_longer_emptied() {
    let (app, scene) = spawn_accepted().await;
    // The first points are in the partition that takes the next hour, and the second in the one after that.
    drive(&app, &scene, 1..=10, 3).await;
    drive(&app, &scene, 11..=20, 2).await;
    let before = scene.customer.get(&scene.path("/route")).await.expect(200);
    assert_eq!(pack(&app, &scene, 29).await.unwrap(), 2, "at the last minute");
    assert_eq!(stored(&app).await, (10, 2));
    assert_eq!(scene.customer.get(&scene.path("/route")).await.expect(200), before);
}

#[actix_web::test]
async fn trails_are_deleted_after_their_retention_time() {
    let (app, scene) = spawn_accepted().await;
    let jobs = &app.service.dispatch.jobs;
    let days = app.service.settings.tracking.trail_retention_days;
    let kept = i32::try_from(days * 24).unwrap();
    // Both are in hours that are packed whenever this runs.
    for hours_ago in [kept - 2, kept + 2] {
        drive(&app, &scene, hours_ago..=hours_ago, hours_ago).await;
    }
    let earlier = sqlx::query(
        "insert into location_points (job_id, mechanic_profile_id, seq, lat, lng, recorded_at, corrected_at, received_at)
        select $1, $2, n, 12, 77, at, at, at
        from generate_series(1, 2) n, lateral (select $3 - make_interval(days => 28 + n, secs => 60)) as back (at)",
    )
    .bind(scene.job.parse::<Uuid>().unwrap())
    .bind(scene.mechanic.profile_id.parse::<Uuid>().unwrap())
    .bind(app.service.clock.now());
    earlier.execute(&app.database.db).await.expect("points of an earlier release");
    assert_eq!(pack(&app, &scene, 0).await.unwrap(), 1);
    tracking::sweep(jobs, TimeDelta::days(days), 1_000).await.unwrap();
    let left: i64 = app.value("select count(*) from trail", &[]).await;
    assert_eq!(left, 2);
}
