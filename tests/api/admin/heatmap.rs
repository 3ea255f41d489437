use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{
    Client, TestApp, bodies,
    rows::{copy_job, insert_job},
    spawn_app, spawn_app_with,
};

const BOX: &str = "bbox=77.5,12.9,77.7,13.1";
const MARCH: &str = "from=2026-03-10&to=2026-03-10";

async fn vehicle(app: &TestApp) -> Value {
    app.customer().await.post("/vehicles", bodies::vehicle("KA01AB1234")).await.expect(201)
}

/// Inserts a job whose search began at a time, with its end: minutes to the arrival, or a status without a mechanic.
async fn happened(
    app: &TestApp,
    vehicle: &Value,
    place: (f64, f64),
    began: &str,
    end: Result<i32, &str>,
) -> Uuid {
    let status = end.map_or_else(|status| status, |_| "paid");
    let mut db = app.database.db.acquire().await.unwrap();
    let id = insert_job(&mut db, vehicle, status).await;
    let update = "with facts as (
            update job_facts set created_at = $2, begin_at = $2, pickup_lat = $3, pickup_lng = $4 where id = $1)
        update job_states set attempt = 1, created_at = $2,
        accepted_at = $2 + make_interval(mins => $5), arrived_at = $2 + make_interval(mins => $5) where id = $1";
    let update = sqlx::query(update).bind(id).bind(began.parse::<DateTime<Utc>>().unwrap());
    let update = update.bind(place.0).bind(place.1).bind(end.ok());
    update.execute(&mut *db).await.unwrap();
    id
}

async fn heat(admin: &Client, query: &str) -> Value {
    admin.get(&format!("/admin/heatmap?{query}")).await.expect(200)
}

#[actix_web::test]
async fn cells_show_demand_and_how_soon_help_came() {
    let app = spawn_app().await;
    let (admin, vehicle) = (app.admin().await, vehicle(&app).await);
    let (here, there) = ((12.9716, 77.5946), (13.05, 77.65));
    // These are 09:00 and 20:00 in India, and the first minute of the next day there.
    let (morning, evening, tomorrow) =
        ("2026-03-10T03:30:00Z", "2026-03-10T14:30:00Z", "2026-03-10T18:30:00Z");
    for (place, began, end) in [
        (here, morning, Ok(10)),
        (here, morning, Ok(25)),
        (here, evening, Ok(40)),
        (here, evening, Err("no_mechanic_found")),
        (here, tomorrow, Ok(90)),
        (there, morning, Err("cancelled")),
        ((20.0, 77.6), morning, Ok(5)),
    ] {
        happened(&app, &vehicle, place, began, end).await;
    }
    let day = heat(&admin, &format!("{BOX}&{MARCH}")).await;
    assert_eq!((&day["jobs"], &day["resolution"], &day["hour"]), (&json!(5), &json!(8), &Value::Null));
    assert_eq!((&day["time_zone"], &day["to"]), (&json!("Asia/Kolkata"), &json!("2026-03-10")));
    let cells = day["cells"].as_array().unwrap();
    let cell = |jobs: i32| cells.iter().find(|cell| cell["jobs"] == jobs).unwrap();
    let (busy, quiet) = (cell(4), cell(1));
    assert_eq!((&busy["arrived"], &busy["median_minutes_to_arrival"]), (&json!(3), &json!(25.0)));
    assert_eq!((&busy["unserved_share"], &quiet["unserved_share"]), (&json!(0.25), &json!(1.0)));
    assert_eq!(quiet["median_minutes_to_arrival"], Value::Null);
    // This was checked against another implementation of H3.
    assert_eq!(busy["cell"], "8860145b49fffff");

    let at_nine = heat(&admin, &format!("{BOX}&{MARCH}&hour=9")).await;
    assert_eq!((&at_nine["jobs"], &at_nine["hour"]), (&json!(3), &json!(9)));
    assert_eq!(heat(&admin, &format!("{BOX}&{MARCH}&hour=8")).await["cells"], json!([]));
    let coarse = heat(&admin, &format!("{BOX}&{MARCH}&resolution=4")).await;
    assert_eq!((coarse["cells"].as_array().unwrap().len(), &coarse["resolution"]), (1, &json!(4)));
    let across = heat(&admin, &format!("bbox=170,-10,77.7,13.1&{MARCH}")).await;
    assert_eq!(across["jobs"], 5);
}

