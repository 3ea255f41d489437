//! Second factors of the embedded identity provider, and limits on trying its passwords.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall::accounts::auth::Role;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use crate::{
    super_admin::audited,
    support::{Answer, PASSWORD, Person, TestApp, spawn_app_with},
};

pub(super) const MEERA: &str = "meera@example.com";

async fn app() -> TestApp {
    spawn_app_with(|settings| settings.limits.admin_login_per_minute = 100_000).await
}

/// Returns the code that the authenticator app shows at that time.
pub(super) fn code(secret: &str, at: DateTime<Utc>) -> String {
    let secret = Secret::try_from_base32(secret).expect("base32");
    let totp = Builder::new().with_secret(secret).build().expect("a sound secret");
    totp.generate(u64::try_from(at.timestamp()).expect("after 1970")).to_string()
}

pub(super) async fn token(app: &TestApp, password: &str, code: Option<&str>) -> Answer {
    let mut body = json!({"email": MEERA, "password": password});
    if let Some(code) = code {
        body["code"] = json!(code);
    }
    app.anonymous().post("/idp/token", body).await
}

fn owner() -> Value {
    json!({"email": MEERA, "password": PASSWORD})
}

async fn confirm(app: &TestApp, code: &str) -> Answer {
    let body = json!({"email": MEERA, "password": PASSWORD, "code": code});
    app.anonymous().post("/idp/second-factor/confirm", body).await
}

/// Sets up a second factor; returns the secret, and the time of the code that confirmed it.
pub(super) async fn enrolled(app: &TestApp) -> (String, DateTime<Utc>) {
    let begun = app.anonymous().post("/idp/second-factor", owner()).await.expect(200);
    let secret = begun["secret"].as_str().expect("a secret").to_owned();
    let now = app.service.clock.now();
    confirm(app, &code(&secret, now)).await.expect(204);
    (secret, now)
}

fn reset_of(person: &Person) -> String {
    format!("/super-admin/users/{}/second-factor", person.user_id)
}

#[actix_web::test]
async fn a_confirmed_second_factor_is_asked_for_and_each_code_is_good_once() {
    let app = app().await;
    app.make_admin(MEERA, Role::Admin).await;
    // A code is accepted in its own half minute, and in those before and after it.
    app.service.clock.stop();
    let begun = app.anonymous().post("/idp/second-factor", owner()).await.expect(200);
    assert!(begun["otpauthUrl"].as_str().unwrap().contains(begun["secret"].as_str().unwrap()));
    confirm(&app, "12345").await.refused_field("code");
    token(&app, PASSWORD, None).await.expect(200);
    let (secret, at) = enrolled(&app).await;

    token(&app, PASSWORD, None).await.refused(401, "SECOND_FACTOR_REQUIRED");
    token(&app, "wrong", None).await.refused(401, "UNAUTHORIZED");
    token(&app, PASSWORD, Some(&code(&secret, at))).await.refused(401, "UNAUTHORIZED");
    let next = code(&secret, at + TimeDelta::seconds(30));
    token(&app, PASSWORD, Some(&next)).await.expect(200);
    token(&app, PASSWORD, Some(&next)).await.refused(401, "UNAUTHORIZED");
    let far = code(&secret, at + TimeDelta::minutes(10));
    token(&app, PASSWORD, Some(&far)).await.refused(401, "UNAUTHORIZED");

    app.anonymous().post("/idp/second-factor", owner()).await.refused(409, "CONFLICT");
    confirm(&app, &next).await.refused(409, "CONFLICT");
    let kept: Vec<u8> = app.sql_value("select totp_secret from idp_accounts").await;
    let plain = Secret::try_from_base32(&secret).unwrap();
    assert!(!kept.windows(20).any(|part| part == plain.as_bytes()), "it is kept encrypted");
}

#[actix_web::test]
async fn a_second_factor_is_set_up_with_the_password_and_a_code_of_its_own() {
    let app = app().await;
    app.make_admin(MEERA, Role::Admin).await;
    let guess = json!({"email": MEERA, "password": "a guess"});
    app.anonymous().post("/idp/second-factor", guess).await.refused(401, "UNAUTHORIZED");
    confirm(&app, "000000").await.refused(409, "CONFLICT");
    let first = app.anonymous().post("/idp/second-factor", owner()).await.expect(200);
    let second = app.anonymous().post("/idp/second-factor", owner()).await.expect(200);
    assert_ne!(first["secret"], second["secret"]);
    let now = app.service.clock.now();
    confirm(&app, &code(first["secret"].as_str().unwrap(), now)).await.refused_field("code");
    confirm(&app, &code(second["secret"].as_str().unwrap(), now)).await.expect(204);
}

