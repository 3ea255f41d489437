//! Browsers on pages of other origins: who may call, and what they may read.

use reqwest::Method;
use serde_json::json;

use crate::support::{Answer, Client, TestApp, socket::try_connect, spawn_app, spawn_app_with};

const APP: &str = "https://app.example";
const EVIL: &str = "https://evil.example";

async fn app() -> TestApp {
    spawn_app_with(|settings| settings.http.allowed_origins = vec![APP.to_owned()]).await
}

async fn preflight(client: &Client, path: &str, origin: &str, method: &str, headers: &str) -> Answer {
    client
        .send_as(Method::OPTIONS, path, |request| {
            request
                .header("origin", origin)
                .header("access-control-request-method", method)
                .header("access-control-request-headers", headers)
        })
        .await
}

async fn get(client: &Client, path: &str, origin: &str) -> Answer {
    client.send_as(Method::GET, path, |request| request.header("origin", origin)).await
}

fn allowed(answer: &Answer) -> Option<&str> {
    answer.header("access-control-allow-origin")
}

#[actix_web::test]
async fn a_listed_page_passes_its_preflight_and_reads_answers_and_refusals() {
    let app = app().await;
    let nobody = app.anonymous();
    for (path, method) in
        [("/jobs", "POST"), ("/users/me", "PATCH"), ("/api/v1/vehicles/1", "DELETE"), ("/ws/ticket", "POST")]
    {
        let answer =
            preflight(&nobody, path, APP, method, "authorization,content-type,idempotency-key,x-session")
                .await;
        assert_eq!((answer.status, allowed(&answer)), (204, Some(APP)), "{path}");
        let methods = answer.header("access-control-allow-methods").expect("methods");
        assert!(methods.split(", ").any(|allowed| allowed == method), "{methods}");
        let sent = answer.header("access-control-allow-headers").expect("headers");
        assert!(sent.split(", ").any(|header| header == "x-session"), "{sent}");
        assert_eq!(answer.header("access-control-allow-credentials"), Some("true"));
        assert!(answer.header("x-request-id").is_some() && answer.header("x-content-type-options").is_some());
    }
    let customer = app.customer().await;
    for (path, status) in [("/users/me", 200), ("/admin/users", 403), ("/nothing", 404)] {
        let answer = get(&customer, path, APP).await;
        assert_eq!((answer.status, allowed(&answer)), (status, Some(APP)), "{path}");
        let exposed = answer.header("access-control-expose-headers").expect("what may be read");
        for header in ["x-request-id", "ratelimit-remaining", "retry-after"] {
            assert!(exposed.contains(header), "{header} is missing in: {exposed}");
        }
        assert!(answer.header("vary").is_some_and(|vary| vary.to_lowercase().contains("origin")));
    }
}

#[actix_web::test]
async fn any_other_page_reads_nothing() {
    let app = app().await;
    let customer = app.customer().await;
    for origin in [EVIL, "null", "http://app.example", "https://app.example.evil"] {
        let refused = preflight(&customer, "/jobs", origin, "POST", "authorization").await;
        assert_eq!(allowed(&refused), None, "{origin}");
        assert_eq!(refused.header("access-control-allow-credentials"), None, "{origin}");
        refused.refused(403, "FORBIDDEN");
        assert_eq!(allowed(&get(&customer, "/users/me", origin).await), None, "{origin}");
    }
}

#[actix_web::test]
async fn without_a_list_pages_of_other_origins_are_refused() {
    let app = spawn_app().await;
    let nobody = app.anonymous();
    preflight(&nobody, "/jobs", APP, "POST", "authorization").await.refused(405, "METHOD_NOT_ALLOWED");
    assert_eq!(allowed(&get(&nobody, "/health", APP).await), None);
}

#[actix_web::test]
async fn a_listed_page_uses_tickets_sockets_and_streams() {
    let app = app().await;
    let scene = app.accepted().await;
    let ticket = scene
        .customer
        .send_as(Method::POST, "/ws/ticket", |request| request.header("origin", APP).json(&json!({})))
        .await;
    assert_eq!(allowed(&ticket), Some(APP));
    let bearer = format!("Bearer {}", scene.customer.token().expect("signed in"));
    for (origin, refused) in [(APP, None), (EVIL, Some(403))] {
        let headers = [("authorization", bearer.as_str()), ("origin", origin)];
        let status = try_connect(app.address, "/ws", &headers).await.err().map(|(status, _)| status);
        assert_eq!(status, refused, "{origin}");
    }
    let stream = get(&scene.customer, &scene.path("/stream"), APP).await;
    assert_eq!((stream.status, allowed(&stream)), (200, Some(APP)));
}
