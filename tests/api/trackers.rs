//! Apps that send a mechanic's positions with the screen off, with the bytes that they really send.

use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    Answer, Client, Person, TestApp,
    bodies::{FLAT_TYRE, id_of},
    spawn_accepted, spawn_app, spawn_app_with,
};

const HERE: (f64, f64) = (12.9716, 77.5946);
const TRACKERS: &str = "/mechanics/me/trackers";

/// A connected app.
struct Tracker {
    id: String,
    token: String,
    client: Client,
}

impl Tracker {
    async fn connect(app: &TestApp, mechanic: &Client, kind: &str) -> Self {
        let made =
            mechanic.post(TRACKERS, json!({"name": "Phone in the van", "app": kind})).await.expect(201);
        let token = made["token"].as_str().expect("a token").to_owned();
        Self { id: id_of(&made), token, client: app.anonymous() }
    }

    /// Sends a message as OwnTracks on Android sends it in HTTP mode; `more` changes it.
    async fn owntracks(&self, (lat, lon): (f64, f64), at: DateTime<Utc>, more: Value) -> Answer {
        let mut message = json!({
            "_type": "location", "BSSID": "02:00:00:00:00:00", "SSID": "<unknown ssid>", "acc": 12, "alt": 914, "batt": 34,
            "bs": 1, "cog": 118, "conn": "m", "created_at": at.timestamp(), "inregions": [], "lat": lat, "lon": lon, "m": 2,
            "tid": "rc", "topic": "owntracks/http/rc", "tst": at.timestamp(), "vac": 3, "vel": 36,
        });
        for (field, value) in more.as_object().into_iter().flatten() {
            message[field] = value.clone();
        }
        self.send_owntracks(&self.token, message.to_string()).await
    }

    async fn send_owntracks(&self, password: &str, body: String) -> Answer {
        let credentials = STANDARD.encode(format!("roadcall:{password}"));
        let alter = |request: reqwest::RequestBuilder| {
            request
                .header("authorization", format!("Basic {credentials}"))
                .header("content-type", "application/json; charset=utf-8")
                .header("user-agent", "Owntracks-Android/gms/420504000")
                .header("x-limit-u", "roadcall")
                .header("x-limit-d", "phone")
                .body(body)
        };
        self.client.send_as(Method::POST, "/trackers/owntracks", alter).await
    }

    /// Sends a message as Traccar Client sends it since its version 9.
    async fn traccar(&self, (lat, lng): (f64, f64), at: DateTime<Utc>) -> Answer {
        let message = json!({
            "location": {
                "timestamp": at.to_rfc3339_opts(chrono::SecondsFormat::Millis, true),
                "coords": {"latitude": lat, "longitude": lng, "accuracy": 9.4, "speed": -1, "heading": -1, "altitude": 914.2},
                "is_moving": false, "odometer": 0, "event": "heartbeat",
                "battery": {"level": 0.34, "is_charging": false}, "activity": {"type": "still"}, "extras": {},
                "_": "&id=x&lat=1&lon=2&timestamp=3&",
            },
            "device_id": self.token,
        });
        self.client.post("/trackers/osmand", message).await
    }

    /// Sends a message as Traccar Client sends it since its version 10.
    async fn form(&self, query: &str, form: &str) -> Answer {
        let alter = |request: reqwest::RequestBuilder| {
            request.header("content-type", "application/x-www-form-urlencoded").body(form.to_owned())
        };
        self.client.send_as(Method::POST, &format!("/trackers/osmand{query}"), alter).await
    }
}

async fn mechanic_who_wants_jobs(app: &TestApp) -> Person {
    let mechanic = app.verified_mechanic(&*app.admin().await).await.client;
    mechanic.put("/mechanics/me/availability", json!({"is_available": true})).await.expect(200);
    mechanic
}

async fn count_nearby(customer: &Client) -> Value {
    let (lat, lng) = HERE;
    let path = format!(
        "/mechanics/nearby?lat={lat}&lng={lng}&vehicle_type=four_wheeler&service_category_id={FLAT_TYRE}"
    );
    customer.get(&path).await.expect(200)["count"].clone()
}

