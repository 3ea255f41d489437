use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use futures_util::future::join3;
use serde_json::{Value, json};

use crate::support::{roadside::PICKUP, rows::until_blocked, spawn_accepted, spawn_app, until_so, within};

#[actix_web::test]
async fn points_from_a_phone_that_was_offline_are_stored_once() {
    let (app, scene) = spawn_accepted().await;
    let mechanic = &scene.mechanic.client;
    let body = json!({"points": [app.point(2, 12.97), app.point(1, 12.97)]});
    let receipt = mechanic.post("/mechanics/me/location", body.clone()).await.expect(200);
    assert_eq!((&receipt["accepted"], &receipt["duplicates"]), (&json!(2), &json!(0)));
    assert_eq!(receipt["last_seq"], 2, "nobody watches");
    assert_eq!(receipt["next_interval_s"], 10, "nobody watches");
    let again = mechanic.post("/mechanics/me/location", body).await.expect(200);
    assert_eq!((&again["accepted"], &again["duplicates"]), (&json!(0), &json!(2)));
    let stored: i64 = app.value("select count(*) from trail_points", &[]).await;
    assert_eq!(stored, 2, "what was acknowledged stands in the trail");
}

#[actix_web::test]
async fn a_point_of_the_far_future_or_past_is_named_and_not_stored() {
    let app = spawn_app().await;
    let mechanic = app.verified_mechanic(&*app.admin().await).await.client;
    let mut points = [app.point(1, 12.97), app.point(2, 12.97), app.point(3, 12.97)];
    points[0]["recorded_at"] = json!("2099-01-01T00:00:00Z");
    points[1]["recorded_at"] = json!("2020-01-01T00:00:00Z");
    let receipt = mechanic.post("/mechanics/me/location", json!({"points": points})).await.expect(200);
    assert_eq!(receipt["accepted"], 1, "{receipt}");
    let mut rejected = receipt["rejected"].as_array().expect("a list").clone();
    rejected.sort_by_key(|point| point["seq"].as_i64());
    let expected = json!([{"seq": 1, "reason": "recorded_in_the_future"}, {"seq": 2, "reason": "too_old"}]);
    assert_eq!(Value::Array(rejected), expected);
}

#[actix_web::test]
async fn a_phone_with_a_lagging_clock_is_soon_believed_and_so_is_its_trail() {
    let app = spawn_app().await;
    // The mechanic is available with a position, which the server stamps with its own time.
    let scene = app.accepted().await;
    let lat = PICKUP.0 + 0.003;
    let send = async |seq: i64| {
        let mut late = app.point(seq, lat);
        late["recorded_at"] = json!((app.service.clock.now() - TimeDelta::minutes(10)).to_rfc3339());
        scene.mechanic.client.post("/mechanics/me/location", json!({"points": [late]})).await.expect(200);
        scene.customer.get(&scene.path("/location")).await.expect(200)["location"].clone()
    };
    let before = app.service.clock.now();
    let mut seq = 0;
    let sent = within("the clock is believed", async {
        loop {
            seq += 1;
            let shown = send(seq).await;
            if shown["lat"] == lat {
                assert_eq!(shown["stale"], false);
                return seq;
            }
        }
    });
    assert!(sent.await >= 3);
    send(1_000).await;
    let trail = scene.customer.get(&scene.path("/route")).await.expect(200);
    let times = times_of(&trail);
    assert!(times.len() >= 2, "{trail}");
    assert!(times.iter().all(|at| *at >= before && *at <= app.service.clock.now()), "{times:?}");
}

#[actix_web::test]
async fn the_trail_of_a_phone_with_a_fast_clock_does_not_lie_in_the_future() {
    let (app, scene) = spawn_accepted().await;
    for seq in 1..=2 {
        let mut early = app.point(seq, PICKUP.0 + 0.001 * seq as f64);
        early["recorded_at"] = json!((app.service.clock.now() + TimeDelta::minutes(10)).to_rfc3339());
        let body = json!({"points": [early]});
        scene.mechanic.client.post("/mechanics/me/location", body.clone()).await.expect(200);
        let again = scene.mechanic.client.post("/mechanics/me/location", body).await.expect(200);
        assert_eq!(again["duplicates"], 1, "told by the phone's own time");
    }
    let times = times_of(&scene.customer.get(&scene.path("/route")).await.expect(200));
    assert_eq!(times.len(), 2);
    assert!(times.iter().all(|at| *at <= app.service.clock.now()), "{times:?}");
    let export = scene.mechanic.client.get("/users/me/export").await.expect(200);
    let kept = export["positions"].to_string();
    assert!(
        kept.contains(&json!(times[1].to_rfc3339_opts(SecondsFormat::Millis, true)).to_string()),
        "{export}"
    );
}

