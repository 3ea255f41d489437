use std::collections::HashSet;

use reqwest::Method;
use roadcall::service::settings::AuthSettings;
use serde_json::{Value, json};

use crate::support::{Answer, AssertFields, Client, TestApp, new_phone, spawn_app, spawn_app_with, statuses};

async fn send(client: &Client, phone: &str) -> Answer {
    client.post("/auth/send-otp", json!({"phone": phone})).await
}

async fn sent_code(client: &Client, phone: &str) -> String {
    let body = send(client, phone).await.expect(200);
    body["data"]["otp"].as_str().expect("development shows the code").to_owned()
}

async fn verify(client: &Client, phone: &str, otp: &str) -> Answer {
    client.post("/auth/verify-otp", json!({"phone": phone, "otp": otp})).await
}

async fn verify_from(client: &Client, address: &str, phone: &str, otp: &str) -> Answer {
    post_from(client, address, "/auth/verify-otp", json!({"phone": phone, "otp": otp})).await
}

fn wrong(code: &str) -> &'static str {
    if code == "000000" { "000001" } else { "000000" }
}

fn retry_after(answer: &Answer) -> u64 {
    answer.header("retry-after").expect("Retry-After").parse().expect("seconds")
}

/// Starts an app in which tests can choose the address that they come from.
pub(super) async fn spawn_behind_proxy(alter: impl FnOnce(&mut AuthSettings)) -> TestApp {
    spawn_app_with(|settings| {
        settings.server.trusted_proxies = vec!["127.0.0.1".to_owned()];
        alter(&mut settings.auth);
    })
    .await
}

/// Sends a request from another address.
pub(super) async fn post_from(client: &Client, address: &str, path: &str, body: Value) -> Answer {
    client.send_as(Method::POST, path, |request| request.json(&body).header("x-forwarded-for", address)).await
}

#[actix_web::test]
async fn a_code_signs_in_and_its_first_use_makes_the_account() {
    let app = spawn_app().await;
    let (nobody, phone) = (app.anonymous(), new_phone());
    let body = send(&nobody, &phone).await.expect(200);
    assert_eq!((body["success"].clone(), body["data"]["expiresIn"].clone()), (json!(true), json!(300)));
    let otp = body["data"]["otp"].clone();
    let first = nobody.post("/auth/verify-otp", json!({"phone": phone, "otp": otp, "name": " Asha "})).await;
    let first = first.expect(200)["data"].take();
    first.assert_fields(json!({"isNewUser": true, "role": "customer", "expiresIn": 900}));
    let me = nobody.with_token(first["accessToken"].as_str().unwrap()).get("/users/me").await.expect(200);
    assert_eq!((&me["name"], &me["phone"]), (&json!("Asha"), &json!(phone)));

    let otp = sent_code(&nobody, &phone).await;
    let again = nobody.post("/auth/verify-otp", json!({"phone": phone, "otp": otp, "name": "Other"})).await;
    let again = again.expect(200)["data"].clone();
    assert_eq!((&again["isNewUser"], &again["userId"]), (&json!(false), &first["userId"]));
    let me = nobody.with_token(again["accessToken"].as_str().unwrap()).get("/users/me").await.expect(200);
    assert_eq!(me["name"], "Asha", "an existing account keeps its name");
}

#[actix_web::test]
async fn known_and_unknown_numbers_are_answered_alike() {
    let app = spawn_app().await;
    let known = app.customer().await.phone;
    let shape = |body: Value| {
        let mut data = body["data"].clone();
        assert_eq!(data["otp"].as_str().map(str::len), Some(6));
        data["otp"] = json!("");
        data
    };
    let unknown = new_phone();
    let answers = [send(&app.anonymous(), &known).await, send(&app.anonymous(), &unknown).await];
    let [known_answer, unknown_answer] = answers.map(|answer| shape(answer.expect(200)));
    assert_eq!(known_answer, unknown_answer);
    let refusals = [
        verify(&app.anonymous(), &known, "000000").await,
        verify(&app.anonymous(), &new_phone(), "000000").await,
    ];
    let [known_refusal, unknown_refusal] = refusals.map(|answer| answer.refused(401, "INVALID_OTP"));
    assert_eq!(known_refusal, unknown_refusal);
}

#[actix_web::test]
async fn without_dev_otp_the_code_is_in_no_answer() {
    let app = spawn_app_with(|settings| settings.auth.dev_otp = false).await;
    let body = send(&app.anonymous(), &new_phone()).await.expect(200);
    assert_eq!(body["data"].get("otp"), None);
}

