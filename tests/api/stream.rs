//! One job as server-sent events, over real connections.

use reqwest::Method;
use roadcall_actors::ports::Announcement;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpSocket,
};

use crate::support::{
    Client,
    bodies::id_of,
    roadside::PICKUP,
    spawn_accepted, spawn_app, spawn_app_with, spawn_with_breakdown,
    stream::{Event, EventStream},
    within,
};

async fn ticket(person: &Client) -> String {
    let made = person.post("/ws/ticket", json!({})).await.expect(200);
    made["ticket"].as_str().expect("a ticket").to_owned()
}

fn code(refused: Result<EventStream, (u16, Value)>) -> (u16, Value) {
    let (status, body) = refused.expect_err("a refusal");
    (status, body["error"]["code"].clone())
}

fn plain(event: &Event) -> Value {
    json!([event.frame["seq"], event.frame["type"], event.frame["at"], event.frame["data"]])
}

#[actix_web::test]
async fn a_stream_equals_the_log_live_and_wherever_it_is_resumed() {
    let (app, scene) = spawn_accepted().await;
    let path = scene.path("/stream");
    let mut live = app.stream(&scene.customer, &format!("{path}?since_seq=0")).await;
    scene.serve().await;
    let events = scene.customer.get(&scene.path("/events")).await.expect(200);
    let last = events["last_seq"].as_i64().expect("a number");
    let expected: Vec<Value> = events["data"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|event| json!([event["seq"], event["type"], event["at"], event["data"]]))
        .collect();
    let mut seen = Vec::new();
    for _ in 0..last {
        seen.push(plain(&live.expect("job.updated").await));
    }
    assert_eq!(seen, expected, "replay and live in one");
    for cut in 0..last {
        let resumed = app.try_stream(scene.customer.token(), &path, Some(&cut.to_string())).await;
        let mut resumed = resumed.expect("a stream");
        let mut log = Vec::new();
        for _ in cut..last {
            log.push(plain(&resumed.expect("job.updated").await));
        }
        assert_eq!(log, expected[cut as usize..], "resumed after {cut}");
        assert!(resumed.came("job.snapshot").is_empty());
    }
}

#[actix_web::test]
async fn the_header_overrides_the_parameter_and_without_both_there_is_a_snapshot() {
    let (app, scene) = spawn_accepted().await;
    let path = scene.path("/stream");
    let mut fresh = app.stream(&scene.customer, &path).await;
    let snapshot = fresh.expect("job.snapshot").await;
    assert_eq!(snapshot.frame["data"], scene.customer.get(&scene.path("")).await.expect(200));
    let seq = snapshot.id.expect("an id");
    scene.step("en-route", json!({})).await;
    assert_eq!(fresh.expect("job.updated").await.id, Some(seq + 1));
    let header = Some(seq.to_string());
    let resumed =
        app.try_stream(scene.customer.token(), &format!("{path}?since_seq=0"), header.as_deref()).await;
    let mut resumed = resumed.expect("a stream");
    assert_eq!(resumed.expect("job.updated").await.id, Some(seq + 1));
    let mut ahead = app.stream(&scene.customer, &format!("{path}?since_seq=1000000")).await;
    assert_eq!(ahead.expect("resync_required").await.frame["job_id"], json!(scene.job));
    ahead.expect("job.snapshot").await;
}

#[actix_web::test]
async fn a_stream_shows_positions_to_the_customer_and_not_to_the_mechanic() {
    let app = spawn_app_with(|settings| settings.ws.location_interval_ms = 20).await;
    let mut scene = app.accepted().await;
    let path = scene.path("/stream");
    let mut customers = app.stream(&scene.customer, &path).await;
    let known = customers.expect("location.updated").await;
    assert_eq!((known.id, &known.frame["data"]["stale"]), (None, &json!(false)));
    customers.expect("eta.updated").await;
    let mut mechanics = app.stream(&scene.mechanic.client, &path).await;
    let snapshot = mechanics.expect("job.snapshot").await;
    assert_eq!(snapshot.frame["data"]["start_code"], Value::Null, "the code is the customer's");
    scene.mechanic.ping((PICKUP.0 + 0.004, PICKUP.1)).await;
    let moved = customers.expect("location.updated").await;
    assert_eq!(moved.frame["data"]["lat"], json!(PICKUP.0 + 0.004));
    scene.step("en-route", json!({})).await;
    mechanics.expect("job.updated").await;
    assert!(mechanics.came("location.updated").is_empty());
}

