//! The service's secrets are replaced while people use it. Whatever an earlier secret made stays good while that secret is
//! accepted.

use std::{cell::Cell, future::pending, net::SocketAddr, rc::Rc, time::Duration};

use actix_web::rt;
use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Method;
use roadcall::{
    accounts::auth::{
        Role, ServerSecret, ServerSecrets,
        keys::{SealedFactors, reseal, sealed_factors, used},
    },
    app::{self, Running, StartOptions},
    lifecycle::keys::{KeyReport, SecretNeed, report},
    platform::keys::KeyRing,
    service::settings::{AuthSettings, Secret, Settings},
};
use serde_json::{Value, json};

use super::{
    cookies::{Page, set_cookie},
    oidc::{ASHA, app_at, begin, complete},
    second_factor::{MEERA, code, enrolled, token},
};
use crate::support::{
    Answer, Client, PASSWORD, Person, TestApp,
    bodies::id_of,
    browser::Browser,
    mail_server::MailServer,
    new_phone,
    oidc_provider::OidcPeer,
    peer::says,
    spawn_app_with, spawn_cluster_with,
    uploads::{photo, presigned, uploaded},
    within,
};

const OLD: &str = "the earlier secret, of 32 bytes or more";
const NEW: &str = "the secret of today, of 32 bytes or more";
const WRONG: &str = "a secret that never was one, of 32 bytes";

/// Puts a secret in use, and accepts others as well.
fn with(auth: &mut AuthSettings, secret: &str, accepted: &[&str]) {
    auth.token_secret = Secret(secret.to_owned());
    auth.accepted_token_secrets = accepted.iter().map(|secret| Secret((*secret).to_owned())).collect();
}

fn old(settings: &mut Settings) {
    with(&mut settings.auth, OLD, &[]);
    settings.limits.admin_login_per_minute = 100_000;
    settings.auth.refresh_grace_s = 300;
    settings.uploads.document_link_ttl_s = 3600;
    // Links and issuers stay the same when a server starts again at another port.
    settings.server.public_url = "http://localhost:8080".to_owned();
}

async fn restart(app: &mut TestApp, secret: &str, accepted: &[&str]) {
    app.restart_with(|settings| {
        with(&mut settings.auth, secret, accepted);
        settings.check().expect("sound settings");
    })
    .await;
}

fn secrets(all: &[&str]) -> ServerSecrets {
    let mut all = all.iter().map(|secret| ServerSecret::new(secret.as_bytes()));
    ServerSecrets(KeyRing::new(all.next().expect("one"), all.collect()))
}

async fn sealed(app: &TestApp, all: &[&str]) -> SealedFactors {
    sealed_factors(&app.database.db, &secrets(all)).await.expect("read")
}

/// Returns a code of the app that differs from the one of `used_at`.
fn fresh(app: &TestApp, secret: &str, used_at: DateTime<Utc>) -> String {
    code(secret, app.service.clock.now().max(used_at + TimeDelta::seconds(30)))
}

/// Does the work of the hourly housekeeping.
async fn resealed(app: &TestApp) -> u64 {
    let service = &app.service;
    reseal(&service.db, &service.random, service.auth.auth.factor_keys()).await.expect("sealed")
}

async fn refresh(by: &Client, token: &str) -> Value {
    by.without_token().post("/auth/refresh", json!({"refreshToken": token})).await.expect(200)["data"].take()
}

fn text(body: &Value, field: &str) -> String {
    body[field].as_str().unwrap_or_else(|| panic!("no {field} in {body}")).to_owned()
}

/// Things that people hold and that an earlier secret made.
struct Held {
    customer: Person,
    job_link: String,
    put: crate::support::uploads::Announced,
    get: String,
    document: String,
    phone: String,
    otp: Value,
    email_code: String,
    place: String,
    invitation: String,
    id_token: Value,
    cookie: String,
    next_cookie: String,
    refresh_token: String,
}

const ATTEMPT: &str = "one-attempt-of-a-page";