#[actix_web::test]
async fn a_code_is_refused_once_used_or_expired_and_the_next_is_another() {
    let app = spawn_app().await;
    let (nobody, phone) = (app.anonymous(), new_phone());
    let used = sent_code(&nobody, &phone).await;
    verify(&nobody, &phone, &used).await.expect(200);
    verify(&nobody, &phone, &used).await.refused(401, "INVALID_OTP");

    let expired = sent_code(&nobody, &phone).await;
    expire_codes(&app).await;
    verify(&nobody, &phone, &expired).await.refused(401, "INVALID_OTP");
    let newest = sent_code(&nobody, &phone).await;
    let codes = HashSet::from([used, expired, newest.clone()]);
    assert!(codes.len() > 1, "a new code each time: {codes:?}");
    verify(&nobody, &phone, &newest).await.expect(200);
}

async fn expire_codes(app: &TestApp) {
    let expire = "update otp_codes set expires_at = expires_at - interval '300 seconds',
        resend_at = resend_at - interval '300 seconds'";
    app.sql(expire).await;
}

async fn allow_resend(app: &TestApp) {
    app.sql("update otp_codes set resend_at = resend_at - interval '30 seconds'").await;
}

#[actix_web::test]
async fn a_code_is_sent_again_after_a_while_and_stays_the_same() {
    let app = spawn_app().await;
    let (nobody, phone) = (app.anonymous(), new_phone());
    let first = sent_code(&nobody, &phone).await;
    let early = send(&nobody, &phone).await;
    assert!((1..=31).contains(&retry_after(&early)), "{:?}", early.headers);
    early.refused_saying(429, "RATE_LIMITED", "request it again in");

    allow_resend(&app).await;
    assert_eq!(sent_code(&nobody, &phone).await, first, "the message that comes late holds the right code");
    let sends: i64 = app.sql_value("select count(*) from otp_attempts where kind = 'send'").await;
    assert_eq!(sends, 2, "what was refused is not counted");
    verify(&nobody, &phone, wrong(&first)).await.refused(401, "INVALID_OTP");
    verify(&nobody, &phone, &first).await.expect(200);
    send(&nobody, &phone).await.expect(200);
}

#[actix_web::test]
async fn a_stored_code_is_not_readable() {
    let app = spawn_app().await;
    let phone = new_phone();
    let code = sent_code(&app.anonymous(), &phone).await;
    let row: String = app.sql_value("select row_to_json(c)::text from otp_codes c").await;
    assert!(!row.replace(&phone, "").contains(&code), "{row}");
}

#[actix_web::test]
async fn a_code_is_only_good_for_its_own_phone() {
    let app = spawn_app().await;
    let (nobody, one, other) = (app.anonymous(), new_phone(), new_phone());
    let code = sent_code(&nobody, &one).await;
    let others = sent_code(&nobody, &other).await;
    if code != others {
        verify(&nobody, &other, &code).await.refused(401, "INVALID_OTP");
    }
    verify(&nobody, &one, &code).await.expect(200);
}

#[actix_web::test]
async fn a_phone_is_sent_at_most_five_codes_an_hour() {
    let app = spawn_app_with(|settings| settings.auth.otp_resend_after_s = 0).await;
    let (nobody, phone) = (app.anonymous(), new_phone());
    let answers = futures_util::future::join_all((0..12).map(|_| send(&nobody, &phone))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 5, "at once");
    let refused = send(&nobody, &phone).await;
    assert!((3500..=3601).contains(&retry_after(&refused)), "{:?}", refused.headers);
    refused.refused(429, "RATE_LIMITED");
    send(&nobody, &new_phone()).await.expect(200);
    let an_hour_later = "update otp_attempts set at = at - interval '1 hour'";
    app.sql(an_hour_later).await;
    send(&nobody, &phone).await.expect(200);
}

#[actix_web::test]
async fn a_new_account_does_not_reset_the_limit_of_codes() {
    let app = spawn_app_with(|settings| settings.auth.otp_resend_after_s = 0).await;
    let person = app.sign_in_by_code(&new_phone()).await;
    for _ in 0..4 {
        send(&app.anonymous(), &person.phone).await.expect(200);
    }
    person.delete("/users/me").await.expect(204);
    send(&app.anonymous(), &person.phone).await.refused(429, "RATE_LIMITED");
}

#[actix_web::test]
async fn only_one_of_simultaneous_requests_sends_a_code() {
    let app = spawn_app().await;
    let (nobody, phone) = (app.anonymous(), new_phone());
    let answers = futures_util::future::join_all((0..6).map(|_| send(&nobody, &phone))).await;
    assert_eq!(statuses(&answers), [200, 429, 429, 429, 429, 429]);
}