#[actix_web::test]
async fn a_stream_shows_the_rounds_to_the_customer() {
    let app = spawn_app().await;
    let (admin, customer) = (app.admin().await, app.breakdown().await);
    let job = id_of(&customer.call().await);
    let mut stream = app.stream(&customer.client, &format!("/jobs/{job}/stream")).await;
    stream.expect("job.snapshot").await;
    app.on_road(&admin).await;
    assert_eq!(stream.expect("dispatch.progress").await.frame["data"]["mechanics_offered"], 1);
}

#[actix_web::test]
async fn a_client_that_may_not_listen_gets_the_reason() {
    let app = spawn_app().await;
    let (scene, stranger) = (app.accepted().await, app.customer().await);
    let path = scene.path("/stream");
    let own = scene.customer.token();
    assert_eq!(code(app.try_stream(None, &path, None).await), (401, json!("UNAUTHORIZED")));
    assert_eq!(code(app.try_stream(Some("nonsense"), &path, None).await), (401, json!("UNAUTHORIZED")));
    assert_eq!(code(app.try_stream(stranger.token(), &path, None).await), (404, json!("NOT_FOUND")));
    for (query, header) in
        [("?since_seq=x", None), ("?since_seq=-1", None), ("?odd=1", None), ("", Some("x")), ("", Some("-1"))]
    {
        let refused = app.try_stream(own, &format!("{path}{query}"), header).await;
        assert_eq!(code(refused), (422, json!("VALIDATION_FAILED")), "{query} {header:?}");
    }
    let spent = ticket(&scene.customer).await;
    let with_ticket = format!("{path}?ticket={spent}");
    let mut stream = app.try_stream(None, &with_ticket, None).await.expect("a stream");
    stream.expect("job.snapshot").await;
    assert_eq!(code(app.try_stream(None, &with_ticket, None).await), (401, json!("UNAUTHORIZED")), "once");
    let foreign = format!("{path}?ticket={}", ticket(&stranger).await);
    assert_eq!(code(app.try_stream(None, &foreign, None).await), (404, json!("NOT_FOUND")));
}