fn page<'a>(client: &'a Client, cookie: &str) -> Page<'a> {
    Page::posts(client, "/auth/refresh").cookie(cookie).header("x-attempt", ATTEMPT)
}

async fn hold(app: &TestApp, mail: &MailServer) -> Held {
    let (stranded, boss) = (app.breakdown().await, app.super_admin().await);
    let customer = stranded.client.clone();
    let job = id_of(&stranded.call().await);
    let link = customer.post(&format!("/jobs/{job}/shares"), json!({})).await.expect(201);
    let document = uploaded(&customer, "document", &photo()).await.link_path(&customer).await;
    let phone = new_phone();
    customer.post("/users/me/email", json!({"email": "asha@example.com"})).await.expect(200);
    let shown = mail.until_mails("asha@example.com", 1).await[0].shown();
    let email_code = shown.split(|c: char| !c.is_ascii_digit()).find(|digits| digits.len() == 6);
    let asked = boss.post("/admin/place-requests", json!({"phone": "+919812345678"})).await.expect(201);
    let invite = json!({"email": "kiran@example.com", "role": "admin"});
    let invited = boss.post("/super-admin/invites", invite).await.expect(201);
    // This is in a browser, whose page gets no answer to its first refresh.
    let body = json!({"phone": customer.phone, "otp": otp(app, &customer.phone).await});
    let anyone = app.anonymous();
    let (cookie, _) = set_cookie(&Page::posts(&anyone, "/auth/verify-otp").body(body).sent().await);
    let (next_cookie, _) = set_cookie(&page(&anyone, &cookie).sent().await);
    app.make_admin("ravi@example.com", Role::Admin).await;
    Held {
        job_link: format!("/shares/{}", text(&link, "token")),
        put: presigned(&customer, "avatar", &photo()).await,
        get: uploaded(&customer, "avatar", &photo()).await.link_path(&customer).await,
        document,
        otp: otp(app, &phone).await,
        phone,
        email_code: email_code.expect("a code").to_owned(),
        place: text(&asked, "url").rsplit('/').next().expect("a code").to_owned(),
        invitation: text(&invited, "token"),
        id_token: app.id_token("ravi@example.com").await,
        cookie,
        next_cookie,
        refresh_token: app.customer().await.refresh_token,
        customer,
    }
}

/// Requests a code; one that is still good is sent again.
async fn otp(app: &TestApp, phone: &str) -> Value {
    app.send_otp(phone).await.expect(200)["data"]["otp"].take()
}

