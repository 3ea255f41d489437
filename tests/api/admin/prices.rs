//! The price of an hour of mechanics' time, now and over the day.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Timelike, Utc};
use serde_json::{Value, json};

use super::dispatch_settings::{change, read};
use crate::support::{
    AssertFields, Client, TestApp,
    bodies::{FLAT_TYRE, id_of, without},
    roadside::PICKUP,
    rows, spawn_admin_with, spawn_app, spawn_with_admin,
};
use roadcall::catalogue::dispatch_settings::switchback::{has_prices, hour_of, start_of};

const PRICES: &str = "/admin/dispatch/prices";
const ROSTER: &str = "/admin/dispatch/roster";

/// Waits for the first prices and returns them.
async fn first_prices(admin: &Client) -> Value {
    // They are computed some seconds after the start and then once a minute. On a slow machine the first time is over before
    // anybody is online. Nothing signals new prices, and a loop without a pause would be rate limited.
    let first = async {
        loop {
            let prices = admin.get(PRICES).await.expect(200);
            if prices["towns"] != json!([]) {
                return prices;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(240), first).await.expect("the first prices")
}

/// Inserts the sample of one class at `price`, as if somebody had been online.
async fn insert_sample(app: &TestApp, at: DateTime<Utc>, price: f64) {
    let insert = "insert into price_samples (at, number, near_lat, near_lng, categories, vehicle_types, mechanics, free,
            calls_per_hour, load, price, one_more)
        values ($1, 0, 12.9, 77.5, array[$2::uuid], array['two_wheeler'], 2, 1, 3, 1.85, $3, $3 / 2)";
    let insert = sqlx::query(insert).bind(at).bind(FLAT_TYRE.parse::<uuid::Uuid>().unwrap()).bind(price);
    insert.execute(&app.database.db).await.expect("a sample");
}

async fn samples(app: &TestApp) -> i64 {
    app.sql_value("select count(*) from price_samples").await
}

#[actix_web::test]
async fn current_prices_are_shown_by_town_and_class_and_recorded() {
    let (app, admin) = spawn_with_admin().await;
    let online = [app.on_road(&admin).await, app.on_road(&admin).await];
    let prices = first_prices(&admin).await;
    assert_eq!(prices["is_on"], true);
    let town = &prices["towns"][0];
    assert!((town["lat"].as_f64().unwrap() - PICKUP.0).abs() < 0.2, "{town}");
    let class = &town["classes"][0];
    // Mechanics who came online after the first prices are counted a minute later.
    let mechanics = class["mechanics"].as_i64().unwrap();
    assert!((1..=2).contains(&mechanics), "{class}");
    assert_eq!(class["free"], mechanics);
    assert!(class["service_category_ids"].as_array().unwrap().contains(&json!(FLAT_TYRE)), "{class}");
    assert!(class["label"].as_str().unwrap().len() > 5, "{class}");

    assert_eq!(roadcall::dispatch::sample_prices(&app.service.dispatch).await.expect("a look"), 1);
    let roster = admin.get(ROSTER).await.expect(200);
    assert_eq!((&roster["looks"], &roster["classes"][0]["hours"][0]["samples"]), (&json!(1), &json!(1)));
    assert_eq!(roster["classes"][0]["service_category_ids"], class["service_category_ids"]);
    drop(online);

    let metrics = app.anonymous().get("/metrics").await.text;
    assert!(metrics.contains("roadcall_mechanic_price{rank=\"8\"} 0"), "{metrics}");
}

#[actix_web::test]
async fn without_prices_nothing_is_recorded() {
    let (app, admin) = spawn_with_admin().await;
    let _online = app.on_road(&admin).await;
    first_prices(&admin).await;
    change(&admin, "mechanic_prices", json!(false)).await.expect(200);
    assert_eq!(admin.get(PRICES).await.expect(200)["is_on"], false);
    assert_eq!(roadcall::dispatch::sample_prices(&app.service.dispatch).await.expect("no look"), 0);
    assert_eq!(samples(&app).await, 0);
}

#[actix_web::test]
async fn the_roster_has_the_dearest_hours_first_and_each_hour_in_local_time() {
    let (app, admin) = spawn_with_admin().await;
    let zone = &app.service.settings.operator.time_zone;
    let now = app.service.clock.now();
    // These are the whole hour before this one, and the one six hours earlier.
    let late = now - TimeDelta::hours(1);
    let early = now - TimeDelta::hours(7);
    insert_sample(&app, late, 1.0).await;
    insert_sample(&app, late - TimeDelta::days(1), 2.0).await;
    insert_sample(&app, early, 0.5).await;
    insert_sample(&app, now - TimeDelta::days(20), 80.0).await;
    let hour = |at: DateTime<Utc>| i64::from(zone.local(at).hour());

    let roster = admin.get(&format!("{ROSTER}?days=7")).await.expect(200);
    assert_eq!((&roster["looks"], &roster["time_zone"]), (&json!(3), &json!("Asia/Kolkata")));
    let class = &roster["classes"][0];
    assert_eq!(class["label"], "Flat tyre (two-wheelers)");
    let hours = class["hours"].as_array().unwrap();
    let late_hour = hours.iter().find(|shown| shown["hour"] == hour(late)).expect("the hour");
    late_hour.assert_fields(json!({"samples": 2, "mechanics": 2.0, "jobs_lost_per_hour": 1.5,
        "one_more_saves_per_hour": 0.75, "calls_per_hour": 3.0}));
    assert_eq!(roster["dearest"].as_array().unwrap().len(), 2);
    roster.assert_fields(json!({"dearest/0/hour": hour(late), "dearest/1/hour": hour(early)}));
    assert!(hours.is_sorted_by_key(|shown| shown["hour"].as_i64().unwrap()), "{hours:?}");

    let picture = admin.get(&format!("{ROSTER}/picture?days=7")).await;
    assert_eq!(picture.header("content-type"), Some("image/svg+xml"));
    for part in ["Flat tyre (two-wheelers)", "0.75 jobs an hour"] {
        assert!(picture.text.contains(part), "{}", picture.text);
    }
    admin.get(&format!("{ROSTER}/picture?days=0")).await.refused_field("days");

    let all = admin.get(ROSTER).await.expect(200);
    assert_eq!((&all["looks"], &all["dearest"][0]["hour"]), (&json!(4), &json!(hour(now))));
}

#[actix_web::test]
async fn old_samples_are_swept() {
    let app = spawn_app().await;
    let now = app.service.clock.now();
    for days in [29, 31, 40] {
        insert_sample(&app, now - TimeDelta::days(days), 1.0).await;
    }
    assert_eq!(roadcall::dispatch::sweep_prices(&app.service.dispatch, 1).await.expect("swept"), 1);
    assert_eq!(roadcall::dispatch::sweep_prices(&app.service.dispatch, 100).await.expect("swept"), 1);
    assert_eq!(samples(&app).await, 1);
}

#[actix_web::test]
async fn only_admins_see_rosters_and_bad_periods_are_refused() {
    let (app, admin) = spawn_with_admin().await;
    for query in "days=0 days=-1 days=93 days=9999 days=many days= days=1.5 day=3 days=1&days=2".split(' ') {
        admin.get(&format!("{ROSTER}?{query}")).await.refused(422, "VALIDATION_FAILED");
    }
    admin.get(&format!("{ROSTER}?days=92")).await.expect(200);
    for path in [PRICES, ROSTER] {
        app.customer().await.get(path).await.refused(403, "FORBIDDEN");
    }
}

#[actix_web::test]
async fn hours_with_and_without_prices_are_compared() {
    let (app, admin) = spawn_admin_with(|settings| settings.dispatch.price_switchback = true).await;
    let report = async || admin.get("/admin/dispatch/switchback?days=7").await.expect(200);
    let empty = report().await;
    empty.assert_fields(json!({"is_on": true, "in_time": null, "with_prices/calls": 0}));
    let stranded = app.breakdown().await;
    let like: uuid::Uuid = id_of(&stranded.call().await).parse().unwrap();
    stranded.cancel(&like.to_string()).await;
    // Each hour of two days has a call that was served in time, and each hour without prices has a second one that was served
    // too late. Calls of the first minutes do not count.
    let last = (hour_of(app.now()) - 5) | 1;
    for hour in last - 47..=last {
        call(&app, like, start_of(hour) + TimeDelta::minutes(5), None).await;
        call(&app, like, start_of(hour) + TimeDelta::minutes(20), Some(10)).await;
        if !has_prices(hour) {
            call(&app, like, start_of(hour) + TimeDelta::minutes(30), Some(60)).await;
        }
    }
    let seen = report().await;
    seen.assert_fields(json!({"with_prices/calls": 24, "without_prices/calls": 48,
        "with_prices/in_time_percent": 100.0, "without_prices/in_time_percent": 50.0,
        "in_time": {"points": 50.0, "from": 50.0, "to": 50.0}}));
    assert_eq!(seen["served"]["points"], 0.0);
    admin.get("/admin/dispatch/switchback?days=93").await.refused_field("days");
    stranded.client.get("/admin/dispatch/switchback").await.refused(403, "FORBIDDEN");
}

/// Inserts a copy of a job that was called for at `at` and whose mechanic came so many minutes later.
async fn call(app: &TestApp, like: uuid::Uuid, at: DateTime<Utc>, arrived_after_min: Option<i64>) {
    let id = app.service.random.id(app.now());
    rows::copy_job(&app.database.db, like, id).await;
    let arrived_at = arrived_after_min.map(|minutes| at + TimeDelta::minutes(minutes));
    let change = sqlx::query(
        "with facts as (update job_facts set begin_at = $2 where id = $1)
        update job_states set arrived_at = $3 where id = $1",
    );
    change.bind(id).bind(at).bind(arrived_at).execute(&app.database.db).await.expect("a call");
}

#[actix_web::test]
async fn prices_count_in_the_hours_that_have_them() {
    let (app, admin) = spawn_with_admin().await;
    assert_eq!(read(&admin).await["settings"]["price_switchback"], false);
    let now = change(&admin, "price_switchback", json!(true)).await.expect(200);
    assert_eq!(now["settings"]["price_switchback"], true);
    let current = app.service.dispatch.dispatch.current();
    // One hour of each pair has prices.
    let first = hour_of(app.now()) / 2 * 2;
    let hours = first..first + 48;
    let applies = hours.map(|hour| {
        let pricing = current.tuning(start_of(hour)).matching.pricing.expect("prices are worked out");
        let applies = pricing.applies;
        assert_eq!(applies, has_prices(hour));
        applies
    });
    assert_eq!(applies.filter(|applies| *applies).count(), 24);
    // A client that does not know the setting leaves it out.
    let settings = without(&now["settings"], "price_switchback");
    let body = json!({"version": now["version"], "settings": settings});
    let changed = admin.put("/admin/config/dispatch", body).await.expect(200);
    assert_eq!(changed["settings"]["price_switchback"], false);
}
