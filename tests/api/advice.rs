//! Advice to mechanics without a job on where to wait.

use chrono::TimeDelta;
use roadcall_actors::{
    geo::Point,
    ids::UserId,
    ports::{Advice, Announcement, Surroundings},
};
use serde_json::{Value, json};

use crate::support::{bodies::id_of, roadside::PICKUP, rows, spawn_app_with, spawn_with_admin, within};

const ADVICE: &str = "/mechanics/me/advice";
/// A place about 4 km from the pickup of all jobs.
const AWAY: (f64, f64) = (PICKUP.0 + 0.036, PICKUP.1);

#[actix_web::test]
async fn a_mechanic_away_from_the_calls_is_advised_to_wait_near_them() {
    // The test asks again and again until there is advice.
    let mut app = spawn_app_with(|settings| settings.limits.per_user_per_minute = 1_000_000).await;
    let admin = app.admin().await;
    let stranded = app.breakdown().await;
    let job = id_of(&stranded.call().await);
    // Only a job whose dispatch has begun counts as a call.
    within("its dispatch", async {
        while stranded.job(&job).await["status"] != "dispatching" {
            tokio::task::yield_now().await;
        }
    })
    .await;
    stranded.cancel(&job).await;
    let mechanic = app.on_road_at(&admin, AWAY).await;
    assert_eq!(mechanic.client.get(ADVICE).await.expect(200), json!({"advice": null}));
    for _ in 0..10 {
        rows::copy_job(&app.database.db, job.parse().unwrap(), app.service.random.id(app.now())).await;
    }
    // The first prices, and the first advice, come seconds after a start, from earlier jobs.
    app.restart_with(|settings| settings.dispatch.advice_after_s = 1).await;
    let mechanic = mechanic.client.at(app.address);
    let wish = json!({"is_available": true, "lat": AWAY.0, "lng": AWAY.1});
    mechanic.put("/mechanics/me/availability", wish).await.expect(200);
    let advice = within("advice", async {
        loop {
            let answer = mechanic.get(ADVICE).await.expect(200);
            if answer["advice"] != Value::Null {
                return answer["advice"].clone();
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    let number = |value: &Value| value.as_f64().unwrap();
    let centre = Point::new(number(&advice["lat"]), number(&advice["lng"]));
    assert!(centre.distance_m(Point::new(PICKUP.0, PICKUP.1)) < 2_000.0, "{advice}");
    assert_eq!(advice["reason"], "more_calls");
    assert!(number(&advice["there"]["calls_per_hour"]) > 1.0, "{advice}");
    assert_eq!(advice["there"]["free_mechanics"], 0);
    assert!(advice["why"].as_str().unwrap().contains("no other mechanic waiting"), "{advice}");
    assert!(number(&advice["drive_s"]) % 60.0 == 0.0, "{advice}");

    // They go there, wait, and go home.
    let admin = admin.at(app.address);
    let figures = async || admin.get("/admin/dispatch/prices").await.expect(200)["advice"].clone();
    let given = json!({"given": 1, "followed": 0, "stayed": 0, "cut_short": 0, "followed_percent": null});
    assert_eq!(figures().await, given);
    let there = json!({"is_available": true, "lat": advice["lat"], "lng": advice["lng"]});
    mechanic.put("/mechanics/me/availability", there).await.expect(200);
    assert_eq!(figures().await, given, "it still holds");
    mechanic.put("/mechanics/me/availability", json!({"is_available": false})).await.expect(200);
    assert_eq!(mechanic.get(ADVICE).await.expect(200), json!({"advice": null}), "they want no jobs");
    within("it is known that they followed it", async {
        while figures().await["followed"] != 1 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(figures().await["followed_percent"], 100);
}

#[actix_web::test]
async fn advice_reaches_only_the_mechanics_socket() {
    let (app, admin) = spawn_with_admin().await;
    let mut one = app.on_road(&admin).await;
    let mut other = app.on_road(&admin).await;
    let me = one.client.get("/users/me").await.expect(200);
    let around = |calls_per_hour, mechanics| Surroundings { calls_per_hour, mechanics };
    let advice = Advice {
        centre: Point::new(AWAY.0, AWAY.1),
        radius_m: 1_500.0,
        drive_s: 500,
        here: around(0.2, 3),
        there: around(7.26, 1),
        until: app.now() + TimeDelta::minutes(10),
    };
    let user = UserId(me["id"].as_str().unwrap().parse().unwrap());
    app.service.ws.hub.announce(Announcement::WaitAdvised { mechanic: user, advice });
    let frame = one.socket.expect("advice.wait").await;
    let data = &frame["data"];
    assert_eq!((&data["drive_s"], &data["there"]["calls_per_hour"]), (&json!(540), &json!(7.3)), "{frame}");
    assert_eq!(data["here"], json!({"calls_per_hour": 0.2, "free_mechanics": 3}));
    assert_eq!(frame["job_id"], Value::Null);
    other.socket.settle().await;
    assert!(other.socket.came("advice.wait").is_empty());
}