#[actix_web::test]
async fn things_made_with_an_earlier_secret_are_good_while_it_is_accepted() {
    let mail = MailServer::start().await;
    let mut app = spawn_app_with(|settings| {
        old(settings);
        settings.auth.otp_resend_after_s = 0;
        mail.set(&mut settings.mail);
    })
    .await;
    let held = hold(&app, &mail).await;
    restart(&mut app, NEW, &[WRONG, OLD]).await;
    let anyone = app.anonymous();
    let customer = held.customer.at(app.address);

    customer.get("/users/me").await.expect(200);
    anyone.get(&held.job_link).await.expect(200);
    held.put.put(&customer, &photo()).await.expect(200);
    for link in [&held.get, &held.document] {
        assert_eq!(anyone.get(link).await.status, 200, "{link}");
    }
    // The same code is sent again, so that whichever message arrives has the right one.
    assert_eq!(otp(&app, &held.phone).await, held.otp);
    let verify = json!({"phone": held.phone, "otp": held.otp, "name": "Ravi"});
    anyone.post("/auth/verify-otp", verify).await.expect(200);
    let confirm = json!({"code": held.email_code});
    let me = customer.post("/users/me/email/confirm", confirm).await.expect(200);
    assert_eq!(me["email_verified"], true);
    anyone.get(&format!("/place-requests/{}", held.place)).await.expect(200);
    anyone.post("/auth/admin-login", json!({"idpIdToken": held.id_token})).await.expect(200);
    // The page repeats the attempt whose answer it did not get: it gets the cookie that the browser may have kept.
    let (again, _) = set_cookie(&page(&anyone, &held.cookie).sent().await);
    assert_eq!(again, held.next_cookie);
    let refreshed = refresh(&customer, &held.customer.refresh_token).await;
    let renewed = anyone.with_token(text(&refreshed, "accessToken"));

    // Without the earlier secret, everything that it signed is refused, and everything that is kept as a hash lives on.
    restart(&mut app, NEW, &[WRONG]).await;
    let anyone = app.anonymous();
    held.customer.at(app.address).get("/users/me").await.refused(401, "UNAUTHORIZED");
    renewed.at(app.address).get("/users/me").await.expect(200);
    let another = text(&refreshed, "refreshToken");
    refresh(&anyone, &another).await;
    anyone.get(&held.job_link).await.expect(200);
    let account = json!({"token": held.invitation, "password": PASSWORD});
    anyone.post("/idp/accounts", account).await.expect(200);
    refresh(&anyone, &held.refresh_token).await;
    for link in [&held.get, &held.document] {
        anyone.get(link).await.refused(401, "SIGNATURE_INVALID");
    }
    anyone.get(&format!("/place-requests/{}", held.place)).await.refused(404, "NOT_FOUND");
    anyone.post("/auth/admin-login", json!({"idpIdToken": held.id_token})).await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn an_accepted_secret_admits_nobody_with_an_unknown_one() {
    let mut app = spawn_app_with(old).await;
    let person = app.customer().await;
    restart(&mut app, WRONG, &[]).await;
    let forger = app.sign_in(&person.phone).await;
    restart(&mut app, NEW, &[OLD]).await;
    forger.at(app.address).get("/users/me").await.refused(401, "UNAUTHORIZED");
    person.at(app.address).get("/users/me").await.expect(200);
}

#[actix_web::test]
async fn the_generated_secret_is_replaced_by_one_of_the_settings() {
    let mut app = spawn_app_with(|settings| {
        old(settings);
        settings.auth.token_secret.0.clear();
    })
    .await;
    let person = app.customer().await;
    restart(&mut app, NEW, &["generated"]).await;
    person.at(app.address).get("/users/me").await.expect(200);
    restart(&mut app, NEW, &[]).await;
    person.at(app.address).get("/users/me").await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn a_second_factor_is_sealed_anew_when_it_is_used_and_by_the_worker() {
    let mut app = spawn_app_with(old).await;
    app.make_admin(MEERA, Role::Admin).await;
    let (secret, at) = enrolled(&app).await;
    let only = |by_secret: &[usize]| SealedFactors { by_secret: by_secret.to_vec(), unreadable: Vec::new() };
    assert_eq!(sealed(&app, &[NEW, OLD]).await, only(&[0, 1]));
    restart(&mut app, NEW, &[OLD]).await;
    let next = fresh(&app, &secret, at);
    token(&app, PASSWORD, Some(&next)).await.expect(200);
    assert_eq!(sealed(&app, &[NEW, OLD]).await, only(&[1, 0]));

    // The old secret is back, and nobody signs in.
    restart(&mut app, OLD, &[NEW]).await;
    assert_eq!(resealed(&app).await, 1);
    assert_eq!(resealed(&app).await, 0);
    assert_eq!(sealed(&app, &[OLD]).await, only(&[1]));
    token(&app, PASSWORD, None).await.refused(401, "SECOND_FACTOR_REQUIRED");
}

/// Returns which things need which secret at that time.
async fn found(app: &TestApp, now: DateTime<Utc>) -> KeyReport {
    let (secrets, lives) = (app.service.settings.named_secrets(), app.service.settings.longest_life());
    report(&secrets, lives, &app.database.db, now).await.expect("a report")
}

#[actix_web::test]
async fn a_second_factor_whose_secret_is_missing_works_again_once_it_is_back() {
    let mut app = spawn_app_with(old).await;
    app.make_admin(MEERA, Role::Admin).await;
    let (secret, at) = enrolled(&app).await;
    restart(&mut app, NEW, &[]).await;
    let next = fresh(&app, &secret, at);
    let refused = token(&app, PASSWORD, Some(&next)).await.refused(503, "UNAVAILABLE");
    assert!(refused.to_string().contains("a key is missing"), "{refused}");
    let found = found(&app, app.service.clock.now()).await;
    assert_eq!(found.unreadable.len(), 1);
    assert_eq!(found.missing[0].id, ServerSecret::new(OLD.as_bytes()).id());
    // The factor was not removed, and nobody can set up another one with the password alone.
    let owner = json!({"email": MEERA, "password": PASSWORD});
    app.anonymous().post("/idp/second-factor", owner).await.refused(409, "CONFLICT");

    restart(&mut app, NEW, &[OLD]).await;
    token(&app, PASSWORD, Some(&fresh(&app, &secret, at))).await.expect(200);
}

#[actix_web::test]
async fn the_report_says_what_needs_each_secret() {
    let mut app = spawn_app_with(old).await;
    app.make_admin(MEERA, Role::Admin).await;
    enrolled(&app).await;
    let needs = async |app: &TestApp, after: TimeDelta| {
        let now = app.service.clock.now() + after;
        found(app, now).await.secrets.into_iter().map(|secret| secret.need).collect::<Vec<_>>()
    };
    restart(&mut app, OLD, &[NEW]).await;
    assert_eq!(needs(&app, TimeDelta::zero()).await, [SecretNeed::InUse, SecretNeed::Next]);
    restart(&mut app, NEW, &[OLD]).await;
    assert_eq!(needs(&app, TimeDelta::days(1)).await, [SecretNeed::InUse, SecretNeed::SecondFactors]);
    resealed(&app).await;
    let [_, SecretNeed::Until(at)] = needs(&app, TimeDelta::zero()).await[..] else {
        panic!("not until a time")
    };
    assert!(at > app.service.clock.now() + TimeDelta::minutes(29), "{at}");
    assert_eq!(needs(&app, TimeDelta::days(1)).await, [SecretNeed::InUse, SecretNeed::Nothing]);
    let started = used(&app.database.db).await.expect("read");
    assert_eq!(started[0].id, ServerSecret::new(NEW.as_bytes()).id());
    assert_eq!(started.len(), 2);
}

#[actix_web::test]
async fn a_sign_in_at_the_provider_goes_on_after_the_secret_was_replaced() {
    let peer = OidcPeer::start().await;
    let mut app = app_at(&peer, |settings| with(&mut settings.auth, OLD, &[])).await;
    app.make_admin(ASHA, Role::Admin).await;
    let begun = [begin(&app).await, begin(&app).await];
    let back = |begun: &super::oidc::Begun| peer.authorize(&begun.url, app.service.clock.now(), json!({}));
    let bodies = [back(&begun[0]).body(), back(&begun[1]).body()];
    restart(&mut app, NEW, &[OLD]).await;
    complete(&app, &begun[0].cookie, &bodies[0]).await.expect(200);
    restart(&mut app, NEW, &[]).await;
    complete(&app, &begun[1].cookie, &bodies[1]).await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn an_earlier_push_subscription_keeps_its_key() {
    let mut app = spawn_app_with(old).await;
    let (admin, browser) = (app.admin().await, Browser::start().await);
    let key = async |by: &Client| text(&by.get("/config").await.expect(200)["push"], "vapid_public_key");
    let before = key(&app.anonymous()).await;
    restart(&mut app, NEW, &[OLD]).await;
    let mut mechanic = app.on_road(&admin.at(app.address)).await;
    let stranded = app.breakdown().await;
    stranded.client.post("/notifications/push-tokens", browser.registration("laptop")).await.expect(201);
    browser.answer_next([says(403, "")]);
    app.taken(&stranded, &mut mechanic).await;
    let pushed = browser.until_pushed("job_accepted", 2).await;
    assert_eq!(pushed[0].public_key, key(&app.anonymous()).await);
    assert_eq!(pushed[1].public_key, before);
    assert_eq!(pushed[0].content, pushed[1].content);
}

#[actix_web::test]
async fn webhooks_signed_with_the_next_secret_are_taken_early() {
    let of_webhooks = |settings: &mut Settings, secret: &str, previous: &str| {
        settings.gateway.webhook_secret.0 = secret.to_owned();
        settings.gateway.webhook_secret_previous.0 = previous.to_owned();
    };
    let mut app = spawn_app_with(|settings| of_webhooks(settings, OLD, NEW)).await;
    let body = r#"{"event":"invoice.paid","payload":{}}"#;
    let of_old = app.service.payments.webhook_keys.sign(body.as_bytes());
    let sent = async |app: &TestApp, signature: &str| {
        app.anonymous().webhook(body, &[("x-gateway-signature", signature)]).await
    };
    app.restart_with(|settings| of_webhooks(settings, NEW, OLD)).await;
    let of_new = app.service.payments.webhook_keys.sign(body.as_bytes());
    for signature in [&of_old, &of_new] {
        sent(&app, signature).await.expect(200);
    }
    app.restart_with(|settings| of_webhooks(settings, OLD, NEW)).await;
    for signature in [&of_old, &of_new] {
        sent(&app, signature).await.expect(200);
    }
}

/// The state that clients under load share.
#[derive(Default)]
struct Load {
    servers: Cell<Option<[SocketAddr; 2]>>,
    is_over: Cell<bool>,
    served: Cell<u64>,
    refused: std::cell::RefCell<Vec<String>>,
    /// The number of refreshes that each client has made.
    refreshes: [Cell<u64>; CLIENTS],
}

const CLIENTS: usize = 6;

impl Load {
    fn note_refusal(&self, path: &str, answer: &Answer) {
        self.refused.borrow_mut().push(format!("{path}: {} {}", answer.status, answer.text));
    }

    /// Returns the server whose turn it is.
    fn server(&self, turn: u64) -> SocketAddr {
        self.servers.get().expect("servers")[usize::try_from(turn % 2).expect("a place")]
    }

    /// Returns the answer of whichever server is up. A request that a stopping or starting server does not answer is sent
    /// again.
    async fn ask(
        &self,
        turn: u64,
        by: &Client,
        method: &Method,
        path: &str,
        body: Option<&Value>,
    ) -> Option<Value> {
        for attempt in 0.. {
            if self.is_over.get() {
                return None;
            }
            let answer = by.at(self.server(turn + attempt)).try_send(method, path, body).await;
            match answer {
                Some(answer) if answer.status == 200 => {
                    self.served.set(self.served.get() + 1);
                    return Some(answer.body);
                }
                Some(answer) if answer.status < 500 => {
                    self.note_refusal(path, &answer);
                    return None;
                }
                _ => {
                    // The server is starting, and nothing signals when it is up.
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        }
        None
    }

    /// Plays one client: reads with its access token, refreshes its session, and signs in again at two servers.
    async fn play(self: Rc<Self>, number: usize, person: Person, link: String) {
        let (mut access, mut refresh) =
            (person.token().expect("signed in").to_owned(), person.refresh_token.clone());
        let anyone = person.without_token();
        let (get, post) = (Method::GET, Method::POST);
        let mut turn = number as u64;
        while !self.is_over.get() {
            let me = anyone.with_token(access.clone());
            for _ in 0..2 {
                self.ask(turn, &me, &get, "/users/me", None).await;
                turn += 1;
            }
            self.ask(turn, &anyone, &get, &link, None).await;
            let body = json!({"refreshToken": refresh});
            if let Some(answer) = self.ask(turn, &anyone, &post, "/auth/refresh", Some(&body)).await {
                let data = &answer["data"];
                (access, refresh) = (text(data, "accessToken"), text(data, "refreshToken"));
                self.refreshes[number].set(self.refreshes[number].get() + 1);
            }
            turn += 1;
            if !turn.is_multiple_of(4) {
                continue;
            }
            let phone = new_phone();
            let sent = self.ask(turn, &anyone, &post, "/auth/send-otp", Some(&json!({"phone": phone}))).await;
            if let Some(sent) = sent {
                let body = json!({"phone": phone, "otp": sent["data"]["otp"], "name": "Asha"});
                // A code is good once, so a request whose answer was lost may not be repeated.
                let at = self.server(turn + 1);
                match anyone.at(at).try_send(&post, "/auth/verify-otp", Some(&body)).await {
                    Some(answer) if (400..500).contains(&answer.status) => {
                        self.note_refusal("/auth/verify-otp", &answer);
                    }
                    Some(_) => self.served.set(self.served.get() + 1),
                    None => {}
                }
            }
            turn += 1;
        }
    }

    /// Waits until each client has refreshed at both servers from now on.
    async fn until_all_refreshed(&self) {
        let before: Vec<u64> = self.refreshes.iter().map(Cell::get).collect();
        let all = async {
            while self.refused.borrow().is_empty()
                && self.refreshes.iter().zip(&before).any(|(now, before)| now.get() < before + 3)
            {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        within("every client refreshes its session", all).await;
        assert_eq!(*self.refused.borrow(), Vec::<String>::new());
    }
}

/// Ends a server as SIGTERM would, and starts it with these secrets.
async fn restarted(server: Running, secret: &str, accepted: &[&str]) -> Running {
    let mut settings = Settings::clone(&server.service.settings);
    with(&mut settings.auth, secret, accepted);
    server.stop(pending()).await;
    app::start(settings, StartOptions::default()).await.expect("it starts again")
}

#[actix_web::test]
async fn a_secret_is_replaced_on_two_servers_under_load_and_nobody_is_refused() {
    let wide = |settings: &mut Settings| {
        old(settings);
        settings.limits.per_user_per_minute = 1_000_000;
        settings.limits.per_credential_per_minute = 1_000_000;
        (settings.sms.per_hour, settings.sms.per_day) = (1_000_000, 1_000_000);
    };
    let mut app = spawn_cluster_with(wide, StartOptions::default()).await;
    let (stranded, job) = app.called().await;
    let link = stranded.client.post(&format!("/jobs/{job}/shares"), json!({})).await.expect(201);
    let link = format!("/shares/{}", text(&link, "token"));
    let gateway = app.running.take().expect("a server");
    let leader = app.cluster.as_mut().and_then(|cluster| cluster.leader.take()).expect("a leader");
    let load = Rc::new(Load::default());
    let mut servers = [gateway, leader].map(Some);
    let addresses = |servers: &[Option<Running>; 2]| {
        servers.each_ref().map(|server| server.as_ref().expect("a server").address)
    };
    load.servers.set(Some(addresses(&servers)));
    let mut clients = Vec::new();
    for number in 0..CLIENTS {
        let person = app.customer().await;
        clients.push(rt::spawn(load.clone().play(number, person, link.clone())));
    }
    load.until_all_refreshed().await;
    // First each knows the next secret, then each uses it, then each forgets the earlier one.
    for (secret, accepted) in [(OLD, &[NEW][..]), (NEW, &[OLD]), (NEW, &[])] {
        for place in [0, 1] {
            let server = servers[place].take().expect("a server");
            servers[place] = Some(restarted(server, secret, accepted).await);
            load.servers.set(Some(addresses(&servers)));
            // Now one of the two servers has the new settings.
            load.until_all_refreshed().await;
        }
    }
    load.is_over.set(true);
    for client in clients {
        within("the client ends", client).await.expect("it did not fail");
    }
    let served = load.served.get();
    assert_eq!(*load.refused.borrow(), Vec::<String>::new());
    // Each phase waits for three refreshes of each client.
    assert!(served >= 7 * 3 * CLIENTS as u64, "{served}");
    for server in servers {
        server.expect("a server").stop(pending()).await;
    }
}