fn times_of(trail: &Value) -> Vec<DateTime<Utc>> {
    let times = trail["properties"]["times"].as_array().expect("times").iter();
    times.map(|at| at.as_str().expect("text").parse().expect("a time")).collect()
}

#[actix_web::test]
async fn old_points_sent_one_by_one_prove_neither_a_position_nor_an_arrival() {
    let (app, mut scene) = spawn_accepted().await;
    scene.step("en-route", json!({})).await;
    let far = (PICKUP.0 + 0.078, PICKUP.1);
    for _ in 0..2 {
        scene.mechanic.ping(far).await;
    }
    for seq in 0..10 {
        let mut old = app.point(100 + seq, PICKUP.0);
        let recorded_at = app.service.clock.now() - TimeDelta::seconds(600 - 3 * seq);
        old["recorded_at"] = json!(recorded_at.to_rfc3339());
        let receipt =
            scene.mechanic.client.post("/mechanics/me/location", json!({"points": [old]})).await.expect(200);
        assert_eq!(receipt["accepted"], 1, "for the trail");
    }
    let shown = scene.customer.get(&scene.path("/location")).await.expect(200);
    assert_eq!(shown["location"]["lat"], far.0, "{shown}");
    let arrive = scene.mechanic.client.post(&scene.path("/arrive"), json!({})).await;
    arrive.refused(422, "TOO_FAR_FROM_PICKUP");
}

#[actix_web::test]
async fn a_receipt_reports_exactly_the_stored_points_as_stored() {
    let (app, scene) = spawn_accepted().await;
    let pool = &app.database.db;
    let send = async |points: Value| scene.mechanic.client.post("/mechanics/me/location", points).await;
    let mut blocking = pool.begin().await.unwrap();
    sqlx::query("lock table trail_points in exclusive mode").execute(&mut *blocking).await.unwrap();
    let body = json!({"points": [app.point(900, 12.97)]});
    let cancelled = async {
        until_blocked(pool).await;
        // Both wait for their turn, the second behind the first.
        until_so("two points wait", async || app.leading().trail.waiting() >= 2).await;
        let cancel = "select pg_cancel_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into trail_points%'";
        sqlx::query(cancel).execute(pool).await.unwrap();
    };
    let second = async {
        until_blocked(pool).await;
        send(body.clone()).await
    };
    let first = async {
        let first = send(body.clone()).await;
        blocking.rollback().await.unwrap();
        first
    };
    let ((), first, second) = join3(cancelled, first, second).await;
    first.refused(503, "UNAVAILABLE");
    let second = second.expect(200);
    assert_eq!(second["accepted"], 0);
    assert_eq!(second["duplicates"], 1);
    assert_eq!(second["last_seq"], 900);
    let stored = sqlx::query_scalar::<_, i64>("select count(*) from trail_points").fetch_one(pool).await;
    assert_eq!(stored.unwrap(), 1);
}

#[actix_web::test]
async fn only_a_mechanic_sends_positions_and_bad_ones_name_their_field() {
    let app = spawn_app().await;
    let good = json!({"points": [app.point(1, 12.97)]});
    app.anonymous().post("/mechanics/me/location", good.clone()).await.refused(401, "UNAUTHORIZED");
    app.customer().await.post("/mechanics/me/location", good).await.refused(404, "NOT_FOUND");
    let mechanic = app.registered_mechanic().await.client;
    for (field, value, named) in [
        ("lat", json!(91), "points[0].lat"),
        ("lng", json!("x"), "points[0].lng"),
        ("seq", Value::Null, "points[0].seq"),
        ("heading", json!(-2), "points[0].heading"),
        ("accuracy_m", json!(100_001), "points[0].accuracy_m"),
        ("recorded_at", json!("now"), "points[0].recorded_at"),
        ("odd", json!(1), "points[0].odd"),
    ] {
        let mut spoilt = app.point(1, 12.97);
        spoilt[field] = value;
        mechanic.post("/mechanics/me/location", json!({"points": [spoilt]})).await.refused_field(named);
    }
    mechanic.post("/mechanics/me/location", json!({"points": []})).await.refused_field("points");
}

