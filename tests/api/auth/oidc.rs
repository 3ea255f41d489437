//! The console signs in at the operator's own identity provider.

use reqwest::Method;
use roadcall::{accounts::auth::Role, service::settings::Settings};
use serde_json::{Value, json};

use crate::{
    super_admin::audited,
    support::{
        Answer, Client, PASSWORD, TestApp,
        bodies::{set, without},
        free_ports,
        oidc_provider::{CLIENT_ID, CLIENT_SECRET, OidcPeer, Part, REDIRECT_URI, set_issuer},
        peer::says,
        spawn_app, spawn_app_with,
    },
};

pub(super) const ASHA: &str = "asha@example.com";

pub(super) async fn app_at(peer: &OidcPeer, alter: impl FnOnce(&mut Settings)) -> TestApp {
    spawn_app_with(|settings| {
        peer.set(settings);
        alter(settings);
    })
    .await
}

/// Makes admins of those whose claim names the desk.
fn with_desk(settings: &mut Settings) {
    settings.identity.role_claim = "groups".to_owned();
    settings.identity.admin_values = vec!["desk".to_owned()];
}

/// Returns a field of each change of somebody's role in the audit log.
async fn role_changes(app: &TestApp, id: &str, field: &str) -> Vec<Value> {
    let changes = audited(app, id).await.into_iter().filter(|(action, _)| action == "user.role");
    changes.map(|(_, after)| after[field].clone()).collect()
}

async fn start(app: &TestApp) -> Answer {
    post(app, "/auth/admin-sign-in", &[("x-session", "cookie/console")], &json!({})).await
}

async fn post(app: &TestApp, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
    let alter = |request: reqwest::RequestBuilder| {
        headers.iter().fold(request.json(body), |request, (name, value)| request.header(*name, *value))
    };
    app.anonymous().send_as(Method::POST, path, alter).await
}

/// Returns the cookies that an answer sets, with their attributes.
fn cookies(answer: &Answer) -> Vec<String> {
    answer.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap().to_owned()).collect()
}

/// A sign-in that goes on at the provider: its URL there, and the cookie that the browser keeps.
pub(super) struct Begun {
    pub url: String,
    pub cookie: String,
}

pub(super) async fn begin(app: &TestApp) -> Begun {
    let answer = start(app).await;
    let [cookie] = &cookies(&answer)[..] else { panic!("not one cookie: {}", answer.text) };
    let cookie = cookie.split_once(';').expect("attributes").0.to_owned();
    let data = &answer.expect(200)["data"];
    Begun { url: data["authorizationUrl"].as_str().unwrap().to_owned(), cookie }
}

pub(super) async fn complete(app: &TestApp, cookie: &str, body: &Value) -> Answer {
    let headers = [("x-session", "cookie/console"), ("cookie", cookie)];
    post(app, "/auth/admin-sign-in/complete", &headers, body).await
}

/// Signs somebody with these claims in at the provider, and comes back.
async fn come_back(app: &TestApp, peer: &OidcPeer, claims: Value) -> Answer {
    let begun = begin(app).await;
    let returned = peer.authorize(&begun.url, app.service.clock.now(), claims);
    complete(app, &begun.cookie, &returned.body()).await
}

/// Does the same up to the session; returns the client and the user's id.
async fn signed_in(app: &TestApp, peer: &OidcPeer, claims: Value) -> (Client, String) {
    let data = come_back(app, peer, claims).await.expect(200)["data"].take();
    let text = |field: &str| data[field].as_str().unwrap().to_owned();
    (app.anonymous().with_token(text("accessToken")), text("userId"))
}

async fn sessions(app: &TestApp) -> i64 {
    let live = "select count(*) from sessions where revoked_at is null";
    app.sql_value(live).await
}

