//! A refusal costs little, however much was sent: responses are short, and so is everything that is stored of them.

use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::support::{Answer, Client, Socket, TestApp, spawn_app, spawn_app_with, spawn_with_customer};

/// Longer than any refusal.
const SHORT: usize = 20_000;

/// Returns a list almost as large as a body may be.
fn long_list() -> Value {
    json!(vec![1; 32_000])
}

fn odd_fields(count: usize, name: &str) -> Value {
    Value::Object((0..count).map(|n| (format!("{n}{name}"), json!(1))).collect::<Map<_, _>>())
}

#[actix_web::test]
async fn a_list_that_is_far_too_long_is_refused_in_a_few_words() {
    let (_app, customer) = spawn_with_customer().await;
    for (method, path, body, field) in [
        (Method::POST, "/payments/orders", json!({"fee_job_ids": long_list()}), "fee_job_ids"),
        (Method::POST, "/mechanics/register", json!({"documents": long_list()}), "documents"),
        (Method::POST, "/auth/send-otp", json!({"phone": {"digits": long_list()}}), "phone.digits"),
    ] {
        let answer = customer.send(method, path, Some(body)).await;
        assert!(answer.text.len() < 500, "{path}: {} bytes", answer.text.len());
        answer.refused_field(field);
    }
    let some = customer.post("/payments/orders", json!({"fee_job_ids": vec![1; 101]})).await;
    let errors = some.refused_field("fee_job_ids")["error"]["errors"].clone();
    assert_eq!(errors["fee_job_ids"], json!(["must have at most 100 items, not 101"]));
}

fn says_that_there_are_more(answer: Answer) {
    assert!(answer.text.len() < SHORT, "{} bytes", answer.text.len());
    let body = answer.refused(422, "VALIDATION_FAILED");
    let errors = body["error"]["errors"].as_object().unwrap();
    assert_eq!(errors.len(), 33, "32 faults, and that there are more");
    assert!(errors["body"][0].as_str().unwrap().starts_with("has more errors"), "{:?}", errors["body"]);
}

#[actix_web::test]
async fn a_body_with_thousands_of_faults_gets_the_first_of_them_and_a_note_that_there_are_more() {
    let (app, customer) = spawn_with_customer().await;
    says_that_there_are_more(app.anonymous().post("/auth/send-otp", odd_fields(4_000, "")).await);
    says_that_there_are_more(customer.post("/jobs", odd_fields(500, &"𝒳".repeat(20))).await);
    let text = format!("{{\"phone\":[{}]}}", vec!["[]"; 9_000].join(","));
    let request =
        |request: reqwest::RequestBuilder| request.header("content-type", "application/json").body(text);
    app.anonymous().send_as(Method::POST, "/auth/send-otp", request).await.refused_field("phone");
}

#[actix_web::test]
async fn parameters_are_limited_in_number_and_given_once_unless_they_take_several_values() {
    let (_app, customer) = spawn_with_customer().await;
    customer.get("/jobs?status=pending&page=1&status=paid").await.expect(200);
    customer.get("/jobs?role=customer&role=mechanic").await.refused_field("role");
    customer.get("/jobs?page=1&page=1").await.refused_field("page");
    customer.get("/jobs?odd=1&odd=2&odd=3").await.refused_field("odd");
    let many: Vec<String> = (0..5_000).map(|n| format!("p{n}=1")).collect();
    customer.get(&format!("/jobs?{}", many.join("&"))).await.refused_field("query");
}

async fn ask(customer: &Client, key: &str, body: Value) -> Answer {
    customer.post_once("/jobs", &body, key).await
}

async fn keys(app: &TestApp) -> i64 {
    app.value("select count(*) from idempotency_keys", &[]).await
}

#[actix_web::test]
async fn a_large_refusal_is_recomputed_and_not_stored() {
    let (app, customer) = spawn_with_customer().await;
    for _ in 0..2 {
        let answer = ask(&customer, "large", odd_fields(200, &"𝒳".repeat(60))).await;
        assert!((4_096..SHORT).contains(&answer.text.len()), "{} bytes", answer.text.len());
        answer.refused(422, "VALIDATION_FAILED");
        assert_eq!(keys(&app).await, 0);
    }
    ask(&customer, "small", json!({})).await.refused(422, "VALIDATION_FAILED");
    assert_eq!(keys(&app).await, 1);
}

#[actix_web::test]
async fn a_persons_idempotency_keys_are_limited() {
    let app = spawn_app_with(|settings| settings.limits.idempotency_keys_per_user = 3).await;
    let (customer, other) = (app.customer().await, app.customer().await);
    for key in ["a", "b", "c"] {
        ask(&customer, key, json!({})).await.refused(422, "VALIDATION_FAILED");
    }
    let full = ask(&customer, "d", json!({})).await;
    let seconds: u64 = full.header("retry-after").expect("when there is room").parse().unwrap();
    assert!((86_000..=86_400).contains(&seconds), "{seconds}");
    full.refused(429, "RATE_LIMITED");
    ask(&customer, "a", json!({})).await.refused(422, "VALIDATION_FAILED");
    ask(&customer, "a", json!({"odd": 1})).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
    ask(&other, "d", json!({})).await.refused(422, "VALIDATION_FAILED");
    customer.post("/jobs", json!({})).await.refused(422, "VALIDATION_FAILED");
    assert_eq!(keys(&app).await, 4);
}

async fn refused(socket: &mut Socket, kind: &str, data: Value) -> Value {
    let error = socket.ask(kind, data).await.expect_err("refused");
    assert!(error.to_string().len() < SHORT, "{} bytes", error.to_string().len());
    assert_eq!(error["code"], "VALIDATION_FAILED", "{error}");
    error["errors"].clone()
}

#[actix_web::test]
async fn a_frame_full_of_wrong_points_is_refused_in_a_few_words() {
    let app = spawn_app().await;
    let mut socket = app.socket(&*app.customer().await).await;
    let errors = refused(&mut socket, "location.update", json!({"points": vec![1; 16_000]})).await;
    assert_eq!(errors, json!({"points": ["must have at most 1000 items"]}));
    let errors = refused(&mut socket, "location.update", json!({"points": vec![1; 101]})).await;
    assert_eq!(errors, json!({"points": ["must have at most 100 items, not 101"]}));
    let errors = refused(&mut socket, "location.update", json!({"points": vec![json!({}); 100]})).await;
    assert!(errors["body"][0].as_str().unwrap().starts_with("has more errors"), "{errors}");
    assert_eq!(errors.as_object().unwrap().len(), 34, "32 places, their field, and that there are more");
    let errors = refused(&mut socket, "chat.typing", odd_fields(3_000, "")).await;
    assert_eq!(errors.as_object().unwrap().len(), 33);
    socket.settle().await;
}