#[actix_web::test]
async fn a_tracker_is_connected_shown_and_removed() {
    let app = spawn_app_with(|settings| settings.server.public_url = "https://help.example/".into()).await;
    let mechanic = mechanic_who_wants_jobs(&app).await;
    assert_eq!(mechanic.get(TRACKERS).await.expect(200), json!({"data": [], "last_position": null}));

    let own = mechanic.post(TRACKERS, json!({"name": " My phone ", "app": "owntracks"})).await.expect(201);
    assert_eq!((&own["name"], &own["app"]), (&json!("My phone"), &json!("owntracks")));
    let inline =
        own["setup_url"].as_str().unwrap().strip_prefix("owntracks:///config?inline=").expect("a link");
    let inline =
        url::form_urlencoded::parse(format!("inline={inline}").as_bytes()).next().unwrap().1.into_owned();
    let settings: Value = serde_json::from_slice(&STANDARD.decode(inline).unwrap()).unwrap();
    assert_eq!(settings["_type"], "configuration");
    assert_eq!(settings["mode"], 3, "HTTP");
    assert_eq!(settings["monitoring"], 2, "moving or not, positions come at intervals");
    assert_eq!(settings["url"], "https://help.example/api/v1/trackers/owntracks");
    assert_eq!(settings["password"], own["token"]);
    assert_eq!(settings["url"], own["endpoint"]);

    let other = mechanic.post(TRACKERS, json!({"name": "In the van", "app": "traccar"})).await.expect(201);
    let link: url::Url = other["setup_url"].as_str().unwrap().parse().unwrap();
    assert_eq!((link.scheme(), link.host_str()), ("org.traccar.client", Some("config")));
    let of =
        |name: &str| link.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    assert_eq!(of("url").as_deref(), Some("https://help.example/api/v1/trackers/osmand"));
    assert_eq!(of("id").as_deref(), other["token"].as_str());
    assert_eq!(of("stop_detection").as_deref(), Some("false"));

    let shown = mechanic.get(TRACKERS).await.expect(200);
    assert_eq!(shown["data"].as_array().unwrap().len(), 2);
    assert!(!shown.to_string().contains(own["token"].as_str().unwrap()), "a token is shown once");
    assert_eq!(shown["data"][0]["last_seen_at"], Value::Null);
    let stored: Vec<Vec<u8>> = app.values("select token_hash from trackers", &[]).await;
    assert!(stored.iter().all(|hash| hash.len() == 32));

    let stranger = app.verified_mechanic(&*app.admin().await).await.client;
    let path = format!("{TRACKERS}/{}", id_of(&own));
    stranger.delete(&path).await.refused(404, "NOT_FOUND");
    mechanic.delete(&path).await.expect(204);
    mechanic.delete(&path).await.refused(404, "NOT_FOUND");
    assert_eq!(mechanic.get(TRACKERS).await.expect(200)["data"][0]["id"], other["id"]);
}