#[actix_web::test]
async fn an_admin_signs_in_at_the_provider_and_keeps_the_session_in_a_cookie() {
    let peer = OidcPeer::start().await;
    let app = app_at(&peer, |_| {}).await;
    let id = app.make_admin(ASHA, Role::Admin).await;
    let config = app.anonymous().get("/config").await.expect(200);
    assert_eq!(config["admin_sign_in"], json!({"kind": "provider", "provider_name": "Example"}));

    let answer = start(&app).await;
    let [kept] = &cookies(&answer)[..] else { panic!("not one cookie") };
    let (kept, attributes) = kept.split_once("; ").expect("attributes");
    assert!(kept.starts_with("roadcall_sign_in="), "{kept}");
    assert_eq!(attributes, "Path=/auth; Max-Age=600; HttpOnly; SameSite=Strict");
    let data = answer.expect(200)["data"].take();
    assert_eq!(data["expiresIn"], 600);
    let url = data["authorizationUrl"].as_str().unwrap();

    let returned = peer.authorize(url, app.service.clock.now(), json!({}));
    let answer = complete(&app, kept, &returned.body()).await;
    let set = cookies(&answer);
    let [session, over] = &set[..] else { panic!("not two cookies: {set:?}") };
    assert!(session.starts_with("roadcall_session_console=") && session.contains("HttpOnly"), "{session}");
    assert!(over.starts_with("roadcall_sign_in=; Path=/auth; Max-Age=0"), "{over}");
    let data = answer.expect(200)["data"].take();
    assert_eq!((&data["userId"], &data["role"]), (&json!(id), &json!("admin")));
    assert_eq!(data.get("refreshToken"), None);
    assert_eq!(data["signOutUrl"], format!("{}/logout?client_id={CLIENT_ID}", peer.issuer()));
    let asha = app.anonymous().with_token(data["accessToken"].as_str().unwrap());
    asha.get("/admin/users").await.expect(200);
    let session = session.split(';').next().unwrap();
    let refresh = [("x-session", "cookie/console"), ("cookie", session)];
    let refreshed = post(&app, "/auth/refresh", &refresh, &json!({})).await.expect(200);
    assert_eq!(refreshed["data"]["userId"], json!(id));

    // The provider takes each code once.
    complete(&app, kept, &returned.body()).await.refused(401, "UNAUTHORIZED");
    // Another account of the provider with her address is not hers.
    come_back(&app, &peer, json!({"sub": "u-other"})).await.refused(401, "UNAUTHORIZED");
    let nobody = json!({"email": "nobody@example.com", "sub": "u-nobody"});
    come_back(&app, &peer, nobody).await.refused(403, "FORBIDDEN");
    come_back(&app, &peer, json!({"email_verified": false})).await.refused(403, "EMAIL_NOT_VERIFIED");
    assert_eq!(sessions(&app).await, 1);
}

#[actix_web::test]
async fn only_the_browser_that_began_a_sign_in_completes_it() {
    let peer = OidcPeer::start().await;
    let mut app = app_at(&peer, |_| {}).await;
    app.make_admin(ASHA, Role::Admin).await;
    let (own, others) = (begin(&app).await, begin(&app).await);
    let returned = peer.authorize(&own.url, app.service.clock.now(), json!({}));
    let body = returned.body();
    let path = "/auth/admin-sign-in/complete";
    let browser = ("x-session", "cookie/console");
    post(&app, path, &[browser], &body).await.refused(401, "UNAUTHORIZED");
    complete(&app, &others.cookie, &body).await.refused(401, "UNAUTHORIZED");
    for odd in ["roadcall_sign_in=", "roadcall_sign_in=AAAA", &format!("{}A", own.cookie)] {
        complete(&app, odd, &body).await.refused(401, "UNAUTHORIZED");
    }
    let changed = set(&body, "state", json!("another state"));
    complete(&app, &own.cookie, &changed).await.refused(401, "UNAUTHORIZED");
    complete(&app, &own.cookie, &without(&body, "state")).await.refused_field("state");
    let twice = format!("{}; {}", own.cookie, others.cookie);
    complete(&app, &twice, &body).await.refused(403, "COOKIE_REFUSED");
    let foreign = [browser, ("cookie", own.cookie.as_str()), ("origin", "https://evil.example")];
    post(&app, path, &foreign, &body).await.refused(403, "COOKIE_REFUSED");
    for (path, body) in [("/auth/admin-sign-in", &json!({})), (path, &body)] {
        post(&app, path, &[("cookie", own.cookie.as_str())], body).await.refused_field("X-Session");
    }
    let foreign = [browser, ("origin", "https://evil.example")];
    post(&app, "/auth/admin-sign-in", &foreign, &json!({})).await.refused(403, "COOKIE_REFUSED");
    assert_eq!((peer.asked(Part::Tokens), sessions(&app).await), (0, 0), "the code was sent nowhere");

    // The service stores nothing of a sign-in, so another process can complete it.
    app.restart().await;
    let named = |issuer: &str| set(&body, "iss", json!(issuer));
    complete(&app, &own.cookie, &named("https://evil.example")).await.refused(401, "UNAUTHORIZED");
    complete(&app, &own.cookie, &named(&peer.issuer())).await.expect(200);
}

