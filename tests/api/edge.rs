//! Behaviour of every request and every response: ids, headers, limits, metrics, and the handling of panics.

use std::time::Duration;

use actix_web::{HttpResponse, web};
use reqwest::Method;
use roadcall::{app::StartOptions, platform::settings::Environment};
use serde_json::json;

use crate::support::{
    Answer, TestApp, free_ports, plain_http, spawn_app, spawn_app_as, spawn_app_with, spawn_with_customer,
};

async fn with_request_id(app: &TestApp, id: &str) -> String {
    let answer =
        app.anonymous().send_as(Method::GET, "/health", |request| request.header("x-request-id", id)).await;
    answer.header("x-request-id").expect("every answer has one").to_owned()
}

#[actix_web::test]
async fn a_plain_request_id_is_kept_and_any_other_is_replaced() {
    let app = spawn_app().await;
    for id in ["0123abcd", "trace-7.span_9", &"a".repeat(64)] {
        assert_eq!(with_request_id(&app, id).await, id);
    }
    for id in ["", "short", "has space in it", "semi;colon-1", &"a".repeat(65), "<script>alert(1)</script>"] {
        let answered = with_request_id(&app, id).await;
        assert!(answered != id && answered.len() == 36, "{id:?} became {answered:?}");
    }
    assert_ne!(with_request_id(&app, "").await, with_request_id(&app, "").await);
}

#[actix_web::test]
async fn in_development_foreign_host_names_are_refused() {
    let app = spawn_app().await;
    let port = app.address.port();
    // The document does not say that a route may be refused because of the host name.
    let http = plain_http().build().expect("an HTTP client");
    let asked = async |method: Method, path: &str, host: &str| {
        let request = http.request(method, format!("http://{}{path}", app.address)).header("host", host);
        let answer = request.json(&json!({"phone": "+919876500001"})).send().await.expect("an answer");
        (answer.status().as_u16(), answer.text().await.expect("a body"))
    };
    for host in
        [format!("evil.example:{port}"), "192.168.1.7".to_owned(), "127.0.0.1.evil.example".to_owned()]
    {
        for path in ["/health", "/config", "/nothing", "/openapi.json", "/"] {
            let (status, body) = asked(Method::GET, path, &host).await;
            assert!(status == 403 && body.contains("FORBIDDEN"), "{path} at {host}: {body}");
        }
        let (status, code) = asked(Method::POST, "/auth/send-otp", &host).await;
        assert!(status == 403 && !code.contains("otp"), "{code}");
    }
    for host in [format!("localhost:{port}"), "console.localhost".to_owned(), format!("[::1]:{port}")] {
        assert_eq!(asked(Method::GET, "/health", &host).await.0, 200, "{host}");
    }
    let named = spawn_app_with(|settings| settings.server.public_url = "http://dev.example".to_owned()).await;
    let production = spawn_app_with(|settings| {
        settings.environment = Environment::Production;
        settings.metrics.listen = "127.0.0.1:0".parse().unwrap();
    })
    .await;
    for app in [&named, &production] {
        let nobody = app.anonymous();
        let answer =
            nobody.send_as(Method::GET, "/health", |request| request.header("host", "dev.example")).await;
        assert_eq!(answer.status, 200);
    }
}

#[actix_web::test]
async fn head_answers_like_get_without_the_body() {
    let app = spawn_app().await;
    let http = plain_http().build().expect("an HTTP client");
    for (path, status) in [
        ("/health", 200),
        ("/api/v1/health/ready", 200),
        ("/config", 200),
        ("/openapi.json", 200),
        ("/users/me", 401),
        ("/auth/send-otp", 405),
        ("/nothing", 404),
    ] {
        let ask = |method| http.request(method, format!("http://{}{path}", app.address)).send();
        let (whole, head) = (ask(Method::GET).await.unwrap(), ask(Method::HEAD).await.unwrap());
        assert_eq!((whole.status().as_u16(), head.status().as_u16()), (status, status), "{path}");
        for name in ["allow", "cache-control", "content-length", "content-type", "etag", "vary"] {
            assert_eq!(head.headers().get(name), whole.headers().get(name), "{path} {name}");
        }
        assert_eq!(head.text().await.unwrap(), "", "{path}");
    }
}

