//! Several servers on one database: all serve, one leads (docs/CLUSTER.md).

mod clocks;
mod leaders;
mod readiness;
mod reading;

use std::{net::SocketAddr, time::Duration};

use chrono::TimeDelta;
use futures_util::StreamExt;
use nix::sys::signal::Signal;
use roadcall::app::StartOptions;
use roadcall_actors::clock::Clock;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    jobs::repeating::keyed,
    restart::{SETTINGS, Server},
    support::{
        Client, Nats, NatsWay, OnRoad, Scene, Socket, TestApp, bodies::id_of, roadside::PICKUP,
        rows::until_blocked, socket::try_connect, spawn_app, spawn_beside, spawn_cluster, spawn_cluster_as,
        until, until_so, within,
    },
};

impl TestApp {
    /// Returns the address of the server that leads.
    fn leaders_address(&self) -> SocketAddr {
        let leader = self.cluster.as_ref().and_then(|cluster| cluster.leader.as_ref());
        leader.expect("a leader").address
    }

    /// Stops the server that leads as SIGTERM would.
    async fn stop_leader(&mut self) {
        let leader = self.cluster.as_mut().and_then(|cluster| cluster.leader.take()).expect("a leader");
        leader.stop(std::future::pending()).await;
    }
}

/// Opens a socket of that person on another server.
async fn socket_at(address: SocketAddr, person: &Client) -> Socket {
    let bearer = format!("Bearer {}", person.token().expect("signed in"));
    let opened = try_connect(address, "/ws", &[("authorization", &bearer)]).await;
    let mut socket = opened.unwrap_or_else(|refused| panic!("no socket: {refused:?}"));
    socket.expect("hello").await;
    socket
}

/// Starts a cluster; returns it with a job that a mechanic has accepted, and a socket of its customer, which follows it.
async fn spawn_followed() -> (TestApp, Scene, Socket) {
    let app = spawn_cluster().await;
    let scene = app.accepted().await;
    let customer = app.following(&scene).await;
    (app, scene, customer)
}

/// Waits until the server that clients use has heard of a leader.
async fn until_led(admin: &Client) -> Value {
    admin.get_until("/admin/cluster", |cluster| cluster["engine"]["is_answering"] == true).await
}

#[actix_web::test]
async fn a_job_goes_from_the_call_to_its_payment_through_a_server_that_does_not_lead() {
    let app = spawn_cluster().await;
    let gateway = &app.running.as_ref().expect("a server").service;
    assert!(gateway.engine.get().is_none(), "the engine is on the other server");
    let mut scene = app.accepted().await;
    let mut customer = app.following(&scene).await;
    scene.step("en-route", json!({})).await;
    customer.until_status("en_route").await;
    scene.mechanic.ping((PICKUP.0 + 0.0005, PICKUP.1)).await;
    customer.find("the position", |frame| frame["data"]["lat"] == PICKUP.0 + 0.0005).await;
    scene.step("arrive", json!({"override_reason": "here"})).await;
    let code = scene.customer.get(&scene.path("")).await.expect(200)["start_code"].clone();
    scene.step("start", json!({"start_code": code})).await;
    scene.step("complete", json!({"outcome": "fixed"})).await;
    scene.pay_cash().await;
    customer.until_status("paid").await;
    // The workers of the server that leads send the notifications.
    customer.find("a notification", |frame| frame["type"] == "notification.created").await;
    let events = scene.customer.get(&scene.path("/events")).await.expect(200);
    let seqs: Vec<i64> =
        events["data"].as_array().unwrap().iter().map(|e| e["seq"].as_i64().unwrap()).collect();
    assert_eq!(seqs, (1..=seqs.len() as i64).collect::<Vec<_>>(), "{events}");
}