#[actix_web::test]
async fn five_wrong_tries_lock_the_right_code_out_and_say_what_to_do() {
    let app = spawn_app().await;
    let (nobody, phone) = (app.anonymous(), new_phone());
    let code = sent_code(&nobody, &phone).await;
    let tries = (0..12).map(|_| verify(&nobody, &phone, wrong(&code)));
    let answers = futures_util::future::join_all(tries).await;
    assert_eq!(statuses(&answers), [401, 401, 401, 401, 401, 429, 429, 429, 429, 429, 429, 429], "at once");
    let last = answers.iter().filter(|answer| answer.status == 401 && answer.text.contains("your last try"));
    assert_eq!(last.count(), 1, "one of the five says that it was the last");

    let refused = verify(&nobody, &phone, &code).await;
    assert!((1..=301).contains(&retry_after(&refused)));
    refused.refused_saying(429, "RATE_LIMITED", "Request a new code in");
    allow_resend(&app).await;
    send(&nobody, &phone).await.refused(429, "RATE_LIMITED");
    let later = "update otp_attempts set at = at - interval '300 seconds'";
    app.sql(later).await;
    let next = sent_code(&nobody, &phone).await;
    if next != code {
        verify(&nobody, &phone, &code).await.refused(401, "INVALID_OTP");
    }
    verify(&nobody, &phone, &next).await.expect(200);
}

#[actix_web::test]
async fn twenty_wrong_tries_from_anywhere_lock_the_phone_for_the_day() {
    let app = spawn_behind_proxy(|_| {}).await;
    let (nobody, phone) = (app.anonymous(), new_phone());
    let code = sent_code(&nobody, &phone).await;
    for address in ["203.0.113.1", "203.0.113.2", "203.0.113.3", "2001:db8::1"] {
        for _ in 0..5 {
            verify_from(&nobody, address, &phone, wrong(&code)).await.refused(401, "INVALID_OTP");
        }
        verify_from(&nobody, address, &phone, wrong(&code)).await.refused(429, "RATE_LIMITED");
    }
    let refused = verify_from(&nobody, "203.0.113.9", &phone, &code).await;
    assert!(retry_after(&refused) > 80_000);
    refused.refused(429, "RATE_LIMITED");
    send(&nobody, &phone).await.refused(429, "RATE_LIMITED");
    verify_from(&nobody, "203.0.113.9", &new_phone(), "000000").await.refused(401, "INVALID_OTP");
}