#[actix_web::test]
async fn a_stream_counts_as_a_socket_and_its_seat_is_free_when_the_client_leaves() {
    let app = spawn_app_with(|settings| {
        settings.ws.sockets_per_user = 1;
        // A client that is gone is noticed when the next comment is written.
        settings.ws.ping_interval_s = 1;
    })
    .await;
    let customer = app.breakdown().await;
    let path = format!("/jobs/{}/stream", id_of(&customer.call().await));
    let mut only = app.stream(&customer.client, &path).await;
    only.expect("job.snapshot").await;
    let one_more = app.try_stream(customer.client.token(), &path, None).await;
    assert_eq!(code(one_more), (429, json!("RATE_LIMITED")));
    drop(only);
    within("the seat is free again", async {
        while app.service.hub.sockets() > 0 || app.service.hub.watched_jobs() > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    app.stream(&customer.client, &path).await;
}

#[actix_web::test]
async fn a_stream_shows_that_it_lives() {
    let app = spawn_app_with(|settings| settings.ws.ping_interval_s = 1).await;
    let customer = app.breakdown().await;
    let path = format!("/jobs/{}/stream", id_of(&customer.call().await));
    app.stream(&customer.client, &path).await.comment().await;
}

#[actix_web::test]
async fn the_end_of_a_session_and_a_suspension_end_the_stream_at_once() {
    // Sessions are not rechecked periodically, so that only the change itself can end a stream.
    let app = spawn_app_with(|settings| settings.ws.recheck_s = 3_600).await;
    let admin = app.admin().await;
    for is_suspended in [false, true] {
        let customer = app.breakdown().await;
        let path = format!("/jobs/{}/stream", id_of(&customer.call().await));
        let mut stream = app.stream(&customer.client, &path).await;
        stream.expect("job.snapshot").await;
        if is_suspended {
            let suspend = format!("/admin/users/{}/suspend", customer.client.user_id);
            admin.post(&suspend, json!({"reason": "False calls"})).await.expect(200);
        } else {
            customer.client.post("/auth/logout", json!({})).await.expect(204);
        }
        stream.ended().await;
    }
}

#[actix_web::test]
async fn a_stopping_server_says_when_to_come_back_and_ends() {
    let mut app = spawn_app().await;
    let customer = app.breakdown().await;
    let path = format!("/jobs/{}/stream", id_of(&customer.call().await));
    let mut stream = app.stream(&customer.client, &path).await;
    stream.expect("job.snapshot").await;
    let ((), ()) = futures_util::join!(app.stop(), stream.ended());
    let drained = stream.came("server.draining");
    assert_eq!(drained[0].retry_ms, drained[0].frame["data"]["retry_after_ms"].as_u64());
    assert!(drained[0].retry_ms.is_some_and(|ms| (500..5_000).contains(&ms)), "{drained:?}");
}

#[actix_web::test]
async fn a_peer_that_never_reads_is_cut_off_and_its_seat_freed() {
    let app = spawn_app_with(|settings| settings.ws.send_stall_timeout_ms = 1_000).await;
    let customer = app.breakdown().await;
    let path = format!("/jobs/{}/stream?since_seq=0", id_of(&customer.call().await));
    let socket = TcpSocket::new_v4().expect("a socket");
    // The buffer is small, so that the server soon notices a peer that does not read.
    socket.set_recv_buffer_size(4096).expect("a buffer");
    let mut raw = socket.connect(app.address).await.expect("a connection");
    let token = customer.client.token().expect("signed in");
    let request =
        format!("GET {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\n\r\n", app.address);
    raw.write_all(request.as_bytes()).await.unwrap();
    let mut first = [0_u8; 12];
    within("the head", raw.read_exact(&mut first)).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    // This log is longer than all buffers on the way; nobody reads it.
    let job = path.split('/').nth(2).expect("an id").parse::<uuid::Uuid>().unwrap();
    let grown = "with more as (insert into job_events (job_id, version, seq, kind, command_id, actor_kind, data, replaced, at)
            select e.job_id, e.version + n, e.seq + n, 'delayed', gen_random_uuid(), 'system', '{}',
                jsonb_build_object('description', repeat('x', 20000)), e.at
            from job_events e, generate_series(1000, 1900) n where e.job_id = $1::uuid and e.seq = 1 returning version, seq)
        update job_states set (version, seq) = (select max(version), max(seq) from more) where id = $1::uuid";
    app.change(grown, &[&job.to_string()]).await;
    let grown = Announcement::JobChanged { job: roadcall_actors::ids::JobId(job), seq: 1_901 };
    app.service.hub.announce(grown);
    within("the seat is free", async {
        while app.service.hub.sockets() > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[actix_web::test]
async fn a_head_request_gets_only_a_head() {
    let (app, customer) = spawn_with_breakdown().await;
    let path = format!("/api/v1/jobs/{}/stream", id_of(&customer.call().await));
    let answer = customer.client.send(Method::HEAD, &path, None).await;
    assert_eq!((answer.status, answer.header("x-accel-buffering")), (200, Some("no")));
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    let metrics = app.anonymous().get("/metrics").await.text;
    assert!(metrics.contains("roadcall_ws_sockets 0"), "it takes no seat");
}