#[actix_web::test]
async fn tries_on_two_servers_are_one_step_and_all_succeed() {
    let app = spawn_cluster().await;
    let scene = app.accepted().await;
    let here: &Client = &scene.mechanic.client;
    let (there, path, body) = (here.at(app.leaders_address()), scene.path("/en-route"), json!({}));
    let tries = [here, &there, here, &there].map(|client| keyed(client, &path, "k", &body));
    for answer in futures_util::future::join_all(tries).await {
        assert_eq!(answer.expect(200)["status"], "en_route");
    }
    scene.step("arrive", json!({"override_reason": "here"})).await;
    for client in [here, &there] {
        assert_eq!(keyed(client, &path, "k", &body).await.expect(200)["status"], "en_route");
        client.post(&path, json!({})).await.refused(409, "INVALID_TRANSITION");
    }
}

#[actix_web::test]
async fn people_on_two_servers_see_each_other() {
    let (app, scene, mut customer) = spawn_followed().await;
    // The mechanic's phone roams to the server that leads, where its newer socket speaks for them.
    let mut mechanic = socket_at(app.leaders_address(), &scene.mechanic.client).await;
    scene.step("en-route", json!({})).await;
    customer.until_status("en_route").await;
    mechanic.until_status("en_route").await;
    let point = app.point(100, PICKUP.0 + 0.0004);
    mechanic.ask("location.update", json!({"points": [point]})).await.expect("stored");
    customer.find("the position", |frame| frame["data"]["lat"] == PICKUP.0 + 0.0004).await;

    customer.ask("chat.typing", json!({"job_id": scene.job})).await.expect("sent");
    mechanic.expect("chat.typing").await;
    let words = json!({"job_id": scene.job, "client_message_id": app.service.random.id(app.service.clock.now()), "type": "text", "body": "By the red gate"});
    customer.ask("chat.send", words).await.expect("sent");
    let message = mechanic.expect("chat.message").await;
    assert_eq!(message["data"]["body"], "By the red gate", "{message}");
}

#[actix_web::test]
async fn a_stopping_leader_closes_only_its_own_sockets() {
    let (mut app, scene, mut customer) = spawn_followed().await;
    let admin = app.admin().await;
    let before = until_led(&admin).await;
    app.stop_leader().await;
    // Requests wait until another server leads.
    scene.step("en-route", json!({})).await;
    customer.until_status("en_route").await;
    let cluster = until_led(&admin).await;
    assert_ne!(cluster["engine"]["server"], before["engine"]["server"], "{cluster}");
    let gateway = &app.running.as_ref().expect("a server").service;
    assert!(gateway.engine.get().is_some(), "the engine is here now");
    let terms: Vec<i64> =
        cluster["take_overs"].as_array().unwrap().iter().map(|t| t["term"].as_i64().unwrap()).collect();
    assert_eq!(terms, [2, 1], "{cluster}");

    // The mechanic's socket has lived on, too: a new search reaches it.
    let Scene { customer: _, mut mechanic, job } = scene;
    mechanic.tell(&job, "arrive", json!({"override_reason": "here"})).await;
    let other = app.breakdown().await;
    let second = id_of(&other.call().await);
    let mut free: OnRoad = app.on_road(&admin).await;
    let offered = free.offer().await;
    assert_eq!(offered["job_id"], second, "{offered}");
    mechanic.socket.until_status("arrived").await;
}

#[actix_web::test]
async fn without_nats_reads_go_on_and_commands_wait_and_nothing_is_missed() {
    let (mut app, scene, mut customer) = spawn_followed().await;
    let admin = app.admin().await;
    app.cluster.as_mut().unwrap().nats.kill();
    until_bus(&admin, false).await;
    scene.customer.get(&scene.path("")).await.expect(200);
    scene.mechanic.client.post(&scene.path("/en-route"), json!({})).await.put_off(503, "UNAVAILABLE");
    let ready = app.anonymous().get("/health/ready").await;
    assert_eq!(ready.expect(503)["checks"]["bus"], "not connected");
    // People of the other server go on meanwhile.
    let there = scene.mechanic.client.at(app.leaders_address());
    there.post(&scene.path("/en-route"), json!({})).await.expect(200);

    app.cluster.as_mut().unwrap().nats.run_again().await;
    customer.until_status("en_route").await;
    until_bus(&admin, true).await;
    scene.step("arrive", json!({"override_reason": "here"})).await;
    customer.until_status("arrived").await;
}

