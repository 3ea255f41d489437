//! Limits of one address, and that they do not affect other people behind it.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    super_admin::{KIRAN, invite, token_of},
    support::{
        Answer, Client, TestApp,
        bodies::id_of,
        limits_of_production, new_phone,
        socket::try_connect,
        spawn_app_with, until_so,
        uploads::{photo, presigned},
        within,
    },
};

/// The number of simultaneous requests.
const AT_ONCE: usize = 40;
const FORGED: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Sends a request again and again until it is rate limited; returns the statuses before that.
async fn flood(ask: impl AsyncFn() -> Answer) -> BTreeMap<u16, usize> {
    let mut statuses = BTreeMap::new();
    for _ in 0..100 {
        let answers = futures_util::future::join_all((0..AT_ONCE).map(|_| ask())).await;
        let (refused, answered): (Vec<_>, Vec<_>) =
            answers.into_iter().partition(|answer| answer.status == 429);
        for answer in answered {
            *statuses.entry(answer.status).or_default() += 1;
        }
        if let Some(refused) = refused.into_iter().next() {
            assert!(refused.header("retry-after").is_some(), "{}", refused.text);
            refused.refused(429, "RATE_LIMITED");
            return statuses;
        }
    }
    panic!("a flood that nobody limits: {statuses:?}");
}

/// Sends requests until all of a purpose's allowance is used up, including the part regained meanwhile; returns how many
/// passed.
async fn exhaust(ask: impl AsyncFn() -> Answer) -> usize {
    let mut passed = 0;
    while ask().await.status != 429 {
        passed += 1;
        assert!(passed < 2000, "a flood that nobody limits");
    }
    passed
}

async fn refresh(client: &Client, token: &Value) -> Answer {
    client.post("/auth/refresh", json!({"refreshToken": token})).await
}

/// Returns the tokens of somebody who signs in, and the phone.
async fn signed_in(app: &TestApp) -> (Value, String) {
    let (nobody, phone) = (app.anonymous(), new_phone());
    let sent = nobody.post("/auth/send-otp", json!({"phone": phone})).await.expect(200);
    let body = json!({"phone": phone, "otp": sent["data"]["otp"]});
    (nobody.post("/auth/verify-otp", body).await.expect(200)["data"].clone(), phone)
}

#[actix_web::test]
async fn signed_webhooks_pass_while_unsigned_ones_from_the_same_address_are_limited() {
    let app = spawn_app_with(limits_of_production).await;
    let event = |number: usize| json!({"event": "settlement.processed", "payload": {"number": number}});
    let nobody = app.anonymous();
    let unsigned = async || nobody.webhook(event(0).to_string(), &[]).await;
    let statuses = flood(unsigned).await;
    assert_eq!(statuses.keys().collect::<Vec<_>>(), [&401]);
    assert!(statuses[&401] >= 600, "{statuses:?}");
    for first in (0..720).step_by(AT_ONCE) {
        let sent = (first..first + AT_ONCE).map(async |number| app.webhook(&event(number)).await.status);
        let mut statuses = futures_util::future::join_all(sent).await;
        statuses.dedup();
        assert_eq!(statuses, [200], "from {first}");
    }
    let stored = app.admin().await.get("/admin/webhook-events").await.expect(200);
    assert_eq!(stored["total"], 720);
}

#[actix_web::test]
async fn too_many_reads_do_not_limit_other_requests_of_an_address() {
    let app = spawn_app_with(limits_of_production).await;
    let (admin_email, nobody) = ("asha@example.com", app.anonymous());
    app.make_admin(admin_email, roadcall::accounts::auth::Role::Admin).await;
    let (tokens, _) = signed_in(&app).await;
    let breakdown = app.breakdown().await;
    let job = id_of(&breakdown.call().await);
    let link = breakdown.client.post(&format!("/jobs/{job}/shares"), json!({})).await.expect(201);
    let upload = presigned(&breakdown.client, "job_photo", &photo()).await;
    let ticket = breakdown.client.post("/ws/ticket", json!({})).await.expect(200)["ticket"].clone();

    for _ in 0..16 {
        let opened = futures_util::future::join_all((0..AT_ONCE).map(|_| nobody.get("/config"))).await;
        assert!(opened.iter().all(|answer| answer.status == 200), "opening an app is not counted");
    }
    let statuses = flood(async || nobody.get("/health").await).await;
    assert!(statuses[&200] >= 600, "{statuses:?}");

    refresh(&nobody, &tokens["refreshToken"]).await.expect(200);
    signed_in(&app).await;
    app.sign_in_admin(admin_email).await.get("/admin/live").await.expect(200);
    nobody.get(&format!("/shares/{}", link["token"].as_str().unwrap())).await.expect(200);
    upload.put(&nobody, &photo()).await.expect(200);
    let path = format!("/ws?ticket={}", ticket.as_str().unwrap());
    try_connect(app.address, &path, &[]).await.expect("a socket");
    app.webhook(&json!({"event": "settlement.processed", "payload": {}})).await.expect(200);
    breakdown.client.get("/users/me").await.expect(200);
}