#[actix_web::test]
async fn every_answer_has_the_headers_of_an_api() {
    let app = spawn_app().await;
    let nobody = app.anonymous();
    let answers = [nobody.get("/health").await, nobody.get("/nothing").await, nobody.get("/users/me").await];
    for answer in &answers {
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(
            answer.header("content-security-policy"),
            Some("default-src 'none'; frame-ancestors 'none'")
        );
        assert_eq!(
            answer.header("access-control-allow-origin"),
            None,
            "other sites' pages have no business here"
        );
    }
}

#[actix_web::test]
async fn a_panic_in_a_handler_is_a_500_in_the_envelope_and_the_service_goes_on() {
    async fn panics() -> HttpResponse {
        panic!("a fault of ours with +919812345678 in it")
    }
    fn routes(config: &mut web::ServiceConfig) {
        config.route("/panics", web::get().to(panics));
    }
    let options = StartOptions { extra_routes: routes, ..StartOptions::default() };
    let page = "https://app.example";
    let app = spawn_app_as(|settings| settings.http.allowed_origins = vec![page.to_owned()], options).await;
    for _ in 0..3 {
        let answer =
            app.anonymous().send_as(Method::GET, "/panics", |request| request.header("origin", page)).await;
        assert_eq!(answer.header("access-control-allow-origin"), Some(page), "a page may read it");
        assert!(!answer.text.contains("98123"), "what the panic said stays inside: {}", answer.text);
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        answer.refused(500, "INTERNAL_ERROR");
    }
    app.anonymous().get("/health").await.expect(200);
}

fn number(answer: &Answer, header: &str) -> u32 {
    let value = answer.header(header).unwrap_or_else(|| panic!("no {header}"));
    value.parse().unwrap_or_else(|_| panic!("{header}: {value}"))
}

#[actix_web::test]
async fn a_user_above_the_limit_gets_a_retry_after_and_others_do_not() {
    let app = spawn_app_with(|settings| settings.limits.per_user_per_minute = 5).await;
    let (eager, other) = (app.customer().await, app.customer().await);
    app.service.clock.stop();
    for remaining in (0..5).rev() {
        let answer = eager.get("/users/me").await;
        assert_eq!(
            (number(&answer, "ratelimit-limit"), number(&answer, "ratelimit-remaining")),
            (5, remaining)
        );
        answer.expect(200);
    }
    let refused = eager.get("/users/me").await;
    assert_eq!((number(&refused, "retry-after"), number(&refused, "ratelimit-remaining")), (12, 0));
    refused.refused(429, "RATE_LIMITED");
    other.get("/users/me").await.expect(200);
    app.service.clock.advance(Duration::from_secs(12));
    eager.get("/users/me").await.expect(200);
    eager.get("/users/me").await.refused(429, "RATE_LIMITED");
}

#[actix_web::test]
async fn guessing_an_admins_password_is_limited_for_everybody() {
    let app = spawn_app_with(|settings| settings.limits.admin_login_per_minute = 3).await;
    let guess = json!({"email": "admin@example.com", "password": "a guess"});
    let customer = app.customer().await;
    app.service.clock.stop();
    let mut statuses = Vec::new();
    for client in [&app.anonymous(), &*customer, &app.anonymous(), &*customer, &*app.customer().await] {
        statuses.push(client.post("/idp/token", guess.clone()).await.status);
    }
    assert_eq!(statuses, [401, 401, 401, 429, 429]);
}