/// Waits until the server that clients use is connected to NATS, or is not.
async fn until_bus(admin: &Client, is_connected: bool) {
    admin.get_until("/admin/cluster", |cluster| cluster["bus"]["is_connected"] == is_connected).await;
}

#[actix_web::test]
async fn the_newest_of_a_mechanics_sockets_on_two_servers_speaks() {
    let app = spawn_cluster().await;
    let admin = app.admin().await;
    let mut mechanic = app.on_road(&admin).await;
    // Servers compare ages, and a message between them takes some time. By this clock it takes no time, and each socket is a
    // second older than the next.
    let clock = app.service.clock.clone();
    clock.stop();
    let a_second_later = || clock.advance(Duration::from_secs(1));
    a_second_later();
    let mut old = app.socket(&mechanic.client).await;
    let point = |seq: i64| json!({"points": [app.point(seq, PICKUP.0)]});
    mechanic.socket.ask("location.update", point(1)).await.expect("stored");
    a_second_later();
    let mut newer = socket_at(app.leaders_address(), &mechanic.client).await;
    newer.ask("location.update", point(2)).await.expect("stored");
    assert_eq!(mechanic.socket.closed().await, 4001);

    // If an older socket speaks later, the server of the newer one objects.
    a_second_later();
    let mut newest = socket_at(app.leaders_address(), &mechanic.client).await;
    newest.ask("location.update", point(3)).await.expect("stored");
    assert_eq!(newer.closed().await, 4001);
    old.send(json!({"type": "location.update", "data": point(4)})).await;
    assert_eq!(old.closed().await, 4001);
    newest.ask("location.update", point(5)).await.expect("stored");
}