#[actix_web::test]
async fn forged_credentials_are_limited_without_affecting_genuine_ones_from_the_same_address() {
    let app = spawn_app_with(|settings| {
        settings.limits.per_address_per_minute = 20;
        settings.limits.admin_login_per_minute = 10;
        settings.shares.requests_per_minute = 10;
    })
    .await;
    let nobody = app.anonymous();
    let (tokens, phone) = signed_in(&app).await;
    let breakdown = app.breakdown().await;
    let job = id_of(&breakdown.call().await);
    let link = breakdown.client.post(&format!("/jobs/{job}/shares"), json!({})).await.expect(201);
    let upload = presigned(&breakdown.client, "job_photo", &photo()).await;
    let ticket = breakdown.client.post("/ws/ticket", json!({})).await.expect(200)["ticket"].clone();
    let email = "meera@example.com";
    app.make_admin(email, roadcall::accounts::auth::Role::Admin).await;
    let login = json!({"email": email, "password": crate::support::PASSWORD});
    let known = nobody.post("/idp/token", login.clone()).await.expect(200);
    app.service.clock.stop();

    let forged_link =
        format!("/uploads/{}/content?expires=4102444800&signature={}", upload.id, "0".repeat(64));
    // Each request has another email: tries for one email are counted separately.
    let guess = || {
        let email = format!("x{}@example.com", &new_phone()[1..]);
        json!({"email": email, "password": "a guess", "deviceToken": "made up"})
    };
    exhaust(async || refresh(&nobody, &json!(FORGED)).await).await;
    exhaust(async || nobody.get(&format!("/shares/{FORGED}")).await).await;
    exhaust(async || nobody.post(&format!("/shares/{FORGED}/calls/x/signal"), json!({})).await).await;
    exhaust(async || nobody.get(&forged_link).await).await;
    exhaust(async || nobody.get(&format!("/ws?ticket={FORGED}")).await).await;
    exhaust(async || nobody.post("/idp/token", guess()).await).await;
    exhaust(async || nobody.post("/auth/verify-otp", json!({"phone": new_phone(), "otp": "000000"})).await)
        .await;

    refresh(&nobody, &tokens["refreshToken"]).await.expect(200);
    nobody.get(&format!("/shares/{}", link["token"].as_str().unwrap())).await.expect(200);
    upload.put(&nobody, &photo()).await.expect(200);
    let path = format!("/ws?ticket={}", ticket.as_str().unwrap());
    try_connect(app.address, &path, &[]).await.expect("a socket");
    let mut by_device = json!({"phone": phone, "deviceToken": tokens["deviceToken"]});
    let sent = nobody.post("/auth/send-otp", by_device.clone()).await.expect(200);
    by_device["otp"] = sent["data"]["otp"].clone();
    nobody.post("/auth/verify-otp", by_device).await.expect(200);
    let mut login = login;
    login["deviceToken"] = known["deviceToken"].clone();
    let id_token = nobody.post("/idp/token", login).await.expect(200)["idToken"].clone();
    nobody.post("/auth/admin-login", json!({"idpIdToken": id_token})).await.expect(200);
}

#[actix_web::test]
async fn a_genuine_credential_has_a_separate_limit() {
    let app = spawn_app_with(|settings| {
        settings.limits.per_credential_per_minute = 4;
        settings.shares.requests_per_minute = 4;
        settings.auth.refresh_grace_s = 0;
    })
    .await;
    let nobody = app.anonymous();
    let (tokens, _) = signed_in(&app).await;
    let (others, _) = signed_in(&app).await;
    app.service.clock.stop();
    // All tokens of a session count together.
    let mut token = tokens["refreshToken"].clone();
    let mut exchanged = 0;
    loop {
        let answer = refresh(&nobody, &token).await;
        if answer.status == 429 {
            break;
        }
        token = answer.expect(200)["data"]["refreshToken"].clone();
        exchanged += 1;
        assert!(exchanged < 100, "nothing limits a session");
    }
    assert!(exchanged >= 4);
    refresh(&nobody, &others["refreshToken"]).await.expect(200);
    let breakdown = app.breakdown().await;
    let job = id_of(&breakdown.call().await);
    let share = async || breakdown.client.post(&format!("/jobs/{job}/shares"), json!({})).await.expect(201);
    let path = |link: &Value| format!("/shares/{}", link["token"].as_str().unwrap());
    let (one, other) = (path(&share().await), path(&share().await));
    assert!(exhaust(async || nobody.get(&one).await).await >= 4);
    nobody.get(&other).await.expect(200);
}