#[actix_web::test]
async fn a_skipped_hour_has_no_jobs_and_a_repeated_hour_has_those_of_both() {
    let mut app =
        spawn_app_with(|settings| settings.operator.time_zone = "Europe/Berlin".parse().unwrap()).await;
    let (admin, vehicle) = (app.admin().await, vehicle(&app).await);
    for began in [
        "2026-03-29T00:59:59Z",
        "2026-03-29T01:00:00Z",
        "2026-10-25T00:10:00Z",
        "2026-10-25T01:10:00Z",
        "2026-10-25T02:10:00Z",
    ] {
        happened(&app, &vehicle, (12.9716, 77.5946), began, Ok(10)).await;
    }
    for (day, jobs) in [("2026-03-29", [0, 1, 0, 1]), ("2026-10-25", [0, 0, 2, 1])] {
        for (hour, expected) in jobs.into_iter().enumerate() {
            let map = heat(&admin, &format!("{BOX}&from={day}&to={day}&hour={hour}")).await;
            assert_eq!(map["jobs"], expected, "{day} {hour}");
        }
    }
    // The two jobs are at 06:44:59 and 06:45 there.
    app.restart_with(|settings| settings.operator.time_zone = "Asia/Kathmandu".parse().unwrap()).await;
    let map = heat(&*app.admin().await, &format!("{BOX}&from=2026-03-29&to=2026-03-29&hour=6")).await;
    assert_eq!((&map["jobs"], &map["time_zone"]), (&json!(2), &json!("Asia/Kathmandu")));
}

#[actix_web::test]
async fn bad_or_too_large_queries_of_the_map_name_their_field() {
    let app = spawn_app().await;
    let (admin, vehicle) = (app.admin().await, vehicle(&app).await);
    for (query, field) in [
        ("", "bbox"),
        ("bbox=1,2,3", "bbox"),
        ("bbox=77,13,78,12", "bbox"),
        (&format!("{BOX}&hour=24"), "hour"),
        (&format!("{BOX}&hour=-1"), "hour"),
        (&format!("{BOX}&resolution=2"), "resolution"),
        (&format!("{BOX}&resolution=11"), "resolution"),
        (&format!("{BOX}&from=2026-01-01&to=2026-04-03"), "from"),
        (&format!("{BOX}&from=2026-01-02&to=2026-01-01"), "to"),
        (&format!("{BOX}&q=x"), "q"),
    ] {
        admin.get(&format!("/admin/heatmap?{query}")).await.refused_field(field);
    }
    let first = happened(&app, &vehicle, (8.0, 77.0), "2026-03-10T06:00:00Z", Err("cancelled")).await;
    let (id, db) = (Uuid::from_u128(1), &app.database.db);
    copy_job(db, first, id).await;
    // There is one job in each of 2,001 cells.
    let spread = "with place as (
            select gen_random_uuid() as id, 8 + (n / 50) * 0.1 as lat, 70 + (n % 50) * 0.1 as lng
            from generate_series(0, 1999) n
        ), facts as (
            insert into job_facts
            select (jsonb_populate_record(f, jsonb_build_object('id', place.id, 'pickup_lat', lat, 'pickup_lng', lng))).*
            from job_facts f, place where f.id = $1
        )
        insert into job_states
        select (jsonb_populate_record(s, jsonb_build_object('id', place.id))).* from job_states s, place where s.id = $1";
    let mut tx = db.begin().await.unwrap();
    // Each row is made with its words for the search, which takes a slow machine longer than any statement of the service.
    sqlx::query("set local statement_timeout = 0").execute(&mut *tx).await.unwrap();
    sqlx::query(spread).bind(id).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let wide = format!("bbox=60,0,80,20&{MARCH}");
    let refused = admin.get(&format!("/admin/heatmap?{wide}")).await.refused_field("resolution");
    let why = &refused["error"]["errors"]["resolution"][0];
    assert!(why.as_str().unwrap().contains("2000 cells"), "{refused}");
    assert_eq!(heat(&admin, &format!("{wide}&resolution=4")).await["jobs"], 2002);
}