#[actix_web::test]
async fn signing_out_everywhere_applies_to_every_server() {
    let app = spawn_cluster().await;
    let customer = app.customer().await;
    let there = customer.at(app.leaders_address());
    there.get("/users/me").await.expect(200);
    let mut socket = socket_at(app.leaders_address(), &customer).await;
    customer.post("/auth/logout", json!({"allDevices": true})).await.expect(204);
    assert_eq!(socket.closed().await, 4401);
    there.get("/users/me").await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn an_admins_desks_change_on_every_server_at_once() {
    let app = spawn_cluster().await;
    let (boss, admin) = (app.super_admin().await, app.admin().await);
    let there = admin.at(app.leaders_address());
    there.get("/admin/payments").await.expect(200);
    let mut socket = socket_at(app.leaders_address(), &admin).await;
    let desks = format!("/super-admin/users/{}/desks", admin.user_id);
    boss.put(&desks, json!({"desks": ["dispatch"]})).await.expect(200);
    assert_eq!(socket.closed().await, 1013);
    there.get("/admin/payments").await.refused(403, "DESK_NEEDED");
}

#[actix_web::test]
async fn a_call_rings_and_its_signals_pass_between_servers() {
    let (app, scene, mut customer) = spawn_followed().await;
    let mut mechanic = socket_at(app.leaders_address(), &scene.mechanic.client).await;
    let call = customer.ask("call.invite", json!({"job_id": scene.job})).await.expect("a call");
    let ringing = mechanic.expect("call.ringing").await;
    assert_eq!(ringing["data"]["id"], call["id"], "{ringing}");
    let signal = |sdp: &str| json!({"call_id": call["id"], "payload": {"sdp": sdp}});
    let sent = customer.ask("call.signal", signal("offer")).await.expect("passed on");
    assert_eq!(sent["delivered"], true, "{sent}");
    let came = mechanic.expect("call.signal").await;
    assert_eq!(came["data"]["payload"]["sdp"], "offer", "{came}");
    mechanic.ask("call.accept", json!({"call_id": call["id"]})).await.expect("accepted");
    let sent = mechanic.ask("call.signal", signal("answer")).await.expect("passed on");
    assert_eq!(sent["delivered"], true, "{sent}");
    let came = customer.expect("call.signal").await;
    assert_eq!(came["data"]["payload"]["sdp"], "answer", "{came}");
}

#[actix_web::test]
async fn servers_of_another_database_are_not_heard_on_the_same_nats() {
    let app = spawn_cluster().await;
    let other = spawn_beside(&app).await;
    let admin = other.admin().await;
    let theirs = until_nodes(&admin).await;
    let ours = until_nodes(&*app.admin().await).await;
    assert!(ours.iter().all(|id| !theirs.contains(id)), "{ours:?} {theirs:?}");
}

/// Waits until the server that clients use knows another one; returns the ids of all.
async fn until_nodes(admin: &Client) -> Vec<Value> {
    let nodes = |cluster: &Value| cluster["nodes"].as_array().expect("a list").clone();
    let cluster = admin.get_until("/admin/cluster", |cluster| nodes(cluster).len() > 1).await;
    let ids: Vec<Value> = nodes(&cluster).into_iter().map(|mut node| node["id"].take()).collect();
    assert_eq!(ids.len(), 2, "{cluster}");
    ids
}

/// Returns the beginning of the subjects of the servers.
async fn prefix(app: &TestApp) -> String {
    let name = "select format('%s-%s', (select system_identifier from pg_control_system()), oid)
        from pg_database where datname = current_database()";
    let name: String = app.value(name, &[]).await;
    format!("roadcall.{name}.")
}

#[actix_web::test]
async fn a_forged_announcement_silences_nobody() {
    let (app, scene, mut customer) = spawn_followed().await;
    let admin = app.admin().await;
    let nats = app.cluster.as_ref().unwrap().nats.client().await;
    let subject = format!("{}announcements", prefix(&app).await);
    let leader: Uuid = app.value("select server from leadership", &[]).await;
    let forge = async |from: Uuid, term: u64, last: u64| {
        let body = json!({"term": term, "last": last, "announcements": []});
        let forged = json!({"v": 1, "from": from, "sent_at": 0, "body": body});
        nats.publish(subject.clone(), forged.to_string().into()).await.expect("sent");
        nats.flush().await.expect("NATS has it");
    };
    // All tests of a process share the metrics, and few tests forge anything.
    let counter = r#"roadcall_cluster_refused_messages_total{why="unknown_term"} "#;
    let is_counted = async || {
        let text = app.anonymous().get("/metrics").await.text;
        text.lines().any(|line| line.strip_prefix(counter).is_some_and(|count| count != "0"))
    };
    let counted = async {
        while !is_counted().await {
            forge(leader, u64::MAX, 7).await;
        }
    };
    within("it is counted", counted).await;
    for (term, last) in [(u64::MAX, 0), (u64::MAX, u64::MAX), (2, 7), (1, u64::MAX)] {
        forge(Uuid::nil(), term, last).await;
        forge(leader, term, last).await;
    }
    // The leader's announcements come after them, so the second step is handled by a server that has heard them.
    scene.step("en-route", json!({})).await;
    customer.until_status("en_route").await;
    scene.step("arrive", json!({"override_reason": "here"})).await;
    customer.until_status("arrived").await;
    until_led(&admin).await;
    let ready = app.anonymous().get("/health/ready").await.expect(200);
    assert_eq!(ready["checks"]["engine"], "ok");
}

#[actix_web::test]
async fn a_request_whose_caller_has_given_up_is_not_carried_out() {
    let app = spawn_cluster().await;
    let scene = app.accepted().await;
    let nats = app.cluster.as_ref().unwrap().nats.client().await;
    let term: i64 = app.value("select term from leadership", &[]).await;
    let calls = format!("{}engine.{term}.calls", prefix(&app).await);
    let ask = async |inbox: &str, age: TimeDelta| {
        let sent_at = (app.service.clock.now() - age).timestamp_millis();
        let body = json!({"SearchPolicyOf": {"job": scene.job}});
        let asked = json!({"v": 1, "from": Uuid::nil(), "sent_at": sent_at, "body": body});
        let payload = asked.to_string().into();
        nats.publish_with_reply(calls.clone(), inbox.to_owned(), payload).await.expect("sent");
    };
    let mut answers = nats.subscribe("old-or-new.*").await.expect("subscribed");
    ask("old-or-new.old", TimeDelta::seconds(12)).await;
    ask("old-or-new.new", TimeDelta::zero()).await;
    let first = within("an answer", answers.next()).await.expect("NATS is there");
    assert_eq!(first.subject.as_str(), "old-or-new.new");
}

#[actix_web::test]
async fn a_server_that_reaches_no_leader_for_a_while_is_not_ready_until_it_does() {
    let mut app = spawn_cluster().await;
    let admin = app.admin().await;
    until_led(&admin).await;
    // Somebody else gets the leaders' lock when it is given up, so that nobody leads.
    let mut holder = app.database.db.acquire().await.expect("a session");
    let holding = tokio::spawn(async move {
        let lock = sqlx::query("select pg_advisory_lock(1919902052, 1667329132)");
        lock.execute(&mut *holder).await.expect("the lock");
        holder
    });
    until_blocked(&app.database.db).await;
    app.stop_leader().await;
    let mut holder = holding.await.expect("the lock");
    let first = app.anonymous().get("/health/ready").await.expect(200);
    assert_eq!(first["checks"]["engine"], "no server leads at the moment", "another may take over");
    // Each check waits for the engine.
    let ready = until("it is not ready", async || {
        let ready = app.anonymous().get("/health/ready").await;
        (ready.status == 503).then_some(ready.body)
    })
    .await;
    assert_eq!(
        ready["checks"]["engine"], "the server that leads can't be reached for more than 10 s",
        "{ready}"
    );
    let unlock = sqlx::query("select pg_advisory_unlock(1919902052, 1667329132)");
    unlock.execute(&mut *holder).await.expect("no lock");
    until_led(&admin).await;
    app.anonymous().get("/health/ready").await.expect(200);
}

#[actix_web::test]
async fn an_unreadable_message_harms_nobody() {
    let (app, scene, mut customer) = spawn_followed().await;
    let admin = app.admin().await;
    let nats = app.cluster.as_ref().unwrap().nats.client().await;
    let prefix = prefix(&app).await;
    let subject = |rest: &str| format!("{prefix}{rest}");
    let newer = r#"{"v":99,"from":"00000000-0000-0000-0000-000000000000","sent_at":99999999999999,"body":{"Unheard":{}}}"#;
    for rest in
        ["announcements", "news", "devices", "nodes", "engine.1.calls", "engine.1.notices", "wake.refunds"]
    {
        for payload in [newer, "", "null", "{", r#"{"v":1}"#, "\u{1}\u{2}"] {
            nats.publish(subject(rest), payload.to_owned().into()).await.expect("sent");
        }
    }
    let asked = async_nats::Request::new().payload(newer.into()).timeout(Some(Duration::from_secs(10)));
    let refused = nats.send_request(subject("engine.1.calls"), asked).await.expect("an answer");
    let said = String::from_utf8_lossy(&refused.payload).into_owned();
    assert!(said.contains("newer release"), "{said}");
    scene.step("en-route", json!({})).await;
    customer.until_status("en_route").await;
    until_led(&admin).await;
}

/// Two processes on one database; the first leads.
struct Processes {
    app: TestApp,
    nats: Nats,
    first: Server,
    second: Server,
}

impl Processes {
    /// Starts both; clients use the second.
    async fn start(silence_ms: &'static str) -> Self {
        let mut app = spawn_app().await;
        app.stop().await;
        let nats = Nats::start().await;
        let first = Self::run(&app, &nats, silence_ms);
        first.until_ready().await;
        app.address = ([127, 0, 0, 1], first.port).into();
        let admin = app.admin().await;
        until_led(&admin).await;
        let second = Self::run(&app, &nats, silence_ms);
        second.until_ready().await;
        app.address = ([127, 0, 0, 1], second.port).into();
        Self { app, nats, first, second }
    }

    fn run(app: &TestApp, nats: &Nats, silence_ms: &str) -> Server {
        Server::start_with(app, &in_cluster_by_variables(&nats.url(), silence_ms))
    }
}

fn in_cluster_by_variables<'a>(url: &'a str, silence_ms: &'a str) -> Vec<(&'a str, &'a str)> {
    let own = [
        ("ROADCALL__CLUSTER__NATS_URL", url),
        ("ROADCALL__DATABASE__LEADER_SILENCE_MS", silence_ms),
        ("ROADCALL__UPLOADS__PROVIDER", "s3"),
        ("ROADCALL__UPLOADS__ENDPOINT", "http://127.0.0.1:9"),
        ("ROADCALL__UPLOADS__PATH_STYLE", "true"),
        ("ROADCALL__UPLOADS__BUCKET", "files"),
        ("ROADCALL__UPLOADS__ACCESS_KEY_ID", "key"),
        ("ROADCALL__UPLOADS__SECRET_ACCESS_KEY", "secret"),
    ];
    [SETTINGS, &own].concat()
}