#[actix_web::test]
async fn every_spelling_of_a_path_has_its_limit_and_its_methods() {
    let app = spawn_app_with(|settings| settings.limits.admin_login_per_minute = 3).await;
    app.service.clock.stop();
    let guess = json!({"email": "admin@example.com", "password": "a guess"});
    let mut statuses = Vec::new();
    for path in ["/idp/tok%65n", "/api/v1/%69dp/token", "/idp/token", "/%69%64p/token"] {
        statuses.push(app.anonymous().post(path, guess.clone()).await.status);
    }
    assert_eq!(statuses, [401, 401, 401, 429]);
    let customer = app.customer().await;
    customer.delete("/v%65hicles").await.refused(405, "METHOD_NOT_ALLOWED");
}

#[actix_web::test]
async fn metrics_are_counted_by_template_and_never_by_path() {
    let (app, customer) = spawn_with_customer().await;
    let id = "01890000-0000-7000-8000-00000000cafe";
    customer.get(&format!("/vehicles/{id}")).await.expect(404);
    app.anonymous().get("/wp-login.php?token=hunter2").await.expect(404);
    let text = app.anonymous().get("/metrics").await.text;
    assert!(
        text.contains(r#"roadcall_http_requests_total{method="GET",route="/vehicles/{id}",status="4xx"}"#),
        "{text}"
    );
    assert!(text.contains("roadcall_http_request_duration_seconds_bucket"));
    for name in text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()) {
        assert!(text.contains(&format!("# HELP {name} ")), "{name} has no help text");
    }
    assert!(text.contains(r#"roadcall_db_connections{state="open"}"#));
    for gauge in
        ["roadcall_ws_sockets 0", "roadcall_engine_lag_seconds ", r#"roadcall_engine_actors{kind="job"} 0"#]
    {
        assert!(text.contains(gauge), "{gauge} is missing in {text}");
    }
    for absent in [id, "wp-login", "hunter2"] {
        assert!(!text.contains(absent), "{absent} became a label");
    }
}

#[actix_web::test]
async fn the_documents_page_loads_nothing_from_other_servers() {
    let app = spawn_app().await;
    let nobody = app.anonymous();
    for prefix in ["", "/api/v1"] {
        let followed = nobody.get(&format!("{prefix}/docs")).await;
        assert!(followed.text.contains("swagger-ui"), "{} {:?}", followed.status, followed.headers);
        let page = nobody.get(&format!("{prefix}/docs/")).await;
        assert!(!page.text.contains("http://") && !page.text.contains("https://"), "{}", page.text);
        for file in ["swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-standalone-preset.js"] {
            assert_eq!(nobody.get(&format!("{prefix}/docs/{file}")).await.status, 200, "{file}");
        }
        let start = nobody.get(&format!("{prefix}/docs/swagger-initializer.js")).await;
        assert!(start.text.contains("../openapi.json"), "{}", start.text);
    }
}

#[actix_web::test]
async fn production_shows_metrics_on_a_separate_listener_and_docs_to_all() {
    let [port] = free_ports();
    let port = std::net::SocketAddr::from(([127, 0, 0, 1], port));
    let app = spawn_app_with(|settings| {
        settings.environment = roadcall::platform::settings::Environment::Production;
        settings.auth.token_secret.0 = "of a test alone, and long enough for one".to_owned();
        settings.metrics.listen = port;
        settings.server.public_url = "https://roadcall.example".to_owned();
    })
    .await;
    let refused = app.anonymous().get("/metrics").await;
    assert_eq!(refused.header("strict-transport-security"), Some("max-age=31536000"));
    refused.refused(404, "NOT_FOUND");
    let shown = reqwest::get(format!("http://{port}/metrics")).await.unwrap();
    assert_eq!(shown.status().as_u16(), 200);
    assert!(shown.text().await.unwrap().contains("roadcall_http_requests_total"));
    let head = reqwest::Client::new().head(format!("http://{port}/metrics")).send().await.unwrap();
    assert_eq!((head.status().as_u16(), head.text().await.unwrap()), (200, String::new()));
}
