//! The trail of a job's mechanic, as GeoJSON.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{TestApp, roadside::PICKUP, roadside::Scene, spawn_app};

/// Writes this many points, a second apart, each a little farther north.
async fn drive(app: &TestApp, scene: &Scene, points: i32) {
    let inserted = sqlx::query(
        "insert into location_points (job_id, mechanic_profile_id, seq, lat, lng, recorded_at, corrected_at,
            received_at)
        select $1, $2, n, 12.0 + n * 0.00001, 77.5, $3 + make_interval(secs => n), $3 + make_interval(secs => n), $3
        from generate_series(1, $4) n",
    )
    .bind(scene.job.parse::<Uuid>().unwrap())
    .bind(scene.mechanic.profile_id.parse::<Uuid>().unwrap())
    .bind(app.service.clock.now())
    .bind(points);
    inserted.execute(&app.database.db).await.expect("a trail");
}

fn coordinates(trail: &Value) -> &Vec<Value> {
    trail["geometry"]["coordinates"].as_array().expect("coordinates")
}

#[actix_web::test]
async fn the_trail_is_a_line_with_a_time_for_each_of_its_points() {
    let app = spawn_app().await;
    let mut scene = app.accepted().await;
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
    let app = spawn_app().await;
    let scene = app.accepted().await;
    drive(&app, &scene, 1_000).await;
    let whole = scene.customer.get(&scene.path("/route")).await.expect(200);
    assert_eq!((coordinates(&whole).len(), &whole["properties"]["is_thinned"]), (1_000, &json!(false)));
    let (first, last) = (coordinates(&whole)[0].clone(), coordinates(&whole)[999].clone());
    let again = sqlx::query(
        "insert into location_points (job_id, mechanic_profile_id, seq, lat, lng, recorded_at, corrected_at,
            received_at)
        select job_id, mechanic_profile_id, seq + 100000, lat, lng, recorded_at + $1, corrected_at + $1, received_at
        from location_points where seq between 2 and 999",
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
async fn nobody_is_shown_the_trail_of_a_mechanic_that_is_off_the_job() {
    let app = spawn_app().await;
    let scene = app.accepted().await;
    drive(&app, &scene, 5).await;
    assert_eq!(coordinates(&scene.customer.get(&scene.path("/route")).await.expect(200)).len(), 5);
    scene.step("release", json!({"reason_code": "vehicle_trouble"})).await;
    let trail = scene.customer.get(&scene.path("/route")).await.expect(200);
    assert_eq!(
        (&trail["geometry"], &trail["properties"]["mechanic_profile_id"]),
        (&Value::Null, &Value::Null)
    );
    scene.mechanic.client.get(&scene.path("/route")).await.refused(404, "NOT_FOUND");
}