#[actix_web::test]
async fn kill_9_of_the_leader_closes_no_other_sockets_and_loses_nothing() {
    let mut pair = Processes::start("4000").await;
    let scene = pair.app.accepted().await;
    let mut customer = pair.app.following(&scene).await;
    pair.first.kill();
    scene.step("en-route", json!({})).await;
    customer.until_status("en_route").await;
    scene.step("arrive", json!({"override_reason": "here"})).await;
    customer.until_status("arrived").await;
    let events = scene.customer.get(&scene.path("/events")).await.expect(200);
    let seqs: Vec<&Value> = events["data"].as_array().unwrap().iter().map(|event| &event["seq"]).collect();
    assert!(seqs.windows(2).all(|pair| pair[0] != pair[1]), "{events}");
    // The server that died comes back and serves without leading.
    let again = Processes::run(&pair.app, &pair.nats, "4000");
    again.until_ready().await;
    let there = scene.mechanic.client.at(([127, 0, 0, 1], again.port).into());
    let code = scene.customer.get(&scene.path("")).await.expect(200)["start_code"].clone();
    there.post(&scene.path("/start"), json!({"start_code": code})).await.expect(200);
    customer.until_status("in_progress").await;
}

#[actix_web::test]
async fn kill_9_of_a_follower_costs_its_sockets_one_reconnect() {
    let mut pair = Processes::start("4000").await;
    let scene = pair.app.accepted().await;
    let mut customer = pair.app.following(&scene).await;
    let last = scene.customer.get(&scene.path("/events")).await.expect(200);
    let since = last["data"].as_array().unwrap().last().unwrap()["seq"].clone();
    pair.second.kill();
    customer.closed().await;
    let there: SocketAddr = ([127, 0, 0, 1], pair.first.port).into();
    scene.mechanic.client.at(there).post(&scene.path("/en-route"), json!({})).await.expect(200);
    let mut again = socket_at(there, &scene.customer).await;
    let resumed = json!({"job_id": scene.job, "since_seq": since});
    again.ask("job.subscribe", resumed).await.expect("subscribed");
    again.until_status("en_route").await;
}

