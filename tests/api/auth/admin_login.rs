use roadcall::{
    accounts::auth::Role,
    lifecycle::admins,
    providers::identity::{Expected, Identity, LocalProvider},
    service::settings::Settings,
};
use serde_json::json;
use uuid::Uuid;

use crate::{
    providers::identity::JwksPeer,
    support::{
        Answer, AssertFields, PASSWORD, TestApp, spawn_app, spawn_app_with, spawn_with_customer, statuses,
    },
};

async fn login(app: &TestApp, token: &str) -> Answer {
    app.anonymous().post("/auth/admin-login", json!({"idpIdToken": token})).await
}

async fn local_token(app: &TestApp, email: &str, password: &str) -> Answer {
    app.anonymous().post("/idp/token", json!({"email": email, "password": password})).await
}

async fn create_admin(app: &TestApp, email: &str, password: &str, role: Role) -> Result<Uuid, String> {
    let service = &app.service;
    let made =
        admins::create_admin(&service.db, email, password, role, &service.clock, &service.random).await;
    made.map_err(|why| why.to_string())
}

/// Issues a token of the embedded provider for any identity.
fn token_for(app: &TestApp, identity: &Identity) -> String {
    let provider = app.service.auth.auth.local_provider().expect("switched on");
    provider.issue(identity, app.service.clock.now()).expect("signed")
}

async fn stored_uid(app: &TestApp, email: &str) -> Option<String> {
    let uid = sqlx::query_scalar("select idp_uid from users where email = $1").bind(email);
    uid.fetch_one(&app.database.db).await.unwrap()
}

/// Makes an admin as an invitation does: nobody has signed in to the account yet.
async fn invited(app: &TestApp, email: &str, uid: Option<&str>) {
    app.make_admin(email, Role::Admin).await;
    let unlink = "update users set idp_uid = $2 where email = $1";
    sqlx::query(unlink).bind(email).bind(uid).execute(&app.database.db).await.unwrap();
}

#[actix_web::test]
async fn an_admin_signs_in_with_email_and_password_through_the_embedded_provider() {
    let app = spawn_app().await;
    for role in [Role::Admin, Role::SuperAdmin] {
        let email = format!("{role}@example.com");
        let id = app.make_admin(&email, role).await;
        let token = local_token(&app, &email.to_uppercase(), PASSWORD).await.expect(200);
        let body = login(&app, token["idToken"].as_str().unwrap()).await.expect(200);
        let data = &body["data"];
        assert_eq!(body["success"], true);
        data.assert_fields(json!({"userId": id, "role": role.as_str(), "expiresIn": 900}));
        let admin = app.anonymous().with_token(data["accessToken"].as_str().unwrap());
        admin.get("/admin/users").await.expect(200);
        let refreshed =
            app.anonymous().post("/auth/refresh", json!({"refreshToken": data["refreshToken"]})).await;
        assert_eq!(refreshed.expect(200)["data"]["role"], role.as_str());
    }
}

#[actix_web::test]
async fn a_wrong_password_and_an_unknown_email_are_answered_alike() {
    let app = spawn_app().await;
    app.make_admin("asha@example.com", Role::Admin).await;
    let wrong = local_token(&app, "asha@example.com", "wrong").await.refused(401, "UNAUTHORIZED");
    let unknown = local_token(&app, "nobody@example.com", PASSWORD).await.refused(401, "UNAUTHORIZED");
    assert_eq!(wrong, unknown);
}

#[actix_web::test]
async fn contract_4_1_rule_1_only_admins_may_log_in() {
    let (app, customer) = spawn_with_customer().await;
    customer.patch("/users/me", json!({"email": "customer@example.com"})).await.expect(200);
    for email in ["customer@example.com", "nobody@example.com"] {
        let token = token_for(&app, &app.identity("u1", email).await);
        login(&app, &token).await.refused(403, "FORBIDDEN");
    }
}

#[actix_web::test]
async fn contract_4_1_rule_2_the_email_must_be_verified() {
    let app = spawn_app().await;
    app.make_admin("asha@example.com", Role::Admin).await;
    let uid = stored_uid(&app, "asha@example.com").await.unwrap();
    let unverified = Identity { email_verified: false, ..app.identity(&uid, "asha@example.com").await };
    login(&app, &token_for(&app, &unverified)).await.refused(403, "EMAIL_NOT_VERIFIED");
}

#[actix_web::test]
async fn contract_4_1_rule_3_the_first_login_fixes_the_identity() {
    let app = spawn_app().await;
    for (number, stored) in [None, Some("left by the invitation")].into_iter().enumerate() {
        let (email, uid) = (format!("admin{number}@example.com"), format!("u{number}"));
        invited(&app, &email, stored).await;
        let own = token_for(&app, &app.identity(&uid, &email).await);
        login(&app, &own).await.expect(200);
        assert_eq!(stored_uid(&app, &email).await.as_deref(), Some(uid.as_str()));
        let others = token_for(&app, &app.identity("someone", &email).await);
        login(&app, &others).await.refused(401, "UNAUTHORIZED");
        assert_eq!(stored_uid(&app, &email).await.as_deref(), Some(uid.as_str()));
        let renamed = token_for(&app, &app.identity(&uid, "renamed@example.com").await);
        login(&app, &renamed).await.expect(200);
    }
}