#[actix_web::test]
async fn one_right_code_signs_in_once_even_if_tried_at_once() {
    let app = spawn_app().await;
    let (nobody, phone) = (app.anonymous(), new_phone());
    let code = sent_code(&nobody, &phone).await;
    let answers = futures_util::future::join_all((0..5).map(|_| verify(&nobody, &phone, &code))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
}

#[actix_web::test]
async fn an_address_has_an_allowance_and_an_ipv6_network_is_one_address() {
    let app = spawn_behind_proxy(|auth| auth.otp_requests_per_address_per_hour = 2).await;
    let nobody = app.anonymous();
    let cases = [
        ("203.0.113.1", 401),
        ("203.0.113.1", 401),
        ("203.0.113.1", 429),
        ("203.0.113.2", 401),
        ("2001:db8:0:1::1", 401),
        ("2001:db8:0:1:ffff::2", 401),
        ("2001:db8:0:1:eeee::3", 429),
        ("2001:db8:0:2::1", 401),
    ];
    for (number, (address, status)) in cases.into_iter().enumerate() {
        let answer = verify_from(&nobody, address, &new_phone(), "000000").await;
        assert_eq!(answer.status, status, "request {number} from {address}: {}", answer.text);
    }
    for status in [401, 401, 429] {
        let answer = verify(&nobody, &new_phone(), "000000").await;
        assert_eq!(answer.status, status, "this machine is no exception");
    }
}

#[actix_web::test]
async fn many_ipv6_networks_of_one_customer_share_a_few_allowances() {
    let app = spawn_behind_proxy(|auth| auth.otp_requests_per_address_per_hour = 1).await;
    let nobody = app.anonymous();
    for (network, status) in [(1, 401), (2, 401), (3, 401), (4, 401), (5, 429)] {
        let address = format!("2001:db8:7:{network}::1");
        assert_eq!(verify_from(&nobody, &address, &new_phone(), "000000").await.status, status, "{address}");
    }
    verify_from(&nobody, "2001:db8:8:1::1", &new_phone(), "000000").await.refused(401, "INVALID_OTP");
}

#[actix_web::test]
async fn successful_sign_ins_do_not_use_the_addresss_allowance() {
    let app = spawn_app_with(|settings| settings.auth.otp_requests_per_address_per_hour = 3).await;
    for _ in 0..5 {
        app.sign_in_by_code(&new_phone()).await;
    }
    let nobody = app.anonymous();
    for status in [401, 401, 401, 429] {
        assert_eq!(verify(&nobody, &new_phone(), "000000").await.status, status);
    }
}

#[actix_web::test]
async fn a_bad_body_names_its_field() {
    let app = spawn_app().await;
    let nobody = app.anonymous();
    let phone = "+919876543210";
    let cases = [
        ("/auth/send-otp", json!({"phone": "98765 4321"}), "phone"),
        ("/auth/send-otp", json!({"phone": "+91 98765 4321O"}), "phone"),
        ("/auth/send-otp", json!({"phone": "98765 43210 ext. 12"}), "phone"),
        ("/auth/send-otp", json!({"phone": "98765 43210 📞"}), "phone"),
        ("/auth/verify-otp", json!({"phone": phone, "otp": "12345"}), "otp"),
        ("/auth/verify-otp", json!({"phone": phone, "otp": "1234567"}), "otp"),
        ("/auth/verify-otp", json!({"phone": phone, "otp": "１２３４５６"}), "otp"),
        ("/auth/verify-otp", json!({"phone": phone, "otp": "12345a"}), "otp"),
        ("/auth/verify-otp", json!({"phone": phone, "otp": "123456", "name": ""}), "name"),
        ("/auth/verify-otp", json!({"phone": phone, "otp": "123456", "name": "x".repeat(101)}), "name"),
        ("/auth/refresh", json!({"refreshToken": ""}), "refreshToken"),
        ("/auth/refresh", json!({"refreshToken": "x".repeat(8193)}), "refreshToken"),
        ("/idp/token", json!({"email": "asha", "password": "x"}), "email"),
        ("/idp/token", json!({"email": "a@b.example", "password": ""}), "password"),
    ];
    for (path, body, field) in cases {
        nobody.post(path, body).await.refused_field(field);
    }
}

#[actix_web::test]
async fn all_spellings_of_a_number_are_the_same_number() {
    let app = spawn_app().await;
    let (nobody, phone) = (app.anonymous(), new_phone());
    let national = phone.strip_prefix("+91").unwrap();
    let (head, tail) = national.split_at(5);
    let code = sent_code(&nobody, &format!("0{head}-{tail}")).await;
    send(&nobody, &format!("+91 ({head}) {tail}")).await.refused(429, "RATE_LIMITED");
    let devanagari = |digit: char| char::from_u32('०' as u32 + digit.to_digit(10).unwrap()).unwrap();
    let hindi: String = national.chars().map(devanagari).collect();
    send(&nobody, &hindi).await.refused(429, "RATE_LIMITED");
    let signed_in = verify(&nobody, &format!("{head} {tail}"), &code).await.expect(200);
    let me = nobody.with_token(signed_in["data"]["accessToken"].as_str().unwrap());
    assert_eq!(me.get("/users/me").await.expect(200)["phone"], json!(phone));
}

#[actix_web::test]
async fn numbers_without_a_country_belong_to_the_configured_region() {
    let app = spawn_app_with(|settings| settings.phone.region = "GB".parse().unwrap()).await;
    let code = sent_code(&app.anonymous(), "07700 900958").await;
    verify(&app.anonymous(), "+44 (0)7700 900958", &code).await.expect(200);
}

#[actix_web::test]
async fn signing_in_says_whether_the_person_is_a_mechanic() {
    let app = spawn_app().await;
    let mechanic = app.registered_mechanic().await;
    let (nobody, profile) = (app.anonymous(), json!(mechanic.profile_id));
    let code = sent_code(&nobody, &mechanic.client.phone).await;
    let signed_in = verify(&nobody, &mechanic.client.phone, &code).await.expect(200);
    assert_eq!(signed_in["data"]["mechanicProfileId"], profile);
    let refreshed = async |token: &Value| {
        let refresh = json!({"refreshToken": token});
        nobody.post("/auth/refresh", refresh).await.expect(200)["data"]["mechanicProfileId"].take()
    };
    assert_eq!(refreshed(&signed_in["data"]["refreshToken"]).await, profile);
    assert_eq!(mechanic.client.get("/users/me").await.expect(200)["mechanic_profile_id"], profile);

    let customer = app.customer().await;
    assert_eq!(customer.get("/users/me").await.expect(200)["mechanic_profile_id"], Value::Null);
    assert_eq!(refreshed(&json!(customer.refresh_token)).await, Value::Null);
}