#[actix_web::test]
async fn a_server_with_a_wrong_clock_is_not_ready() {
    let clock = Clock::virtual_from(Clock::system().now() - TimeDelta::minutes(2));
    let app = spawn_cluster_as(StartOptions { clock, ..StartOptions::default() }).await;
    let ready = async || app.anonymous().get("/health/ready").await;
    until_so("the clocks are compared", async || ready().await.body["checks"]["clock"] != "ok").await;
    let ready = ready().await.expect(503);
    assert_eq!(ready["checks"]["clock"], "more than 5 s off the database's", "{ready}");
}

/// Sends the step that the mechanic drives. It may wait longer than a request may: each try is answered, and may be repeated
/// under its key.
async fn drives_on(scene: &Scene) {
    drives_on_until(scene, &[200]).await;
}

/// Repeats the step until one of these answers comes.
async fn drives_on_until(scene: &Scene, last: &[u16]) {
    loop {
        let by = &scene.mechanic.client;
        let answer = by.post_once(&scene.path("/en-route"), &json!({}), "the-mechanic-drives").await;
        if last.contains(&answer.status) {
            return;
        }
        assert!(answer.status == 503 && answer.header("retry-after").is_some(), "{answer:?}");
    }
}

#[actix_web::test]
async fn a_frozen_leader_is_replaced_and_serves_again_when_it_resumes() {
    let pair = Processes::start("1500").await;
    let scene = pair.app.accepted().await;
    let mut customer = pair.app.following(&scene).await;
    pair.first.signal(Signal::SIGSTOP);
    within("another leader", drives_on(&scene)).await;
    customer.until_status("en_route").await;
    pair.first.signal(Signal::SIGCONT);
    // It notices the change, starts again, and serves by way of the present leader.
    let there = scene.mechanic.client.at(([127, 0, 0, 1], pair.first.port).into());
    until_so("the first server serves again", async || {
        let arrived = there.try_post(&scene.path("/arrive"), json!({"override_reason": "here"})).await;
        arrived.is_some_and(|answer| answer.status == 200)
    })
    .await;
    customer.until_status("arrived").await;
    drop(pair.second);
}