#[actix_web::test]
async fn a_lost_second_factor_is_reset_by_another_super_admin_or_on_the_command_line() {
    let app = app().await;
    let (boss, admin) = (app.super_admin().await, app.admin().await);
    app.make_admin(MEERA, Role::SuperAdmin).await;
    let meera = app.sign_in_admin(MEERA).await;
    boss.delete(&reset_of(&meera)).await.refused(409, "CONFLICT");
    enrolled(&app).await;
    meera.delete(&reset_of(&meera)).await.refused(403, "FORBIDDEN");
    admin.delete(&reset_of(&meera)).await.refused(403, "FORBIDDEN");
    boss.delete(&reset_of(&meera)).await.expect(204);
    token(&app, PASSWORD, None).await.expect(200);
    let trail = audited(&app, &meera.user_id).await;
    let actions: Vec<&str> = trail.iter().map(|(action, _)| action.as_str()).collect();
    assert_eq!(actions, ["admin.create", "second_factor.confirm", "second_factor.reset"]);

    enrolled(&app).await;
    app.make_admin(MEERA, Role::SuperAdmin).await;
    token(&app, PASSWORD, None).await.expect(200);
    let sql = "select before -> 'second_factor', after -> 'second_factor' from audit_log
        where subject_id = $1::uuid and action = 'admin.create' order by at desc, id desc limit 1";
    let trail: (Value, Value) =
        sqlx::query_as(sql).bind(&meera.user_id).fetch_one(&app.database.db).await.unwrap();
    assert_eq!(trail, (json!(true), json!(false)));
}

#[actix_web::test]
async fn wrong_passwords_of_an_account_wait_longer_and_longer_from_any_address() {
    let app = app().await;
    app.make_admin(MEERA, Role::Admin).await;
    app.service.clock.stop();
    for _ in 0..5 {
        token(&app, "a guess", None).await.refused(401, "UNAUTHORIZED");
    }
    let refused = token(&app, PASSWORD, None).await;
    let wait: i64 = refused.header("retry-after").expect("when").parse().unwrap();
    assert!((1..=31).contains(&wait), "{wait}");
    refused.refused(429, "RATE_LIMITED");
    // The waits do not reveal who has an account.
    let anyone = app.anonymous();
    let unknown = || anyone.post("/idp/token", json!({"email": "x@example.com", "password": "a"}));
    for _ in 0..5 {
        unknown().await.refused(401, "UNAUTHORIZED");
    }
    unknown().await.refused(429, "RATE_LIMITED");
    app.admin().await;

    let earlier = "update idp_password_tries set last_at = last_at - interval '31 seconds'";
    app.sql(earlier).await;
    token(&app, PASSWORD, None).await.expect(200);
    for _ in 0..5 {
        token(&app, "a guess", None).await.refused(401, "UNAUTHORIZED");
    }
}

#[actix_web::test]
async fn a_device_that_signed_in_before_does_not_wait_for_strangers() {
    let app = app().await;
    app.make_admin(MEERA, Role::Admin).await;
    app.service.clock.stop();
    let device = token(&app, PASSWORD, None).await.expect(200)["deviceToken"].take();
    for _ in 0..5 {
        token(&app, "a guess", None).await.refused(401, "UNAUTHORIZED");
    }
    token(&app, PASSWORD, None).await.refused(429, "RATE_LIMITED");
    let anyone = app.anonymous();
    let from = |email: &str, password: &str, device: &Value| {
        let body = json!({"email": email, "password": password, "deviceToken": device});
        anyone.post("/idp/token", body)
    };
    let renewed = from(MEERA, PASSWORD, &device).await.expect(200)["deviceToken"].take();
    from(MEERA, PASSWORD, &json!("made up")).await.refused(429, "RATE_LIMITED");
    app.make_admin("asha@example.com", Role::Admin).await;
    let others = from("asha@example.com", PASSWORD, &Value::Null).await.expect(200)["deviceToken"].take();
    from(MEERA, PASSWORD, &others).await.refused(429, "RATE_LIMITED");
    // A known device is counted separately.
    for _ in 0..5 {
        from(MEERA, "a guess", &renewed).await.refused(401, "UNAUTHORIZED");
    }
    from(MEERA, PASSWORD, &renewed).await.refused(429, "RATE_LIMITED");
}

#[actix_web::test]
async fn simultaneous_guesses_are_limited_like_sequential_ones() {
    let app = app().await;
    app.make_admin(MEERA, Role::Admin).await;
    let guesses = (0..12).map(|_| token(&app, "a guess", None));
    let answers = futures_util::future::join_all(guesses).await;
    let compared = answers.iter().filter(|answer| answer.status == 401).count();
    assert!((1..=5).contains(&compared), "{compared}");
    // A request that gets no turn at hashing passwords in time is refused with a time to try again.
    assert!(answers.iter().all(|answer| [401, 429, 503].contains(&answer.status)));
}

#[actix_web::test]
async fn an_admin_needs_a_second_factor_if_the_operator_demands_it() {
    let app = spawn_app_with(|settings| {
        settings.limits.admin_login_per_minute = 100_000;
        settings.admin.second_factor_required = true;
        settings.admin.second_factor_grace_s = 3600;
    })
    .await;
    app.make_admin(MEERA, Role::Admin).await;
    token(&app, PASSWORD, None).await.expect(200);
    let age = "update idp_accounts set updated_at = updated_at - interval '2 hours'";
    app.sql(age).await;
    token(&app, "wrong", None).await.refused(401, "UNAUTHORIZED");
    token(&app, PASSWORD, None).await.refused(403, "SECOND_FACTOR_MISSING");
    let (secret, at) = enrolled(&app).await;
    let next = code(&secret, at + TimeDelta::seconds(30));
    token(&app, PASSWORD, Some(&next)).await.expect(200);
}