#[actix_web::test]
async fn a_service_starts_without_its_provider_and_says_so() {
    let [port] = free_ports();
    let mut app = spawn_app_with(|settings| set_issuer(settings, port)).await;
    app.make_admin(ASHA, Role::Admin).await;
    let answer = start(&app).await;
    assert_eq!(answer.header("retry-after"), Some("5"));
    assert_eq!(cookies(&answer), Vec::<String>::new());
    let said = answer.refused(503, "UNAVAILABLE");
    assert_eq!(said["error"]["message"], "The identity provider can't be reached right now. Try again.");
    app.anonymous().get("/health/ready").await.expect(200);

    // `providers/oidc.rs` shows that the provider is found again without a restart.
    let peer = OidcPeer::start_at(port).await;
    app.restart().await;
    signed_in(&app, &peer, json!({})).await;
    peer.speak(Part::Tokens, says(500, ""));
    come_back(&app, &peer, json!({})).await.refused(503, "UNAVAILABLE");
    peer.speak(Part::Tokens, says(200, "<html>").with("content-type", "text/html"));
    come_back(&app, &peer, json!({})).await.refused(502, "PROVIDER_ERROR");
    let wrong = json!({"error": "invalid_client", "error_description": CLIENT_SECRET}).to_string();
    peer.speak(Part::Tokens, says(401, wrong));
    let said = come_back(&app, &peer, json!({})).await;
    let said = said.refused_saying(502, "PROVIDER_ERROR", "invalid_client");
    assert!(!said.to_string().contains(CLIENT_SECRET), "{said}");
}

#[actix_web::test]
async fn an_invitation_is_accepted_with_a_sign_in_at_the_provider() {
    let peer = OidcPeer::start().await;
    let app = app_at(&peer, |_| {}).await;
    app.make_admin(ASHA, Role::SuperAdmin).await;
    let (boss, _) = signed_in(&app, &peer, json!({})).await;
    let kiran = json!({"sub": "u-kiran", "email": "kiran@example.com"});
    come_back(&app, &peer, kiran.clone()).await.refused(403, "FORBIDDEN");
    let invited = json!({"email": "kiran@example.com", "role": "admin"});
    let invited = boss.post("/super-admin/invites", invited).await.expect(201);
    let accept = async |claims: &Value, token: &str| {
        let begun = begin(&app).await;
        let mut body = peer.authorize(&begun.url, app.service.clock.now(), claims.clone()).body();
        body["invitationToken"] = json!(token);
        complete(&app, &begun.cookie, &body).await
    };
    let token = invited["token"].as_str().unwrap();
    accept(&kiran, "none of ours").await.refused(401, "UNAUTHORIZED");
    accept(&json!({"sub": "u-meera", "email": "meera@example.com"}), token).await.refused(403, "FORBIDDEN");
    let accepted = accept(&kiran, token).await.expect(200);
    assert_eq!(accepted["data"]["role"], "admin");
    accept(&kiran, token).await.refused(410, "LINK_EXPIRED");
    let (kiran, _) = signed_in(&app, &peer, kiran).await;
    kiran.get("/admin/users").await.expect(200);
}