#[actix_web::test]
async fn a_leader_that_lost_only_its_lock_keeps_its_sockets_and_can_lead_again() {
    let mut pair = Processes::start("4000").await;
    pair.app.address = ([127, 0, 0, 1], pair.first.port).into();
    let scene = pair.app.accepted().await;
    let mut customer = pair.app.following(&scene).await;
    let db = &pair.app.database.db;
    let end = "select count(pg_terminate_backend(pid)) from pg_locks
        where locktype = 'advisory' and classid = 1919902052 and objid = 1667329132 and granted
            and database = (select oid from pg_database where datname = current_database())";
    let term = || sqlx::query_scalar::<_, i64>("select term from leadership").fetch_one(db);
    let before = term().await.unwrap();
    // The first server may find the lock free itself, and must not be the first to do so.
    pair.first.signal(Signal::SIGSTOP);
    sqlx::query(end).execute(db).await.unwrap();
    within("the second server takes over", async { while term().await.unwrap() == before {} }).await;
    pair.first.signal(Signal::SIGCONT);
    drives_on(&scene).await;
    customer.until_status("en_route").await;

    // The former leader leads again, without a pause for its own clients.
    pair.second.kill();
    let arrived = || sqlx::query_scalar::<_, bool>("select status = 'arrived' from jobs").fetch_one(db);
    until_so("the first server leads again", async || {
        scene.mechanic.client.try_post(&scene.path("/arrive"), json!({"override_reason": "here"})).await;
        arrived().await.unwrap()
    })
    .await;
    customer.until_status("arrived").await;
    let code = scene.customer.get(&scene.path("")).await.expect(200)["start_code"].clone();
    scene.step("start", json!({"start_code": code})).await;
    customer.until_status("in_progress").await;
    assert_eq!(term().await.unwrap(), before + 2, "once more");

    // It leads under another id than that of its messages. Other servers believe its announcements nevertheless.
    let third = Processes::run(&pair.app, &pair.nats, "4000");
    third.until_ready().await;
    pair.app.address = ([127, 0, 0, 1], third.port).into();
    let mut elsewhere = pair.app.following(&scene).await;
    scene.step("complete", json!({"outcome": "fixed"})).await;
    elsewhere.until_status("completed").await;
}

/// Waits for the second check of another server whether the leader answers: the first one was answered.
async fn until_looked_for(app: &TestApp, nats: &Nats) {
    let client = nats.client().await;
    let mut asked = client.subscribe(format!("{}engine.>", prefix(app).await)).await.expect("subscribed");
    let looks = async {
        for _ in 0..2 {
            while let Some(message) = asked.next().await {
                if serde_json::from_slice::<Value>(&message.payload).is_ok_and(|it| it["body"].is_null()) {
                    break;
                }
            }
        }
    };
    within("looks at the leader", looks).await;
}