#[actix_web::test]
async fn forged_invitations_and_wrong_passwords_do_not_affect_genuine_ones_and_known_devices() {
    let app = spawn_app_with(|settings| settings.limits.admin_login_per_minute = 4).await;
    let (boss, nobody) = (app.super_admin().await, app.anonymous());
    let (invited, other) =
        (invite(&boss, KIRAN, "admin").await, invite(&boss, "asha@example.com", "admin").await);
    let (email, password) = ("meera@example.com", crate::support::PASSWORD);
    app.make_admin(email, roadcall::accounts::auth::Role::Admin).await;
    let login = json!({"email": email, "password": password});
    let device = nobody.post("/idp/token", login.clone()).await.expect(200)["deviceToken"].clone();
    let owner = json!({"email": email, "password": password, "deviceToken": device});
    app.service.clock.stop();

    // Each request has another email: tries for one email are counted separately.
    let guess = || json!({"email": format!("x{}@example.com", &new_phone()[1..]), "password": "a guess"});
    exhaust(async || nobody.post("/idp/second-factor", guess()).await).await;
    let forged = json!({"token": FORGED, "idpIdToken": "a.b.c"});
    exhaust(async || nobody.post("/auth/accept-invite", forged.clone()).await).await;
    let forged = json!({"token": FORGED, "password": password});
    exhaust(async || nobody.post("/idp/accounts", forged.clone()).await).await;

    nobody.post("/idp/second-factor", owner.clone()).await.expect(200);
    let mut confirmation = owner;
    confirmation["code"] = json!("000000");
    nobody.post("/idp/second-factor/confirm", confirmation).await.refused_field("code");
    let account = json!({"token": other["token"], "password": password});
    nobody.post("/idp/accounts", account).await.expect(200);
    let accept = async |id_token: &str| {
        let body = json!({"token": invited["token"], "idpIdToken": id_token});
        nobody.post("/auth/accept-invite", body).await
    };
    accept("a.b.c").await.refused(401, "UNAUTHORIZED");
    accept(&token_of(&app, "kiran", KIRAN, true).await).await.expect(200);
    assert!(exhaust(async || accept("a.b.c").await).await <= 4, "an invitation has a limit of its own");
}

#[actix_web::test]
async fn requests_refused_before_their_credential_is_read_count_for_the_address() {
    let app = spawn_app_with(|settings| {
        settings.limits.per_address_per_minute = 5;
        settings.limits.admin_login_per_minute = 5;
    })
    .await;
    app.service.clock.stop();
    let nobody = app.anonymous();
    for path in ["/auth/send-otp", "/auth/refresh", "/idp/accounts"] {
        let odd = async || nobody.send_as(Method::POST, path, |request| request.body("{")).await;
        assert_eq!(exhaust(odd).await, 5, "{path}");
    }
    assert_eq!(exhaust(async || nobody.webhook("", &[]).await).await, 5);
}

/// Sends a request over a connection that may be used again; returns the head of the answer, or `None` if the connection
/// has ended.
async fn ask(connection: &mut TcpStream) -> Option<String> {
    let request = b"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
    connection.write_all(request).await.ok()?;
    let mut read = String::new();
    loop {
        if let Some((head, body)) = read.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.and_then(|length| length.parse::<usize>().ok()).unwrap_or_default() {
                return Some(head.to_owned());
            }
        }
        let mut part = [0; 4096];
        let length =
            within("an answer", connection.read(&mut part)).await.ok().filter(|length| *length > 0)?;
        read.push_str(std::str::from_utf8(&part[..length]).expect("text"));
    }
}

async fn connection(app: &TestApp) -> TcpStream {
    TcpStream::connect(app.address).await.expect("a connection")
}

/// Opens connections, each of which has had an answer.
async fn connections(app: &TestApp, most: usize) -> Vec<TcpStream> {
    let mut open = Vec::new();
    for number in 0..most {
        let mut one = connection(app).await;
        let head = ask(&mut one).await.unwrap_or_else(|| panic!("connection {number} was closed"));
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        assert!(!head.contains("connection: close"), "{number}: {head}");
        open.push(one);
    }
    open
}

#[actix_web::test]
async fn connections_of_an_address_are_limited_and_those_of_a_proxy_are_not() {
    let app = spawn_app_with(|settings| settings.server.connections_per_address = 3).await;
    let mut open = connections(&app, 3).await;
    assert_eq!(ask(&mut connection(&app).await).await, None, "one more is closed");
    open.pop();
    until_so("room", async || ask(&mut connection(&app).await).await.is_some()).await;
    let proxied = spawn_app_with(|settings| {
        settings.server.connections_per_address = 3;
        settings.server.trusted_proxies = vec!["127.0.0.1".to_owned()];
    })
    .await;
    connections(&proxied, 6).await;
}

#[actix_web::test]
async fn connections_end_after_their_answers_when_nearly_all_are_open() {
    let app = spawn_app_with(|settings| settings.server.max_connections = 16).await;
    let open = connections(&app, 13).await;
    let mut last = connection(&app).await;
    let head = ask(&mut last).await.expect("an answer");
    assert!(head.contains("connection: close"), "{head}");
    assert_eq!(ask(&mut last).await, None, "it has ended");
    drop(open);
}