#[actix_web::test]
async fn simultaneous_first_logins_leave_one_identity() {
    let app = spawn_app().await;
    invited(&app, "asha@example.com", None).await;
    let mut tokens = Vec::new();
    for uid in ["u1", "u2", "u3"] {
        tokens.push(token_for(&app, &app.identity(uid, "asha@example.com").await));
    }
    let answers = futures_util::future::join_all(tokens.iter().map(|token| login(&app, token))).await;
    assert_eq!(statuses(&answers), [200, 401, 401]);
}

#[actix_web::test]
async fn tokens_of_another_key_issuer_or_audience_and_expired_tokens_are_401() {
    let app = spawn_app().await;
    app.make_admin("asha@example.com", Role::Admin).await;
    let who = app.identity(&stored_uid(&app, "asha@example.com").await.unwrap(), "asha@example.com").await;
    let own = app.service.auth.auth.local_provider().expect("switched on");
    let (now, expected) = (app.service.clock.now(), own.expected.clone());
    let forger = LocalProvider::new([9; 32], expected, 300).unwrap();
    let old = now - chrono::TimeDelta::seconds(400);
    let customer = app.customer().await;
    let cases = [
        ("another key", forger.issue(&who, now).unwrap()),
        ("expired", own.issue(&who, old).unwrap()),
        ("our own access token", customer.token().unwrap().to_owned()),
        ("nonsense", "nonsense".to_owned()),
    ];
    for (why, token) in cases {
        let answer = login(&app, &token).await;
        assert_eq!(answer.body["error"]["code"], "UNAUTHORIZED", "{why}: {}", answer.text);
        answer.expect(401);
    }
    login(&app, &own.issue(&who, now).unwrap()).await.expect(200);
}

#[actix_web::test]
async fn making_an_existing_admin_replaces_its_password_and_ends_its_sessions() {
    let app = spawn_app().await;
    let id = app.make_admin("asha@example.com", Role::Admin).await;
    let signed_in = app.sign_in_admin("asha@example.com").await;
    let again = create_admin(&app, " Asha@Example.com ", "another password", Role::SuperAdmin).await;
    assert_eq!(again.unwrap(), id);
    local_token(&app, "asha@example.com", PASSWORD).await.refused(401, "UNAUTHORIZED");
    let token = local_token(&app, "asha@example.com", "another password").await.expect(200);
    let body = login(&app, token["idToken"].as_str().unwrap()).await.expect(200);
    assert_eq!(body["data"]["role"], "super_admin");
    let refresh = json!({"refreshToken": signed_in.refresh_token});
    app.anonymous().post("/auth/refresh", refresh).await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn admins_with_bad_fields_are_not_made() {
    let app = spawn_app().await;
    let cases = [
        ("asha", PASSWORD, Role::Admin, "email"),
        ("asha@example.com", "short", Role::Admin, "password"),
        ("asha@example.com", "", Role::Admin, "password"),
        ("asha@example.com", PASSWORD, Role::Customer, "role"),
    ];
    for (email, password, role, named) in cases {
        let refusal = create_admin(&app, email, password, role).await.expect_err(named);
        assert!(refusal.contains(named), "{refusal}");
    }
    assert_eq!(app.sql_value::<i64>("select count(*) from users").await, 0);
}

#[actix_web::test]
async fn an_external_provider_is_asked_for_its_keys_and_the_embedded_one_is_off() {
    let peer = JwksPeer::start().await;
    let external = |settings: &mut Settings| {
        settings.identity.jwks_url = peer.keys_url();
        settings.identity.issuer = "https://idp.example".to_owned();
    };
    let app = spawn_app_with(external).await;
    assert!(app.service.settings.identity.local_provider, "the default");
    let audience = app.service.settings.identity.audience.clone();
    let expected = Expected { issuer: "https://idp.example".to_owned(), audience, vouches_for_emails: false };
    let [provider, stranger] =
        [5, 6].map(|byte| LocalProvider::new([byte; 32], expected.clone(), 300).unwrap());
    let token =
        provider.issue(&app.identity("u1", "asha@example.com").await, app.service.clock.now()).unwrap();

    peer.break_down();
    login(&app, &token).await.refused(502, "PROVIDER_ERROR");
    local_token(&app, "asha@example.com", PASSWORD).await.refused(404, "NOT_FOUND");
    app.anonymous().get("/idp/.well-known/jwks.json").await.refused(404, "NOT_FOUND");

    let app = spawn_app_with(external).await;
    peer.publish(serde_json::to_value(&provider.published).unwrap());
    invited(&app, "asha@example.com", None).await;
    login(&app, &token).await.expect(200);
    let forged =
        stranger.issue(&app.identity("u2", "asha@example.com").await, app.service.clock.now()).unwrap();
    login(&app, &forged).await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn the_embedded_provider_publishes_its_signing_keys() {
    let app = spawn_app().await;
    let keys = app.anonymous().get("/idp/.well-known/jwks.json").await.expect(200);
    let key = &keys["keys"][0];
    assert_eq!((&key["kty"], &key["crv"], &key["alg"]), (&json!("OKP"), &json!("Ed25519"), &json!("EdDSA")));
    assert_eq!(key.get("d"), None, "the private half stays here");
    let token = token_for(&app, &app.identity("u1", "asha@example.com").await);
    let header = jsonwebtoken::decode_header(token).unwrap();
    assert_eq!(json!(header.kid), key["kid"]);
    let configuration = app.anonymous().get("/idp/.well-known/openid-configuration").await.expect(200);
    assert_eq!(configuration["issuer"], json!(format!("http://{}/idp", app.address)));
}
