use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use reqwest::Method;
use roadcall::accounts::auth::ServerSecret;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{bodies::set, spawn_app, spawn_app_with, spawn_with_customer};

const SECRET: &str = "a secret of the tests, 32 bytes or more";

fn encode(algorithm: Algorithm, claims: &Value, secret: &str) -> String {
    let header = Header { kid: Some("roadcall-access".to_owned()), ..Header::new(algorithm) };
    let key = EncodingKey::from_secret(&ServerSecret::new(secret.as_bytes()).key("access tokens"));
    jsonwebtoken::encode(&header, claims, &key).unwrap()
}

fn claims_of(token: &str) -> Value {
    let body = token.split('.').nth(1).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(body).unwrap()).unwrap()
}

#[actix_web::test]
async fn expired_forged_and_misused_tokens_are_401() {
    let app = spawn_app_with(|settings| settings.auth.token_secret.0 = SECRET.to_owned()).await;
    let person = app.customer().await;
    let genuine = person.token().unwrap();
    let claims = claims_of(genuine);
    let with = |name: &str, value: Value| encode(Algorithm::HS256, &set(&claims, name, value), SECRET);
    let unsigned = {
        let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"none","typ":"JWT","kid":"roadcall-access"}"#);
        format!("{header}.{}.", URL_SAFE_NO_PAD.encode(claims.to_string()))
    };
    let before = json!(claims["iat"].as_i64().unwrap() - 1);
    let cases = [
        ("expired", with("exp", before), "TOKEN_EXPIRED"),
        ("forged", encode(Algorithm::HS256, &claims, "another secret, also long enough"), "UNAUTHORIZED"),
        ("alg none", unsigned, "UNAUTHORIZED"),
        ("alg HS384", encode(Algorithm::HS384, &claims, SECRET), "UNAUTHORIZED"),
        ("audience", with("aud", json!("x")), "UNAUTHORIZED"),
        ("no such person", with("sub", json!(Uuid::nil())), "UNAUTHORIZED"),
        ("no such session", with("sid", json!(Uuid::nil())), "UNAUTHORIZED"),
        ("a refresh token", person.refresh_token.clone(), "UNAUTHORIZED"),
        ("nonsense", "nonsense".to_owned(), "UNAUTHORIZED"),
        ("empty", String::new(), "UNAUTHORIZED"),
    ];
    for (why, token, code) in cases {
        let answer = app.anonymous().with_token(token).get("/users/me").await;
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{why}");
        assert_eq!(answer.body["error"]["code"], code, "{why}: {}", answer.text);
        answer.expect(401);
    }
    let own = encode(Algorithm::HS256, &claims, SECRET);
    app.anonymous().with_token(own).get("/users/me").await.expect(200);
}

#[actix_web::test]
async fn the_header_must_have_the_bearer_scheme() {
    let (app, person) = spawn_with_customer().await;
    let token = person.token().unwrap();
    let cases = [
        (format!("Bearer {token}"), 200),
        (format!("bearer {token}"), 200),
        (format!("BEARER  {token}"), 200),
        (token.to_owned(), 401),
        (format!("Basic {token}"), 401),
        (format!("Token {token}"), 401),
        ("Bearer".to_owned(), 401),
        ("Bearer ".to_owned(), 401),
    ];
    for (value, status) in cases {
        let with = |request: reqwest::RequestBuilder| request.header("authorization", &value);
        let answer = app.anonymous().send_as(Method::GET, "/users/me", with).await;
        assert_eq!(answer.status, status, "{}", value.replace(token, "…"));
    }
}

#[actix_web::test]
async fn a_token_of_another_service_with_its_own_generated_secret_is_refused() {
    let (one, other) = (spawn_app().await, spawn_app().await);
    let person = one.customer().await;
    other.anonymous().with_token(person.token().unwrap()).get("/users/me").await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn password_guesses_are_limited_by_address_with_any_token() {
    let app = spawn_app_with(|settings| settings.limits.admin_login_per_minute = 3).await;
    let guess = json!({"email": "asha@example.com", "password": "guess"});
    let (one, other) = (app.customer().await, app.customer().await);
    app.service.clock.stop();
    one.post("/idp/token", guess.clone()).await.refused(401, "UNAUTHORIZED");
    other.post("/idp/token", guess.clone()).await.refused(401, "UNAUTHORIZED");
    app.anonymous().post("/auth/admin-login", json!({"idpIdToken": "x"})).await.refused(401, "UNAUTHORIZED");
    app.anonymous().post("/idp/token", guess.clone()).await.refused(429, "RATE_LIMITED");
    one.post("/idp/token", guess).await.refused(429, "RATE_LIMITED");
}

#[actix_web::test]
async fn two_people_behind_one_address_have_an_allowance_each() {
    let app = spawn_app_with(|settings| settings.limits.per_user_per_minute = 5).await;
    let (one, other) = (app.customer().await, app.customer().await);
    app.service.clock.stop();
    for _ in 0..5 {
        one.get("/users/me").await.expect(200);
    }
    one.get("/users/me").await.refused(429, "RATE_LIMITED");
    other.get("/users/me").await.expect(200);
}

#[actix_web::test]
async fn a_token_of_an_ended_session_does_not_spend_its_users_allowance() {
    let app = spawn_app_with(|settings| settings.limits.per_user_per_minute = 5).await;
    let (person, stolen) = (app.customer().await, app.customer().await);
    stolen.post("/auth/logout", json!({"allDevices": true})).await.expect(204);
    for _ in 0..10 {
        stolen.get("/users/me").await.refused(401, "UNAUTHORIZED");
    }
    let again = app.sign_in(&stolen.phone).await;
    again.get("/users/me").await.expect(200);
    person.get("/users/me").await.expect(200);
}

#[actix_web::test]
async fn the_next_server_accepts_earlier_tokens_and_knows_suspended_people() {
    let mut app = spawn_app().await;
    let (person, suspended) = (app.customer().await, app.customer().await);
    let admin = app.admin().await;
    let suspend = format!("/admin/users/{}/suspend", suspended.user_id);
    admin.post(&suspend, json!({"reason": "fraud"})).await.expect(200);
    app.restart().await;
    person.at(app.address).get("/users/me").await.expect(200);
    suspended.at(app.address).get("/users/me").await.refused(403, "ACCOUNT_SUSPENDED");
}