#[actix_web::test]
async fn a_leader_that_lost_only_its_session_regains_its_lock_first() {
    let mut pair = Processes::start("4000").await;
    until_looked_for(&pair.app, &pair.nats).await;
    pair.app.address = ([127, 0, 0, 1], pair.first.port).into();
    let scene = pair.app.accepted().await;
    let mut customer = pair.app.following(&scene).await;
    let db = &pair.app.database.db;
    let holder = "select pid from pg_locks
        where locktype = 'advisory' and classid = 1919902052 and objid = 1667329132 and granted
            and database = (select oid from pg_database where datname = current_database())";
    let holder = || sqlx::query_scalar::<_, i32>(holder).fetch_optional(db);
    let term = || sqlx::query_scalar::<_, i64>("select term from leadership").fetch_one(db);
    let (before, term_before) = (holder().await.unwrap().expect("a leader"), term().await.unwrap());
    let end = sqlx::query("select pg_terminate_backend($1, 10000)").bind(before);
    end.execute(db).await.unwrap();
    let held_again = async { while holder().await.unwrap().is_none_or(|now| now == before) {} };
    within("somebody leads", held_again).await;
    scene.step("en-route", json!({})).await;
    customer.until_status("en_route").await;
    assert_eq!(term().await.unwrap(), term_before, "another server took the lead");
}

/// Checks that the lead moves when something happens to the leader's way to NATS.
async fn another_leads_after(happens: impl FnOnce(&NatsWay)) {
    let mut app = spawn_app().await;
    app.stop().await;
    let nats = Nats::start().await;
    let way = NatsWay::to(&nats).await;
    let url = nats.url_by(way.address);
    let first = Server::start_with(&app, &in_cluster_by_variables(&url, "4000"));
    first.until_ready().await;
    app.address = ([127, 0, 0, 1], first.port).into();
    let admin = app.admin().await;
    let before = until_led(&admin).await;
    let second = Processes::run(&app, &nats, "4000");
    second.until_ready().await;
    app.address = ([127, 0, 0, 1], second.port).into();
    let scene = app.accepted().await;
    let mut customer = app.following(&scene).await;
    happens(&way);
    // The leader may still carry the step out, and be unable to say so: then the next try is refused.
    within("another leader", drives_on_until(&scene, &[200, 409])).await;
    customer.until_status("en_route").await;
    let after = until_led(&admin.at(app.address)).await;
    assert_ne!(after["engine"]["server"], before["engine"]["server"], "{after}");
    scene.step("arrive", json!({"override_reason": "here"})).await;
    customer.until_status("arrived").await;
    drop(first);
}

#[actix_web::test]
async fn a_leader_that_only_postgres_hears_lets_another_server_lead() {
    another_leads_after(NatsWay::cut).await;
}

#[actix_web::test]
async fn a_leader_that_cannot_answer_lets_another_server_lead() {
    another_leads_after(|way| way.hold(true, false)).await;
}

#[actix_web::test]
async fn a_leader_that_hears_nobody_lets_another_server_lead() {
    another_leads_after(|way| way.hold(false, true)).await;
}

#[actix_web::test]
async fn a_leader_whose_answers_come_too_late_lets_another_server_lead() {
    another_leads_after(|way| way.delay(Duration::from_millis(1_200))).await;
}

#[actix_web::test]
async fn a_server_notices_that_none_of_its_messages_arrive() {
    let mut app = spawn_app().await;
    app.stop().await;
    let nats = Nats::start().await;
    let way = NatsWay::to(&nats).await;
    let first = Processes::run(&app, &nats, "4000");
    first.until_ready().await;
    let second = Server::start_with(&app, &in_cluster_by_variables(&nats.url_by(way.address), "4000"));
    second.until_ready().await;
    app.address = ([127, 0, 0, 1], second.port).into();
    let admin = app.admin().await;
    let before = until_led(&admin).await;
    // These requests go by way of NATS, which has answered the first check.
    app.accepted().await;
    // The leader goes on sending its heartbeat each second.
    way.hold(true, false);
    until_bus(&admin, false).await;
    way.hold(false, false);
    until_bus(&admin, true).await;
    // A server whose own link was broken deposes nobody.
    let after = until_led(&admin).await;
    assert_eq!(after["engine"]["server"], before["engine"]["server"], "{after}");
    drop(first);
}