#[actix_web::test]
async fn trackers_of_a_mechanic_are_limited_and_bad_ones_are_refused() {
    let app = spawn_app().await;
    let mechanic = mechanic_who_wants_jobs(&app).await;
    for body in [
        json!({"app": "traccar"}),
        json!({"name": "", "app": "owntracks"}),
        json!({"name": "\u{202e}x", "app": "traccar"}),
    ] {
        mechanic.post(TRACKERS, body).await.refused_field("name");
    }
    mechanic.post(TRACKERS, json!({"name": "x", "app": "gpslogger"})).await.refused_field("app");
    let one = json!({"name": "Phone", "app": "owntracks"});
    let all = futures_util::future::join_all((0..8).map(|_| mechanic.post(TRACKERS, one.clone()))).await;
    let made = all.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(made, 5, "as many as there may be, however many ask at once");
    mechanic.post(TRACKERS, one).await.refused(409, "CONFLICT");
    app.customer().await.get(TRACKERS).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn positions_of_owntracks_suffice_for_a_whole_job_while_the_page_is_hidden() {
    let app = spawn_app().await;
    // The page is open on the mechanic's phone, but hidden: no position comes from it.
    let mechanic = mechanic_who_wants_jobs(&app).await;
    let mut socket = app.socket(&mechanic).await;
    let tracker = Tracker::connect(&app, &mechanic, "owntracks").await;
    let stranded = app.breakdown_at(HERE).await;
    let now = || app.service.clock.now();

    let start = (HERE.0 + 0.0005, HERE.1);
    let answer = tracker.owntracks(start, now(), json!({})).await;
    assert_eq!((answer.status, answer.text.as_str()), (200, "[]"));
    let shown = mechanic.get(TRACKERS).await.expect(200);
    assert_eq!(shown["last_position"]["sent_by"], "tracker");
    assert_eq!(shown["last_position"]["tracker_id"], tracker.id.as_str());
    assert!(shown["data"][0]["last_seen_at"].is_string(), "{shown}");

    let job = id_of(&stranded.call().await);
    let offer = socket.expect("offer.created").await["data"].clone();
    mechanic.post(&format!("/offers/{}/accept", id_of(&offer)), json!({})).await.expect(200);
    for step in ["en-route", "navigating"] {
        mechanic.post(&format!("/jobs/{job}/{step}"), json!({})).await.expect(200);
    }
    tracker.owntracks((HERE.0 + 0.0002, HERE.1), now() + TimeDelta::seconds(1), json!({})).await.expect(200);
    let location =
        stranded.client.get(&format!("/jobs/{job}/location")).await.expect(200)["location"].clone();
    assert_eq!((location["lat"].as_f64(), location["stale"].as_bool()), (Some(HERE.0 + 0.0002), Some(false)));
    assert_eq!(location["speed_mps"], 10.0, "36 km/h");
    assert_eq!(location["heading"], 118.0);
    tracker.owntracks(HERE, now() + TimeDelta::seconds(2), json!({})).await.expect(200);
    // No reason is needed: the tracker's position proves it.
    mechanic.post(&format!("/jobs/{job}/arrive"), json!({})).await.expect(200);
    assert_eq!(app.value::<i64>("select count(*) from trail", &[]).await, 2);
}

#[actix_web::test]
async fn traccar_and_osmand_are_understood_in_all_their_forms() {
    let app = spawn_app().await;
    let mechanic = mechanic_who_wants_jobs(&app).await;
    let customer = app.customer().await;
    let tracker = Tracker::connect(&app, &mechanic, "traccar").await;
    assert_eq!(count_nearby(&customer).await, 0);
    let receipt = tracker.traccar(HERE, app.service.clock.now()).await.expect(200);
    assert_eq!((&receipt["accepted"], &receipt["fault"]), (&json!(1), &Value::Null));
    assert_eq!(count_nearby(&customer).await, 1);

    let (lat, lng) = HERE;
    let now = app.service.clock.now();
    let iso = (now + TimeDelta::seconds(3)).to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
    let (s, ms) = (now.timestamp() + 1, now.timestamp_millis() + 2_000);
    let token = &tracker.token;
    for (method, query) in [
        (
            Method::GET,
            format!("id={token}&lat={lat}&lon={lng}&timestamp={s}&speed=19.4&bearing=90&accuracy=5&batt=34"),
        ),
        (Method::POST, format!("id={token}&lat={lat}&lon={lng}&timestamp={ms}&altitude=9&hdop=1.2")),
        (Method::POST, format!("deviceid={token}&lat={lat}&lon={lng}&timestamp={iso}&charge=true")),
        (Method::GET, format!("id={token}&lat={lat}&lon={lng}")),
    ] {
        let answer = tracker.client.send(method, &format!("/trackers/osmand?{query}"), None).await;
        assert_eq!(answer.expect(200)["accepted"], 1, "{query}");
    }
}

#[actix_web::test]
async fn traccar_client_10_sends_forms() {
    let (app, scene) = spawn_accepted().await;
    let tracker = Tracker::connect(&app, &scene.mechanic.client, "traccar").await;
    let now = app.service.clock.now();
    let (lat, lon) = (HERE.0 + 0.0011, HERE.1);
    let token = &tracker.token;
    let form = format!(
        "id={token}&lat={lat}&lon={lon}&timestamp={}&accuracy=4.1&speed=3.2&bearing=90.0&batt=77",
        now.timestamp() + 5
    );
    let receipt = tracker.form("", &form).await.expect(200);
    assert_eq!(receipt, json!({"accepted": 1, "duplicates": 0, "fault": null}));
    let location = scene.customer.get(&scene.path("/location")).await.expect(200)["location"].clone();
    let speed = location["speed_mps"].as_f64().expect("a speed");
    assert!((speed - 1.646).abs() < 0.001, "3.2 knots: {location}");
    assert_eq!((&location["accuracy_m"], &location["heading"]), (&json!(4.1), &json!(90.0)));

    // A part is in the query, and both degrees are in one field.
    let at = (now + TimeDelta::seconds(6)).format("%Y-%m-%d %H:%M:%S");
    let form = format!("location={lat},{lon}&timestamp={at}");
    let receipt = tracker.form(&format!("?id={token}"), &form).await.expect(200);
    assert_eq!(receipt["accepted"], 1);
    assert_eq!(scene.mechanic.client.get(TRACKERS).await.expect(200)["data"][0]["problem"], Value::Null);

    // A stranger's body is not read at all.
    for body in ["lat=91", "{", "id=&lat=1&lon=2", "id=x&lat=1&lon=2", "\u{0}"] {
        tracker.form("", body).await.refused(401, "UNAUTHORIZED");
    }
    tracker.form("?id=x", "{").await.refused(401, "UNAUTHORIZED");
}

/// Checks that bad messages are not refused: a refused message would be sent again, before any newer one.
#[actix_web::test]
async fn unusable_messages_are_accepted_and_shown_to_the_mechanic() {
    let app = spawn_app().await;
    let mechanic = mechanic_who_wants_jobs(&app).await;
    let tracker = Tracker::connect(&app, &mechanic, "traccar").await;
    let problem = async || mechanic.get(TRACKERS).await.expect(200)["data"][0]["problem"].clone();
    let (lat, lng) = HERE;
    let token = &tracker.token;
    for (form, field) in [
        (format!("id={token}&lon={lng}"), "lat: is required"),
        (format!("id={token}&lat={lat}"), "lon: is required"),
        (format!("id={token}&lat=91&lon={lng}"), "lat: must be -90 to 90"),
        (format!("id={token}&location=here"), "location: must be a latitude and a longitude, with a comma"),
        (format!("id={token}&lat={lat}&lon={lng}&timestamp=yesterday"), "timestamp: must be seconds"),
        (format!("id={token}&lat={lat}&lon={lng}&timestamp=nan"), "timestamp: must be seconds"),
        (format!("id={token}&lat={lat}&lon={lng}&timestamp=-5"), "timestamp: must be seconds"),
        (format!("id={token}&lat={lat}&lon={lng}&accuracy=wide"), "accuracy: must be a number"),
        (format!("id={token}{}", "&a=1".repeat(70)), "query: must have at most 64 parameters"),
    ] {
        let receipt = tracker.form("", &form).await.expect(200);
        assert_eq!(receipt, json!({"accepted": 0, "duplicates": 0, "fault": "invalid"}), "{form}");
        let shown = problem().await;
        assert!(shown["detail"].as_str().is_some_and(|detail| detail.starts_with(field)), "{form}: {shown}");
        assert_eq!(tracker.client.get(&format!("/trackers/osmand?{form}")).await.expect(200), receipt);
    }
    let heartbeat = tracker.client.post("/trackers/osmand", json!({"device_id": token})).await.expect(200);
    assert_eq!(heartbeat, json!({"accepted": 0, "duplicates": 0, "fault": null}));
    let odd = json!({"device_id": token, "location": {"timestamp": 5, "coords": []}});
    assert_eq!(tracker.client.post("/trackers/osmand", odd).await.expect(200)["fault"], "invalid");
    let now = app.service.clock.now();
    let old = tracker.traccar(HERE, now - TimeDelta::hours(30)).await.expect(200);
    assert_eq!((&old["accepted"], &old["fault"]), (&json!(0), &json!("too_old")));
    assert_eq!(problem().await["detail"], "the position is 30 hours old");
    // A clock with the Buddhist calendar is 543 years ahead.
    let ahead = tracker.traccar(HERE, now + TimeDelta::days(198_328)).await.expect(200);
    assert_eq!((&ahead["accepted"], &ahead["fault"]), (&json!(0), &json!("clock_ahead")));
    let shown = problem().await;
    assert_eq!((&shown["fault"], &shown["at"].is_string()), (&json!("clock_ahead"), &true));
    assert!(shown["detail"].as_str().is_some_and(|detail| detail.contains("ahead by 198")), "{shown}");

    let export = app.sign_in(&mechanic.phone).await.get("/users/me/export").await.expect(200);
    assert_eq!(export["trackers"][0]["problem"], shown);
    let metrics = app.anonymous().get("/metrics").await.text;
    assert!(metrics.contains("roadcall_tracker_faults_total{fault=\"clock_ahead\"} "), "{metrics}");

    tracker.traccar(HERE, now).await.expect(200);
    assert_eq!(problem().await, Value::Null, "the newest could be used");
}

#[actix_web::test]
async fn positions_without_a_fix_move_nobody() {
    let app = spawn_app_with(|settings| settings.dispatch.max_speed_kmh = 180.0).await;
    let mut scene = app.accepted().await;
    scene.mechanic.ping((HERE.0 + 0.001, HERE.1)).await;
    let tracker = Tracker::connect(&app, &scene.mechanic.client, "traccar").await;
    let seen = async || scene.customer.get(&scene.path("/location")).await.expect(200);
    let before = seen().await;
    assert!(before["eta"]["eta_s"].is_u64(), "{before}");
    let (token, now) = (&tracker.token, app.service.clock.now().timestamp());
    for second in 0..3 {
        let form = format!("id={token}&lat=0.0&lon=0.0&timestamp={}&accuracy=0.0", now + second);
        let receipt = tracker.form("", &form).await.expect(200);
        assert_eq!(receipt, json!({"accepted": 0, "duplicates": 0, "fault": "no_fix"}));
    }
    // A position that leaps is believed once it has been repeated.
    let far = |second: i64| format!("id={token}&lat=13.9&lon=77.6&timestamp={}&accuracy=5", now + second);
    assert_eq!(tracker.form("", &far(4)).await.expect(200)["accepted"], 1);
    let after = seen().await;
    assert_eq!(after["eta"]["eta_s"], before["eta"]["eta_s"]);
    assert_eq!(after["location"]["lat"], before["location"]["lat"]);
    let shown = scene.customer.get(&scene.path("")).await.expect(200);
    assert_eq!((&shown["status"], &shown["concern"]), (&json!("accepted"), &Value::Null));
}

#[actix_web::test]
async fn positions_held_back_in_a_tunnel_arrive_together_and_the_newest_counts() {
    let app = spawn_app().await;
    let mechanic = mechanic_who_wants_jobs(&app).await;
    let tracker = Tracker::connect(&app, &mechanic, "owntracks").await;
    let mut socket = app.socket(&mechanic).await;
    let now = app.service.clock.now();
    let north = |step: i64| (HERE.0 + 1e-4 * step as f64, HERE.1);
    for step in 0..400 {
        let at = now - TimeDelta::seconds(15 * (399 - step));
        tracker.owntracks(north(step), at, json!({})).await.expect(200);
    }
    app.breakdown_at(north(399)).await.call().await;
    let offer = socket.expect("offer.created").await;
    assert_eq!(offer["data"]["distance_m"], 0, "{offer}");
}

#[actix_web::test]
async fn other_messages_of_owntracks_are_accepted() {
    let app = spawn_app().await;
    let mechanic = mechanic_who_wants_jobs(&app).await;
    let tracker = Tracker::connect(&app, &mechanic, "owntracks").await;
    for message in [
        r#"{"_type": "lwt", "tst": 1700000000}"#,
        r#"{"_type": "waypoint", "desc": "Home", "lat": 1.0, "lon": 2.0, "rad": 30, "tst": 1}"#,
        r#"{"_type": "transition", "event": "leave", "lat": 1.0, "lon": 2.0, "tst": 2, "wtst": 1, "acc": 3.0}"#,
        r#"{"_type": "status", "android": {"hib": 0}}"#,
        "",
    ] {
        let answer = tracker.send_owntracks(&tracker.token, message.to_owned()).await;
        assert_eq!((answer.status, answer.text.as_str()), (200, "[]"), "{message}");
    }
    assert_eq!(mechanic.get(TRACKERS).await.expect(200)["last_position"], Value::Null);
    let problem = async || mechanic.get(TRACKERS).await.expect(200)["data"][0]["problem"].clone();
    assert_eq!(problem().await, Value::Null, "these are as they should be");
    let card = format!(r#"{{"_type": "card", "name": "Asha", "face": "{}"}}"#, "A".repeat(80_000));
    for (message, fault) in [
        (r#"{"_type": "encrypted", "data": "c2VjcmV0"}"#.to_owned(), "encrypted"),
        (card, "unreadable"),
        ("{".to_owned(), "unreadable"),
    ] {
        let answer = tracker.send_owntracks(&tracker.token, message).await;
        assert_eq!((answer.status, answer.text.as_str()), (200, "[]"), "{fault}");
        assert_eq!(problem().await["fault"], fault);
    }
    let now = app.service.clock.now();
    for (spoilt, detail) in [
        (json!({"lat": 91}), "lat: must be -90 to 90"),
        (json!({"lon": null}), "lon: is required in a location"),
        (json!({"tst": "now"}), "tst: must be "),
        (json!({"tst": -5}), "tst: must be seconds since 1970"),
        (json!({"acc": "good"}), "acc: must be "),
    ] {
        let answer = tracker.owntracks(HERE, now, spoilt).await;
        assert_eq!((answer.status, answer.text.as_str()), (200, "[]"), "{detail}");
        let shown = problem().await;
        assert_eq!(shown["fault"], "invalid");
        assert!(shown["detail"].as_str().is_some_and(|text| text.starts_with(detail)), "{detail}: {shown}");
    }
    // An absurd accuracy counts as inexact.
    tracker.owntracks(HERE, now, json!({"acc": 5_000_000, "vel": -1, "cog": 400})).await.expect(200);
    assert_eq!(count_nearby(&*app.customer().await).await, 0, "too inexact to be sent anywhere");
    assert_eq!(problem().await, Value::Null, "the newest could be used");
    // A fraction of a second does no harm.
    let fraction = json!({"tst": now.timestamp_millis() as f64 / 1000.0 + 1.0});
    tracker.owntracks(HERE, now, fraction).await.expect(200);
    assert_eq!(count_nearby(&*app.customer().await).await, 1);
}

#[actix_web::test]
async fn a_trackers_token_can_only_send_positions() {
    let app = spawn_app().await;
    let mechanic = mechanic_who_wants_jobs(&app).await;
    let tracker = Tracker::connect(&app, &mechanic, "owntracks").await;
    let now = app.service.clock.now();
    let bearer = app.anonymous().with_token(&*tracker.token);
    for path in ["/users/me", "/mechanics/me", TRACKERS, "/jobs", "/wallet", "/admin/users", "/notifications"]
    {
        bearer.get(path).await.refused(403, "FORBIDDEN");
    }
    let points = json!({"points": [{"seq": 1, "lat": 1, "lng": 2, "recorded_at": now}]});
    bearer.post("/mechanics/me/location", points).await.refused(403, "FORBIDDEN");
    bearer.post("/ws/ticket", json!({})).await.refused(403, "FORBIDDEN");

    // Tokens of others do not open it.
    let (head, tail) = tracker.token.split_at(tracker.token.len() / 2);
    let forged = format!("{head}{}{}", if tail.starts_with('A') { 'B' } else { 'A' }, &tail[1..]);
    for token in ["", "x", forged.as_str(), mechanic.token().unwrap()] {
        let refused = tracker.send_owntracks(token, json!({"_type": "lwt"}).to_string()).await;
        refused.refused(401, "UNAUTHORIZED");
        let query = format!("/trackers/osmand?id={token}&lat=1&lon=2");
        tracker.client.get(&query).await.refused(401, "UNAUTHORIZED");
    }
    tracker.client.post("/trackers/osmand", json!({})).await.refused(401, "UNAUTHORIZED");

    tracker.owntracks(HERE, now, json!({})).await.expect(200);
    mechanic.delete(&format!("{TRACKERS}/{}", tracker.id)).await.expect(204);
    tracker.owntracks(HERE, now, json!({})).await.refused(401, "UNAUTHORIZED");
    bearer.get("/users/me").await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn suspended_and_former_people_are_not_tracked() {
    let app = spawn_app().await;
    let (admin, mechanic) = (app.admin().await, mechanic_who_wants_jobs(&app).await);
    let tracker = Tracker::connect(&app, &mechanic, "owntracks").await;
    let now = app.service.clock.now();
    let user = &mechanic.user_id;
    let reason = json!({"reason": "Complaints."});
    admin.post(&format!("/admin/users/{user}/suspend"), reason).await.expect(200);
    tracker.owntracks(HERE, now, json!({})).await.refused(401, "UNAUTHORIZED");
    admin.post(&format!("/admin/users/{user}/reinstate"), json!({})).await.expect(200);
    tracker.owntracks(HERE, now, json!({})).await.expect(200);

    // A stolen phone goes on sending.
    let signed_in = app.sign_in(&mechanic.phone).await;
    signed_in.post("/auth/logout", json!({"allDevices": true})).await.expect(204);
    tracker.owntracks(HERE, now, json!({})).await.refused(401, "UNAUTHORIZED");
    let signed_in = app.sign_in(&mechanic.phone).await;
    assert_eq!(signed_in.get(TRACKERS).await.expect(200)["data"], json!([]));
    let tracker = Tracker::connect(&app, &signed_in, "owntracks").await;
    tracker.owntracks(HERE, now + TimeDelta::seconds(1), json!({})).await.expect(200);
    assert_eq!(
        app.value::<i64>("select count(*) from trackers", &[]).await,
        1,
        "nobody could remove the other one"
    );

    let export = app.sign_in(&mechanic.phone).await.get("/users/me/export").await.expect(200);
    assert_eq!(export["trackers"][0]["name"], "Phone in the van");
    assert!(!export.to_string().contains(&tracker.token));
    app.sign_in(&mechanic.phone).await.delete("/users/me").await.expect(204);
    tracker.owntracks(HERE, now, json!({})).await.refused(401, "UNAUTHORIZED");
    assert_eq!(app.value::<i64>("select count(*) from trackers", &[]).await, 0);
}

#[actix_web::test]
async fn repeated_and_older_positions_change_nothing() {
    let app = spawn_app().await;
    let mechanic = mechanic_who_wants_jobs(&app).await;
    let tracker = Tracker::connect(&app, &mechanic, "traccar").await;
    let now = app.service.clock.now();
    tracker.traccar(HERE, now).await.expect(200);
    let again = tracker.traccar(HERE, now).await.expect(200);
    assert_eq!((&again["accepted"], &again["duplicates"]), (&json!(0), &json!(1)));
    let old = tracker.traccar((1.0, 2.0), now - TimeDelta::minutes(20)).await.expect(200);
    assert_eq!(old["accepted"], 1, "kept, and not current");
    assert_eq!(count_nearby(&*app.customer().await).await, 1);
}

#[actix_web::test]
async fn a_tracker_that_sends_too_often_has_to_wait_without_affecting_others() {
    let app = spawn_app_with(|settings| settings.limits.per_user_per_minute = 5).await;
    let mechanic = mechanic_who_wants_jobs(&app).await;
    let tracker = Tracker::connect(&app, &mechanic, "owntracks").await;
    let other = mechanic_who_wants_jobs(&app).await;
    let other = Tracker::connect(&app, &other, "owntracks").await;
    app.service.clock.stop();
    let now = app.service.clock.now();
    for second in 0..5 {
        tracker.owntracks(HERE, now + TimeDelta::seconds(second), json!({})).await.expect(200);
    }
    tracker.owntracks(HERE, now + TimeDelta::seconds(9), json!({})).await.put_off(429, "RATE_LIMITED");
    other.owntracks(HERE, now, json!({})).await.expect(200);
    mechanic.get(TRACKERS).await.expect(200);
}

#[actix_web::test]
async fn a_restart_keeps_trackers_and_what_they_have_sent() {
    let mut app = spawn_app().await;
    let mechanic = mechanic_who_wants_jobs(&app).await;
    let mut tracker = Tracker::connect(&app, &mechanic, "owntracks").await;
    tracker.owntracks(HERE, app.service.clock.now(), json!({})).await.expect(200);
    let seen = |shown: &Value| shown["data"][0]["last_seen_at"].clone();
    let before = seen(&mechanic.get(TRACKERS).await.expect(200));
    app.restart().await;
    let mechanic = app.anonymous().with_token(mechanic.token().expect("signed in"));
    tracker.client = app.anonymous();
    assert_eq!(seen(&mechanic.get(TRACKERS).await.expect(200)), before);
    let later = app.service.clock.now() + TimeDelta::seconds(1);
    tracker.owntracks((HERE.0 + 0.0002, HERE.1), later, json!({})).await.expect(200);
    let customer = app.customer().await;
    assert_eq!(count_nearby(&customer).await, 1);
    mechanic.delete(&format!("{TRACKERS}/{}", tracker.id)).await.expect(204);
    assert_eq!(tracker.owntracks(HERE, later, json!({})).await.status, 401);
}