/// Browsers and phones send -1 for an unknown value.
#[actix_web::test]
async fn minus_one_means_unknown() {
    let (app, mut scene) = spawn_accepted().await;
    let unknown = |seq: i64| {
        let mut point = app.point(seq, PICKUP.0 + 0.001);
        for field in ["accuracy_m", "speed_mps", "heading"] {
            point[field] = json!(-1);
        }
        json!({"points": [point]})
    };
    let path = scene.path("/location");
    let shown = async || scene.customer.get(&path).await.expect(200)["location"].clone();
    let nothing = |location: &Value| {
        ["accuracy_m", "speed_mps", "heading"].iter().all(|field| location[*field].is_null())
    };
    scene.mechanic.client.post("/mechanics/me/location", unknown(1)).await.expect(200);
    let location = shown().await;
    assert!(nothing(&location), "{location}");
    let receipt = scene.mechanic.socket.ask("location.update", unknown(2)).await.expect("a receipt");
    assert_eq!(receipt["accepted"], 1);
    let location = shown().await;
    assert!(nothing(&location), "{location}");
}

#[actix_web::test]
async fn only_participants_see_the_position_of_a_job_while_it_is_served() {
    let (app, mut scene) = spawn_accepted().await;
    let waiting = app.breakdown().await;
    let job = waiting.call().await;
    let path = format!("/jobs/{}/location", job["id"].as_str().unwrap());
    let nothing = json!({"job_id": job["id"], "location": null, "eta": null});
    assert_eq!(waiting.client.get(&path).await.expect(200), nothing);

    scene.mechanic.ping((PICKUP.0 + 0.002, PICKUP.1)).await;
    let admin = app.admin().await;
    for reader in [&scene.customer, &scene.mechanic.client, &admin] {
        let shown = reader.get(&scene.path("/location")).await.expect(200);
        assert_eq!(shown["location"]["lat"], PICKUP.0 + 0.002, "{shown}");
        assert_eq!(shown["location"]["stale"], false);
        assert!(shown["eta"]["eta_s"].as_i64().is_some_and(|eta| eta > 0), "{shown}");
    }
    waiting.client.get(&scene.path("/location")).await.refused(404, "NOT_FOUND");
    scene.serve().await;
    let done = scene.customer.get(&scene.path("/location")).await.expect(200);
    assert_eq!((&done["location"], &done["eta"]), (&Value::Null, &Value::Null));
}

#[actix_web::test]
async fn events_are_paged_by_number_and_a_mechanic_reads_from_their_assignment_on() {
    let (app, scene) = spawn_accepted().await;
    let first = scene.customer.get(&scene.path("/events?limit=2")).await.expect(200);
    let seqs = |page: &Value| -> Vec<i64> {
        page["data"].as_array().unwrap().iter().map(|event| event["seq"].as_i64().unwrap()).collect()
    };
    assert_eq!(seqs(&first), [1, 2]);
    assert_eq!(first["last_seq"], 3);
    let rest = scene.customer.get(&scene.path("/events?since_seq=2")).await.expect(200);
    assert_eq!(seqs(&rest), [3]);
    assert_eq!(rest["data"][0]["data"]["status"], "accepted");
    let own = scene.mechanic.client.get(&scene.path("/events")).await.expect(200);
    assert_eq!(seqs(&own), [3]);
    assert_eq!(own["data"][0]["data"]["start_code"], Value::Null);
    for (query, named) in
        [("since_seq=-1", "since_seq"), ("limit=0", "limit"), ("limit=101", "limit"), ("x=1", "x")]
    {
        scene.customer.get(&scene.path(&format!("/events?{query}"))).await.refused_field(named);
    }
    app.customer().await.get(&scene.path("/events")).await.refused(404, "NOT_FOUND");
}
