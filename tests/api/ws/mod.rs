//! The socket, over real connections.

mod behind;
mod budget;
mod leaving_http;
mod openings;
mod own;
mod turns;

use std::time::Duration;

use chrono::TimeDelta;
use roadcall::{app::StartOptions, service::settings::Settings};
use roadcall_actors::clock::Clock;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};
use tokio_tungstenite::tungstenite::{Bytes, Message};

use crate::support::{
    Client, TestApp,
    bodies::id_of,
    new_phone,
    roadside::PICKUP,
    socket::{Socket, try_connect},
    spawn_accepted, spawn_app, spawn_app_as, spawn_app_with, spawn_with_admin, spawn_with_breakdown,
    spawn_with_customer, spawn_with_mechanic, within,
};

async fn ticket(person: &Client) -> String {
    let made = person.post("/ws/ticket", json!({})).await.expect(200);
    made["ticket"].as_str().expect("a ticket").to_owned()
}

#[actix_web::test]
async fn an_upgrade_needs_a_good_credential() {
    let (app, customer) = spawn_with_customer().await;
    let spent = ticket(&customer).await;
    try_connect(app.address, &format!("/ws?ticket={spent}"), &[]).await.expect("a socket");
    let spent = format!("/ws?ticket={spent}");
    let expired = ticket(&customer).await;
    app.change("update ws_tickets set expires_at = '2020-01-01Z'", &[]).await;
    let expired = format!("/ws?ticket={expired}");
    let cases: [(&str, &[(&'static str, &str)]); 6] = [
        ("/ws", &[]),
        ("/ws", &[("authorization", "Bearer nonsense")]),
        ("/ws", &[("authorization", "Basic YTpi")]),
        ("/ws?ticket=nonsense", &[]),
        (&spent, &[]),
        (&expired, &[]),
    ];
    for (path, headers) in cases {
        let (status, code) = try_connect(app.address, path, headers).await.expect_err(path);
        assert_eq!((status, code.as_str()), (401, "UNAUTHORIZED"), "{path}");
    }
}

#[actix_web::test]
async fn a_foreign_page_is_refused_and_the_services_own_page_is_not() {
    let app =
        spawn_app_with(|settings| settings.ws.allowed_origins = vec!["https://app.example".into()]).await;
    let customer = app.customer().await;
    let bearer = format!("Bearer {}", customer.token().expect("signed in"));
    let own = format!("http://{}", app.address);
    for (origin, status) in [
        ("https://evil.example", Some(403)),
        ("null", Some(403)),
        (own.as_str(), None),
        ("https://app.example", None),
    ] {
        let headers = [("authorization", bearer.as_str()), ("origin", origin)];
        let refused = try_connect(app.address, "/ws", &headers).await.err().map(|(status, _)| status);
        assert_eq!(refused, status, "{origin}");
    }
}

#[actix_web::test]
async fn a_plain_request_is_not_a_handshake() {
    let app = spawn_app().await;
    app.anonymous().get("/ws").await.refused(401, "UNAUTHORIZED");
    app.customer().await.get("/ws").await.refused_field("upgrade");
}

#[actix_web::test]
async fn sockets_are_limited_per_user_and_in_total() {
    let app = spawn_app_with(|settings| {
        settings.ws.sockets_per_user = 2;
        settings.ws.sockets_total = 3;
    })
    .await;
    let (one, other) = (app.customer().await, app.customer().await);
    let (_first, mut second) = (app.socket(&one).await, app.socket(&one).await);
    let refused = |person: &Client| {
        let bearer = format!("Bearer {}", person.token().expect("signed in"));
        async move { try_connect(app.address, "/ws", &[("authorization", &bearer)]).await.err() }
    };
    assert_eq!(refused(&one).await, Some((429, "RATE_LIMITED".to_owned())));
    let _third = app.socket(&other).await;
    assert_eq!(refused(&other).await, Some((503, "UNAVAILABLE".to_owned())));
    second.send_raw(Message::Close(None)).await;
    second.closed().await;
    within("the seat is free again", async { while refused(&one).await.is_some() {} }).await;
}

#[actix_web::test]
async fn the_first_frame_is_hello() {
    let app = spawn_app().await;
    let mut socket = app.fresh_socket(&*app.customer().await).await;
    let hello = socket.find("a frame", |_| true).await;
    assert_eq!(hello["type"], "hello");
    let data = &hello["data"];
    assert_eq!((&data["heartbeat_s"], &data["location_interval_s"]), (&json!(25), &json!(15)));
    assert!(data["session_id"].is_string() && data["server_time"].is_string(), "{hello}");
}

#[actix_web::test]
async fn a_bad_frame_names_its_field_and_the_socket_stays_open() {
    let app = spawn_app().await;
    let mut socket = app.socket(&*app.customer().await).await;
    for (text, field) in [
        ("", "body"),
        ("{", "body"),
        ("[1]", "body"),
        (r#"{"type":"chat.shout","data":{}}"#, "type"),
        (r#"{"type":"job.subscribe"}"#, "data"),
        (r#"{"type":"job.subscribe","data":{"job_id":"x"}}"#, "job_id"),
        (r#"{"type":"location.update","data":{"points":[]}}"#, "points"),
    ] {
        socket.send_raw(Message::text(text)).await;
        let error = socket.expect("error").await;
        assert_eq!(error["ref"], Value::Null, "{text}");
        assert_eq!(error["error"]["code"], "VALIDATION_FAILED", "{text}");
        assert!(error["error"]["errors"][field].is_array(), "{text}: {error}");
    }
    let error = socket.ask("job.subscribe", json!({"job_id": 1})).await.expect_err("a number is no id");
    assert!(error["errors"]["job_id"].is_array(), "{error}");
    let nobody = json!({"job_id": "018f0000-0000-7000-8000-0000000000ff"});
    assert_eq!(socket.ask("job.subscribe", nobody).await.expect_err("no such job")["code"], "NOT_FOUND");
    let points = json!({"points": [app.point(1, 1.0)]});
    assert_eq!(socket.ask("location.update", points).await.expect_err("no mechanic")["code"], "FORBIDDEN");
}

#[actix_web::test]
async fn another_persons_job_is_not_found() {
    let (app, customer) = spawn_with_breakdown().await;
    let job = customer.call().await;
    let mut socket = app.socket(&*app.customer().await).await;
    let error = socket.ask("job.subscribe", json!({"job_id": job["id"]})).await.expect_err("not theirs");
    assert_eq!(error["code"], "NOT_FOUND");
}

/// Waits for the offer of the job, and accepts it as its mechanic.
async fn accept_over(socket: &mut Socket, job: &str) {
    let offer =
        socket.find("an offer", |frame| frame["type"] == "offer.created" && frame["job_id"] == job).await;
    let offer_id = offer["data"]["id"].clone();
    socket.ask("offer.accept", json!({"offer_id": offer_id})).await.expect("the job");
}

/// Returns the events that a socket gets when it subscribes from `since_seq` on, up to the last one.
async fn log_from(socket: &mut Socket, job: &str, since_seq: i64, until: i64) -> Vec<Value> {
    let data = json!({"job_id": job, "since_seq": since_seq});
    let ack = socket.ask("job.subscribe", data).await.expect("subscribed");
    assert_eq!((&ack["job_id"], &ack["seq"]), (&json!(job), &json!(until)));
    let mut log = Vec::new();
    for seq in since_seq + 1..=until {
        let frame = socket.expect("job.updated").await;
        assert_eq!(frame["seq"], seq, "dense and in order");
        log.push(frame);
    }
    log
}

#[actix_web::test]
async fn a_socket_cut_anywhere_resumes_to_the_same_log_as_over_http() {
    let (app, scene) = spawn_accepted().await;
    let mut live = app.socket(&scene.customer).await;
    live.ask("job.subscribe", json!({"job_id": scene.job, "since_seq": 0})).await.expect("subscribed");
    scene.serve().await;
    let events = scene.customer.get(&scene.path("/events")).await.expect(200);
    let last = events["last_seq"].as_i64().expect("a number");
    assert!(last >= 7, "created, dispatching, accepted, en_route, arrived, in_progress, completed: {events}");
    let mut seen = Vec::new();
    for _ in 0..last {
        seen.push(live.expect("job.updated").await);
    }
    let over_http: Vec<Value> = events["data"].as_array().expect("a list").clone();
    let plain = |frame: &Value| json!([frame["seq"], frame["type"], frame["at"], frame["data"]]);
    let expected: Vec<Value> = over_http.iter().map(plain).collect();
    assert_eq!(seen.iter().map(plain).collect::<Vec<_>>(), expected, "replay and live in one");
    for cut in 0..=last {
        let mut resumed = app.socket(&scene.customer).await;
        let log = log_from(&mut resumed, &scene.job, cut, last).await;
        assert_eq!(
            log.iter().map(plain).collect::<Vec<_>>(),
            expected[cut as usize..],
            "resumed after {cut}"
        );
        resumed.settle().await;
        assert!(resumed.came("job.updated").is_empty(), "nothing twice after {cut}");
    }
}

#[actix_web::test]
async fn a_subscription_without_since_seq_starts_with_a_snapshot() {
    let (app, scene) = spawn_accepted().await;
    let mut socket = app.following(&scene).await;
    let snapshot = socket.expect("job.snapshot").await;
    assert_eq!(snapshot["data"], scene.customer.get(&scene.path("")).await.expect(200));
    assert_eq!(snapshot["seq"], snapshot["data"]["seq"]);
    assert!(snapshot["data"]["start_code"].is_string(), "the customer sees the code");
    scene.step("en-route", json!({})).await;
    let updated = socket.expect("job.updated").await;
    assert_eq!(updated["data"]["status"], "en_route");
    assert_eq!(updated["seq"].as_i64(), snapshot["seq"].as_i64().map(|seq| seq + 1));
    socket.ask("job.unsubscribe", json!({"job_id": scene.job})).await.expect("unsubscribed");
    scene.step("arrive", json!({"override_reason": "the receiver is off"})).await;
    socket.settle().await;
    assert!(socket.came("job.updated").is_empty(), "no longer told");
}

#[actix_web::test]
async fn the_later_of_two_simultaneous_subscriptions_counts() {
    let (app, scene) = spawn_accepted().await;
    let mut socket = app.socket(&scene.customer).await;
    let data = json!({"job_id": scene.job, "since_seq": 0});
    let first = socket.ask_later("job.subscribe", data.clone()).await;
    let second = socket.ask_later("job.subscribe", data).await;
    match socket.answer(&first).await {
        Ok(subscribed) => assert_eq!(subscribed["job_id"], scene.job.as_str()),
        Err(refused) => assert_eq!(refused["code"], "CONFLICT"),
    }
    assert_eq!(socket.answer(&second).await.expect("subscribed")["job_id"], scene.job.as_str());
}

#[actix_web::test]
async fn a_sequence_number_from_the_future_is_answered_with_a_resync() {
    let (app, scene) = spawn_accepted().await;
    let mut socket = app.socket(&scene.customer).await;
    let data = json!({"job_id": scene.job, "since_seq": 1_000_000});
    socket.ask("job.subscribe", data).await.expect("subscribed");
    assert_eq!(socket.expect("resync_required").await["job_id"], json!(scene.job));
    socket.expect("job.snapshot").await;
}

#[actix_web::test]
async fn a_mechanics_socket_follows_the_job_automatically_from_its_assignment_on() {
    let (app, admin) = spawn_with_admin().await;
    let mechanic = app.on_road(&admin).await;
    let mut socket = app.socket(&mechanic.client).await;
    let customer = app.breakdown().await;
    let job = customer.call().await;
    let job = id_of(&job);
    accept_over(&mut socket, &job).await;
    let first = socket.expect("job.updated").await;
    assert_eq!(first["data"]["status"], "accepted", "not what was before");
    assert_eq!(first["data"]["start_code"], Value::Null, "the code is the customer's");
    mechanic.tell(&job, "en-route", json!({})).await;
    assert_eq!(socket.expect("job.updated").await["data"]["status"], "en_route");

    let mut again = app.socket(&mechanic.client).await;
    let snapshot = again.expect("job.snapshot").await;
    assert_eq!((&snapshot["job_id"], &snapshot["data"]["status"]), (&json!(job), &json!("en_route")));
    let mut replayed = app.socket(&mechanic.client).await;
    replayed.ask("job.subscribe", json!({"job_id": job, "since_seq": 0})).await.expect("subscribed");
    assert_eq!(replayed.expect("job.updated").await["seq"], first["seq"], "even when it asks for all");

    mechanic.tell(&job, "release", json!({"reason_code": "vehicle_trouble"})).await;
    let last = socket.expect("job.updated").await;
    assert_eq!(last["data"]["mechanic_profile_id"], Value::Null, "it is told that it lost the job");
    customer.cancel(&job).await;
    let mut watching = app.socket(&customer.client).await;
    watching.ask("job.subscribe", json!({"job_id": job, "since_seq": 0})).await.expect("subscribed");
    watching.find("the end", |frame| frame["data"]["status"] == "cancelled").await;
    socket.settle().await;
    assert!(socket.came("job.updated").is_empty(), "and nothing after");
}

#[actix_web::test]
async fn an_open_offer_is_sent_to_a_socket_that_opens_later() {
    let (app, admin) = spawn_with_admin().await;
    let mechanic = app.on_road(&admin).await;
    let mut socket = app.socket(&mechanic.client).await;
    let customer = app.breakdown().await;
    let job = customer.call().await;
    let offer = socket.expect("offer.created").await;
    assert_eq!((&offer["job_id"], &offer["data"]["status"]), (&job["id"], &json!("pending")));
    let listed = mechanic.client.get("/mechanics/me/offers").await.expect(200);
    assert_eq!(listed["data"][0], offer["data"], "as over HTTP");
    let mut later = app.socket(&mechanic.client).await;
    assert_eq!(later.expect("offer.created").await["data"], offer["data"]);
    assert_eq!(later.expect("location.rate").await["data"]["interval_s"], 3);
    customer.cancel(&id_of(&job)).await;
    for socket in [&mut socket, &mut later] {
        let revoked = socket.expect("offer.revoked").await;
        assert_eq!(revoked["data"]["id"], offer["data"]["id"]);
        assert_eq!(revoked["data"]["status"], "revoked");
    }
    let refused =
        socket.ask("offer.accept", json!({"offer_id": offer["data"]["id"]})).await.expect_err("too late");
    assert_eq!(refused["code"], "OFFER_EXPIRED");
}

#[actix_web::test]
async fn the_customer_is_notified_of_each_round() {
    let (app, admin) = spawn_with_admin().await;
    let customer = app.breakdown().await;
    let job = customer.call().await;
    let mut socket = app.socket(&customer.client).await;
    socket.ask("job.subscribe", json!({"job_id": job["id"]})).await.expect("subscribed");
    app.on_road(&admin).await;
    let progress = socket.expect("dispatch.progress").await;
    assert_eq!(progress["job_id"], job["id"]);
    assert_eq!(progress["data"]["mechanics_offered"], 1);
    assert!(progress["data"]["radius_km"].is_number() && progress["data"]["round"].is_number(), "{progress}");
}

#[actix_web::test]
async fn a_customer_sees_the_mechanic_from_accepted_to_completed_only() {
    let app = spawn_app_with(|settings| settings.ws.location_interval_ms = 20).await;
    let mut scene = app.accepted().await;
    let mut socket = app.following(&scene).await;
    let known = socket.expect("location.updated").await;
    assert_eq!(known["data"]["mechanic_profile_id"], scene.mechanic.profile_id, "the last known one at once");
    assert_eq!(known["data"]["stale"], false);
    socket.expect("eta.updated").await;
    let lat = PICKUP.0 + 0.004;
    scene.mechanic.ping((lat, PICKUP.1)).await;
    let moved = socket.find("the new position", |frame| frame["data"]["lat"] == lat).await;
    assert!(moved["data"]["age_ms"].is_u64() && moved["job_id"] == scene.job, "{moved}");
    assert_eq!(socket.expect("eta.updated").await["data"]["source"], "straight_line");
    scene.serve().await;
    socket.find("the end", |frame| frame["data"]["status"] == "completed").await;
    scene.mechanic.ping((PICKUP.0, PICKUP.1)).await;
    socket.settle().await;
    let after =
        socket.came("location.updated").into_iter().filter(|frame| frame["data"]["lat"] == PICKUP.0).count();
    assert_eq!(after, 0, "off the job it is nobody's business");
}

#[actix_web::test]
async fn positions_faster_than_the_interval_are_reduced_to_the_latest() {
    let app = spawn_app_with(|settings| settings.ws.location_interval_ms = 400).await;
    let mut scene = app.accepted().await;
    let mut socket = app.following(&scene).await;
    socket.expect("location.updated").await;
    // However long the twenty take, it is less than an interval by this clock.
    app.service.clock.stop();
    let mut lat = 0.0;
    for seq in 1..=20_i64 {
        lat = PICKUP.0 + 0.005 - 0.000_01 * seq as f64;
        app.service.clock.advance(Duration::from_millis(15));
        scene.mechanic.ping((lat, PICKUP.1)).await;
    }
    app.service.clock.advance(Duration::from_millis(400));
    socket.find("the latest", |frame| frame["data"]["lat"] == lat).await;
    let between = socket.came("location.updated").len();
    assert!(between <= 1, "20 pings are the latest and, if an interval had just ended, the first: {between}");
}

#[actix_web::test]
async fn an_old_position_is_shown_as_stale() {
    let (app, scene) = spawn_accepted().await;
    let mut socket = app.socket(&scene.customer).await;
    let clock = &app.service.clock;
    clock.stop();
    let mut look = async || {
        socket.ask("job.subscribe", json!({"job_id": scene.job})).await.expect("subscribed");
        let shown = socket.expect("location.updated").await["data"].clone();
        (shown["age_ms"].as_u64().expect("an age"), shown["stale"] == true)
    };
    let fresh_ms = u64::try_from(app.service.settings.dispatch.fresh_position_s).unwrap() * 1_000;
    let (age_ms, is_stale) = look().await;
    assert!(!is_stale, "{age_ms} ms");
    clock.advance(Duration::from_millis(fresh_ms - 1 - age_ms));
    assert_eq!(look().await, (fresh_ms - 1, false));
    clock.advance(Duration::from_millis(2));
    assert_eq!(look().await, (fresh_ms + 1, true));
}

#[actix_web::test]
async fn points_over_the_socket_are_acknowledged_with_the_stored_ones() {
    let (app, _, mechanic) = spawn_with_mechanic().await;
    let mut socket = app.socket(&mechanic.client).await;
    let points = json!({"points": [app.point(7, 12.9), app.point(8, 12.9)]});
    let receipt = socket.ask("location.update", points.clone()).await.expect("a receipt");
    let expected =
        json!({"accepted": 2, "duplicates": 0, "rejected": [], "last_seq": 8, "next_interval_s": 15});
    assert_eq!(receipt, expected);
    let again = socket.ask("location.update", points).await.expect("a receipt");
    assert_eq!((&again["accepted"], &again["duplicates"]), (&json!(0), &json!(2)), "a resend is harmless");
}

#[actix_web::test]
async fn a_flood_of_locations_closes_no_socket_and_every_point_is_answered() {
    let (app, _, mechanic) = spawn_with_mechanic().await;
    let mut socket = app.socket(&mechanic.client).await;
    let mut references = Vec::new();
    for seq in 0..300 {
        let points = json!({"points": [app.point(seq, 12.9)]});
        references.push(socket.ask_later("location.update", points).await);
    }
    let (mut stored, mut superseded) = (0, 0);
    for reference in &references {
        let receipt = socket.answer(reference).await.expect("a receipt");
        stored += receipt["accepted"].as_i64().expect("a number");
        superseded += receipt["rejected"].as_array().expect("a list").len();
    }
    assert_eq!(stored + superseded as i64, 300);
    let last = socket.ask("location.update", json!({"points": [app.point(300, 12.9)]})).await.expect("open");
    assert_eq!(last["last_seq"], 300, "the latest were kept");
}

#[actix_web::test]
async fn other_frames_above_the_limit_close_the_socket() {
    let app = spawn_app().await;
    let mut socket = app.socket(&*app.customer().await).await;
    for _ in 0..200 {
        let frame = json!({"type": "nonsense", "data": {}}).to_string();
        if !socket.try_send_raw(Message::text(frame)).await {
            break;
        }
    }
    assert_eq!(socket.closed().await, 1008);
    assert!(socket.came("error").iter().any(|frame| frame["error"]["code"] == "RATE_LIMITED"));
}

#[actix_web::test]
async fn binary_frames_are_refused_and_fragments_are_joined() {
    let (app, customer) = spawn_with_customer().await;
    let mut binary = app.socket(&customer).await;
    binary.send_raw(Message::Binary(Bytes::from_static(b"{}"))).await;
    assert_eq!(binary.closed().await, 1003);
    let mut raw = raw_socket(&app, &customer).await;
    raw.write_all(&frame(0x01, br#"{"type":"nonsense","ref""#)).await.unwrap();
    raw.write_all(&frame(0x89, b"ping")).await.unwrap();
    raw.write_all(&frame(0x80, br#":"joined","data":{}}"#)).await.unwrap();
    read_until(&mut raw, br#""ref":"joined""#).await;
    raw.write_all(&frame(0x81, &[0xff, 0xfe])).await.unwrap();
    read_until(&mut raw, &1007_u16.to_be_bytes()).await;
}

#[actix_web::test]
async fn an_oversized_frame_is_refused_by_its_header_alone() {
    let (app, customer) = spawn_with_customer().await;
    let mut header = vec![0x81, 0x80 | 127];
    header.extend(300_000_000_u64.to_be_bytes());
    header.extend([0; 4]);
    let mut raw = raw_socket(&app, &customer).await;
    raw.write_all(&header).await.unwrap();
    read_until(&mut raw, &1009_u16.to_be_bytes()).await;
    let mut raw = raw_socket(&app, &customer).await;
    for opcode in [0x01, 0x00] {
        raw.write_all(&frame(opcode, &[b' '; 20_000])).await.unwrap();
    }
    read_until(&mut raw, &1009_u16.to_be_bytes()).await;
    let mut fits = app.socket(&customer).await;
    let text = format!("{}{}", " ".repeat(32_768 - 2), "{}");
    fits.send_raw(Message::text(text)).await;
    assert_eq!(
        fits.expect("error").await["error"]["code"],
        "VALIDATION_FAILED",
        "32 KiB is within the limit"
    );
}

/// Returns a masked frame (RFC 6455, 5.2); the mask is 0, so the payload is unchanged.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match payload.len() {
        length @ 0..=125 => frame.push(0x80 | length as u8),
        length => {
            frame.push(0x80 | 126);
            frame.extend((length as u16).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(payload);
    frame
}

/// Returns the request that opens a socket.
fn handshake(app: &TestApp, token: &str) -> String {
    format!(
        "GET /ws HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
        sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nauthorization: Bearer {token}\r\n\r\n",
        app.address,
    )
}

/// Opens a raw socket, and reads its hello.
async fn raw_socket(app: &TestApp, person: &Client) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    // The buffers are small, so that the server soon notices a peer that does not read.
    socket.set_recv_buffer_size(4096).expect("a buffer");
    let mut stream = socket.connect(app.address).await.expect("a connection");
    let request = handshake(app, person.token().expect("signed in"));
    stream.write_all(request.as_bytes()).await.unwrap();
    read_until(&mut stream, b"location_interval_s").await;
    stream
}

async fn read_until(stream: &mut TcpStream, wanted: &[u8]) {
    let mut read = Vec::new();
    within(&format!("{:?} comes", String::from_utf8_lossy(wanted)), async {
        while !read.windows(wanted.len()).any(|part| part == wanted) {
            let count = stream.read_buf(&mut read).await.expect("readable");
            assert!(count > 0, "ended before it came: {:?}", String::from_utf8_lossy(&read));
        }
    })
    .await;
}

#[actix_web::test]
async fn a_peer_that_never_reads_is_cut_off_and_its_seat_freed() {
    let app = spawn_app_with(|settings| settings.ws.send_stall_timeout_ms = 1_000).await;
    let mechanic = app.verified_mechanic(&*app.admin().await).await;
    let mut raw = raw_socket(&app, &mechanic.client).await;
    // There are never too many locations, and each asks for a receipt that is never read. So the service must stop reading
    // instead of collecting them, and the kernel's timeout then ends the connection.
    let body =
        json!({"type": "location.update", "ref": "r".repeat(64), "data": {"points": [app.point(1, 1.0)]}});
    let flood = frame(0x81, body.to_string().as_bytes());
    within("the service ends the connection", async { while raw.write_all(&flood).await.is_ok() {} }).await;
    within("the seat is free", async {
        while app.service.hub.sockets() > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[actix_web::test]
async fn a_newer_socket_of_the_mechanic_replaces_the_speaking_one() {
    let (app, _, mechanic) = spawn_with_mechanic().await;
    let points = |seq| json!({"points": [app.point(seq, 12.9)]});
    let mut older = app.socket(&mechanic.client).await;
    let mut silent = app.socket(&mechanic.client).await;
    older.ask("location.update", points(1)).await.expect("a receipt");
    let mut newer = app.socket(&mechanic.client).await;
    newer.ask("availability.set", json!({"is_available": true})).await.expect("available");
    assert_eq!(older.closed().await, 4001);
    assert_eq!(older.came("session.replaced").len(), 1);
    silent.settle().await;
    let mut late = silent;
    late.ask_later("location.update", points(2)).await;
    assert_eq!(late.closed().await, 4001, "an older one that begins to speak gives way as well");
    newer.ask("location.update", points(3)).await.expect("the newest stays");
}

#[actix_web::test]
async fn a_socket_ends_with_its_session() {
    let app = spawn_app_with(|settings| settings.ws.recheck_s = 1).await;
    let customer = app.customer().await;
    let mut socket = app.socket(&customer).await;
    // Another process would do this.
    let end = "update sessions set revoked_at = now(), revoked_reason = 'logout'";
    app.change(end, &[]).await;
    assert_eq!(socket.closed().await, 4401);
}

#[actix_web::test]
async fn signing_out_closes_only_the_sockets_of_that_session_and_at_once() {
    // Sessions are not rechecked periodically, so that only the change itself can close a socket.
    let app = spawn_app_with(|settings| settings.ws.recheck_s = 3_600).await;
    let phone = new_phone();
    let (here, there) = (app.sign_in(&phone).await, app.sign_in(&phone).await);
    let (mut one, mut two) = (app.socket(&here).await, app.socket(&here).await);
    let mut other = app.socket(&there).await;
    here.post("/auth/logout", json!({})).await.expect(204);
    assert_eq!((one.closed().await, two.closed().await), (4401, 4401));
    other.settle().await;

    let third = app.sign_in(&phone).await;
    let mut socket = app.socket(&third).await;
    let sessions = there.get("/auth/sessions").await.expect(200)["data"].as_array().unwrap().clone();
    let id = sessions.iter().find(|session| session["isCurrent"] == false).expect("another")["id"].clone();
    there.delete(&format!("/auth/sessions/{}", id.as_str().unwrap())).await.expect(204);
    assert_eq!(socket.closed().await, 4401);

    let fourth = app.sign_in(&phone).await;
    let mut socket = app.socket(&fourth).await;
    there.post("/auth/logout", json!({"allDevices": true})).await.expect(204);
    assert_eq!((socket.closed().await, other.closed().await), (4401, 4401));
}

#[actix_web::test]
async fn a_suspension_another_role_and_a_copied_token_close_sockets_at_once() {
    // Sessions are not rechecked periodically, so that only the change itself can close a socket.
    let app = spawn_app_with(|settings| settings.ws.recheck_s = 3_600).await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    let (mut socket, mut looking) = (app.socket(&customer).await, app.socket(&admin).await);
    let suspend = format!("/admin/users/{}/suspend", customer.user_id);
    admin.post(&suspend, json!({"reason": "False calls"})).await.expect(200);
    assert_eq!(socket.closed().await, 4401);

    let owner = app.super_admin().await;
    let role = format!("/super-admin/users/{}/role", admin.user_id);
    looking.settle().await;
    owner.put(&role, json!({"role": "super_admin"})).await.expect(200);
    assert_eq!(looking.closed().await, 4401);

    let person = app.customer().await;
    let mut socket = app.socket(&person).await;
    let used = json!({"refreshToken": person.refresh_token});
    app.anonymous().post("/auth/refresh", used.clone()).await.expect(200);
    socket.settle().await;
    let long_ago = "update refresh_tokens set used_at = used_at - interval '1 minute'";
    app.change(long_ago, &[]).await;
    app.anonymous().post("/auth/refresh", used).await.refused(401, "UNAUTHORIZED");
    assert_eq!(socket.closed().await, 4401);
}

#[actix_web::test]
async fn a_socket_that_does_not_answer_pings_is_closed() {
    let app = spawn_app_with(|settings| {
        settings.ws.ping_interval_s = 1;
        settings.ws.idle_timeout_s = 2;
    })
    .await;
    let mut raw = raw_socket(&app, &*app.customer().await).await;
    read_until(&mut raw, &4408_u16.to_be_bytes()).await;
}

#[actix_web::test]
async fn a_change_of_the_clock_does_not_make_a_socket_silent() {
    const PING: &[u8] = &[0x89, 0];
    let clock = Clock::system();
    let options = StartOptions { clock: clock.clone(), ..StartOptions::default() };
    let quickly = |settings: &mut Settings| {
        settings.ws.ping_interval_s = 1;
        settings.ws.idle_timeout_s = 60;
    };
    let app = spawn_app_as(quickly, options).await;
    let mut raw = raw_socket(&app, &*app.customer().await).await;
    read_until(&mut raw, PING).await;
    clock.correct(TimeDelta::seconds(-90));
    // With the first ping it checks how long nothing has come.
    for _ in 0..2 {
        read_until(&mut raw, PING).await;
    }
}

#[actix_web::test]
async fn a_stopping_server_says_so_and_closes() {
    let mut app = spawn_app().await;
    let customer = app.customer().await;
    let mut socket = app.socket(&customer).await;
    let stopping = async {
        let code = socket.closed().await;
        let drained = socket.came("server.draining").into_iter().cloned().collect::<Vec<_>>();
        (code, drained)
    };
    let ((), (code, drained)) = futures_util::join!(app.stop(), stopping);
    assert_eq!(code, 1001);
    assert!(
        drained[0]["data"]["retry_after_ms"].as_u64().is_some_and(|ms| (500..5_000).contains(&ms)),
        "{drained:?}"
    );
}