#[actix_web::test]
async fn the_providers_claim_gives_changes_and_takes_roles() {
    let peer = OidcPeer::start().await;
    let app = app_at(&peer, |settings| {
        with_desk(settings);
        settings.identity.super_admin_values = vec!["leads".to_owned()];
    })
    .await;
    let asha = |groups: &[&str]| json!({"groups": groups});
    come_back(&app, &peer, asha(&["drivers"])).await.refused(403, "FORBIDDEN");
    let unverified = json!({"email_verified": false, "groups": ["desk"]});
    come_back(&app, &peer, unverified).await.refused(403, "EMAIL_NOT_VERIFIED");
    let (first, id) = signed_in(&app, &peer, asha(&["drivers", "desk"])).await;
    first.get("/admin/users").await.expect(200);
    first.get("/super-admin/admins").await.refused(403, "FORBIDDEN");

    // More rights leave open sessions alone, and fewer end them.
    let (second, same) = signed_in(&app, &peer, asha(&["leads", "desk"])).await;
    assert_eq!(same, id);
    second.get("/super-admin/admins").await.expect(200);
    first.get("/super-admin/admins").await.expect(200);
    let invited = json!({"email": "kiran@example.com", "role": "admin"});
    let invited = second.post("/super-admin/invites", invited).await.expect(201);
    let (third, _) = signed_in(&app, &peer, asha(&["desk"])).await;
    second.get("/users/me").await.refused(401, "UNAUTHORIZED");
    third.get("/super-admin/admins").await.refused(403, "FORBIDDEN");
    let revoked = "select revoked_at is not null from admin_invites where id = $1::uuid";
    let revoked: bool =
        sqlx::query_scalar(revoked).bind(invited["id"].as_str()).fetch_one(&app.database.db).await.unwrap();
    assert!(revoked, "an invitation of somebody who is no super-admin any more");

    come_back(&app, &peer, json!({})).await.refused(403, "FORBIDDEN");
    third.get("/users/me").await.refused(401, "UNAUTHORIZED");
    assert_eq!(sessions(&app).await, 0);
    come_back(&app, &peer, json!({})).await.refused(403, "FORBIDDEN");
    // Another identity with her address takes nothing from her.
    let (back, again) = signed_in(&app, &peer, asha(&["desk"])).await;
    assert_eq!(again, id);
    come_back(&app, &peer, json!({"sub": "u-other"})).await.refused(401, "UNAUTHORIZED");
    come_back(&app, &peer, json!({"sub": "u-other", "groups": ["leads"]})).await.refused(401, "UNAUTHORIZED");
    back.get("/admin/users").await.expect(200);

    let roles = role_changes(&app, &id, "role").await;
    assert_eq!(roles, ["admin", "super_admin", "admin", "customer", "admin"]);
    assert_eq!(role_changes(&app, &id, "given_by").await, ["identity_provider"; 5]);
}

#[actix_web::test]
async fn the_providers_claim_sets_an_admins_desks() {
    let peer = OidcPeer::start().await;
    let app = app_at(&peer, |settings| {
        settings.identity.role_claim = "groups".to_owned();
        settings.identity.super_admin_values = vec!["leads".to_owned()];
        settings.identity.money_values = vec!["finance".to_owned()];
        settings.identity.people_values = vec!["hr".to_owned()];
    })
    .await;
    let asha = |groups: &[&str]| json!({"groups": groups});
    let (first, id) = signed_in(&app, &peer, asha(&["finance"])).await;
    assert_eq!(first.get("/users/me").await.expect(200)["desks"], json!(["money"]));
    first.get("/admin/payments").await.expect(200);
    first.get("/admin/ratings").await.refused(403, "DESK_NEEDED");
    // Open sessions go on, at the desks that the claim names now.
    let (second, _) = signed_in(&app, &peer, asha(&["hr"])).await;
    for session in [&first, &second] {
        session.get("/admin/ratings").await.expect(200);
        session.get("/admin/payments").await.refused(403, "DESK_NEEDED");
    }
    let boss = json!({"sub": "u-boss", "email": "boss@example.com", "groups": ["leads"]});
    let (boss, _) = signed_in(&app, &peer, boss).await;
    let desks = format!("/super-admin/users/{id}/desks");
    boss.put(&desks, json!({"desks": ["dispatch"]})).await.refused(409, "CONFLICT");
    let (lead, _) = signed_in(&app, &peer, asha(&["hr", "leads"])).await;
    lead.get("/admin/audit-log").await.expect(200);
    let changes = role_changes(&app, &id, "desks").await;
    assert_eq!(changes[..2], [json!(["money"]), json!(["people"])]);
}

#[actix_web::test]
async fn a_claim_that_names_no_desks_leaves_them_to_super_admins() {
    let peer = OidcPeer::start().await;
    let app = app_at(&peer, with_desk).await;
    app.make_admin("boss@example.com", Role::SuperAdmin).await;
    let (boss, _) = signed_in(&app, &peer, json!({"sub": "u-boss", "email": "boss@example.com"})).await;
    let (asha, id) = signed_in(&app, &peer, json!({"groups": ["desk"]})).await;
    boss.put(&format!("/super-admin/users/{id}/desks"), json!({"desks": ["people"]})).await.expect(200);
    asha.get("/admin/payments").await.refused(403, "DESK_NEEDED");
    let (asha, _) = signed_in(&app, &peer, json!({"groups": ["desk"]})).await;
    assert_eq!(asha.get("/users/me").await.expect(200)["desks"], json!(["people"]));
    come_back(&app, &peer, json!({})).await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn a_role_given_by_hand_and_a_suspension_outlast_the_claim() {
    let peer = OidcPeer::start().await;
    let app = app_at(&peer, with_desk).await;
    app.make_admin(ASHA, Role::SuperAdmin).await;
    let (boss, _) = signed_in(&app, &peer, json!({})).await;
    signed_in(&app, &peer, json!({"groups": ["desk"]})).await;
    boss.get("/super-admin/admins").await.expect(200);

    let kiran = json!({"sub": "u-kiran", "email": "kiran@example.com", "groups": ["desk"]});
    let (_, id) = signed_in(&app, &peer, kiran.clone()).await;
    // The same claim comes in an ID token, in the way of the contract.
    let (now, lost) =
        (app.service.clock.now().timestamp(), json!({"sub": "u-kiran", "email": "kiran@example.com"}));
    let mut token = json!({"iss": peer.issuer(), "aud": "roadcall-admin", "email_verified": true, "exp": now + 300,
        "groups": ["desk"]});
    token.as_object_mut().unwrap().extend(lost.as_object().unwrap().clone());
    let login = async |token: &Value| {
        app.anonymous().post("/auth/admin-login", json!({"idpIdToken": peer.sign(token)})).await
    };
    login(&token).await.expect(200);
    let suspend = format!("/admin/users/{id}/suspend");
    boss.post(&suspend, json!({"reason": "Lost the laptop."})).await.expect(200);
    come_back(&app, &peer, kiran.clone()).await.refused(403, "ACCOUNT_SUSPENDED");
    boss.post(&format!("/admin/users/{id}/reinstate"), json!({})).await.expect(200);
    login(&token).await.expect(200);
    token["groups"] = json!([]);
    login(&token).await.refused(403, "FORBIDDEN");

    // A super-admin takes control of the role from the provider.
    signed_in(&app, &peer, kiran.clone()).await;
    boss.put(&format!("/super-admin/users/{id}/role"), json!({"role": "super_admin"})).await.expect(200);
    let (kiran, _) = signed_in(&app, &peer, lost).await;
    kiran.get("/super-admin/admins").await.expect(200);
}

#[actix_web::test]
async fn sign_ins_at_the_provider_are_limited_like_admin_logins() {
    let peer = OidcPeer::start().await;
    let app = app_at(&peer, |settings| settings.limits.admin_login_per_minute = 2).await;
    app.make_admin(ASHA, Role::Admin).await;
    app.service.clock.stop();
    let begun = begin(&app).await;
    begin(&app).await;
    start(&app).await.refused(429, "RATE_LIMITED");
    // Somebody who began a sign-in can complete it.
    let returned = peer.authorize(&begun.url, app.service.clock.now(), json!({}));
    complete(&app, &begun.cookie, &returned.body()).await.expect(200);
    complete(&app, &begun.cookie, &returned.body()).await.refused(401, "UNAUTHORIZED");
    complete(&app, &begun.cookie, &returned.body()).await.refused(429, "RATE_LIMITED");
}

#[actix_web::test]
async fn routes_of_the_other_kind_of_provider_are_not_found() {
    let app = spawn_app().await;
    let config = app.anonymous().get("/config").await.expect(200);
    assert_eq!(config["admin_sign_in"], json!({"kind": "password", "provider_name": null}));
    start(&app).await.refused(404, "NOT_FOUND");
    let body = json!({"code": "x", "state": "x"});
    let headers = [("x-session", "cookie/console")];
    post(&app, "/auth/admin-sign-in/complete", &headers, &body).await.refused(404, "NOT_FOUND");

    let peer = OidcPeer::start().await;
    let app = app_at(&peer, |_| {}).await;
    app.make_admin(ASHA, Role::Admin).await;
    let login = json!({"email": ASHA, "password": PASSWORD});
    app.anonymous().post("/idp/token", login).await.refused(404, "NOT_FOUND");
    let back: String = url::form_urlencoded::byte_serialize(REDIRECT_URI.as_bytes()).collect();
    assert!(begin(&app).await.url.contains(&back));
}
