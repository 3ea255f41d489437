//! Tests which URLs bodies may contain.

use reqwest::Method;
use roadcall::service::settings::{Environment, Settings};
use serde_json::{Value, json};

use crate::support::{
    Answer, Client, TestApp,
    bodies::{FLAT_TYRE, registration, set},
    roadside::Scene,
    spawn_app, spawn_app_with, spawn_with_admin, spawn_with_breakdown,
    uploads::{photo, presigned, sent, uploaded},
};

/// A field of a body that takes a URL: method, path, the body around the URL, and the field that a fault names.
struct Slot {
    method: Method,
    path: String,
    body: fn(&str) -> Value,
    field: &'static str,
    /// The purpose of a suitable upload, and an unsuitable one.
    purposes: (&'static str, &'static str),
}

impl Slot {
    async fn send(&self, by: &Client, url: &str) -> Answer {
        let body = (self.body)(url);
        by.send(self.method.clone(), &self.path, Some(body)).await
    }
}

fn slot(
    method: Method,
    path: impl Into<String>,
    field: &'static str,
    purposes: (&'static str, &'static str),
    body: fn(&str) -> Value,
) -> Slot {
    Slot { method, path: path.into(), body, field, purposes }
}

fn of_mechanic(scene: &Scene) -> Vec<Slot> {
    let photo = ("job_photo", "evidence");
    let document = ("document", "avatar");
    vec![
        slot(
            Method::POST,
            "/mechanics/me/documents",
            "file_url",
            document,
            |url| json!({"type": "other", "file_url": url}),
        ),
        slot(
            Method::POST,
            scene.path("/photos"),
            "file_url",
            photo,
            |url| json!({"stage": "during", "file_url": url}),
        ),
        slot(
            Method::POST,
            scene.path("/line-items"),
            "photo_url",
            photo,
            |url| json!({"type": "labour", "description": "Tube", "quantity": 1, "unit_price": 20, "photo_url": url}),
        ),
        slot(
            Method::PATCH,
            "/users/me",
            "avatar_url",
            ("avatar", "document"),
            |url| json!({"avatar_url": url}),
        ),
    ]
}

#[actix_web::test]
async fn every_field_takes_only_the_senders_own_complete_uploads_of_its_purpose() {
    let (app, admin) = spawn_with_admin().await;
    let scene = app.accepted().await;
    scene.mechanic.drive_and_start(&scene.customer, &scene.job).await;
    for slot in of_mechanic(&scene) {
        tried(&app, &slot, &scene.mechanic.client).await;
    }
    let tyres = format!("/service-categories/{FLAT_TYRE}");
    tried(
        &app,
        &slot(Method::PATCH, tyres, "icon_url", ("avatar", "document"), |url| json!({"icon_url": url})),
        &admin,
    )
    .await;
    let register =
        slot(Method::POST, "/mechanics/register", "documents[0].file_url", ("document", "chat"), |url| {
            set(&registration(), "documents", json!([{"type": "aadhaar", "file_url": url}]))
        });
    tried(&app, &register, &*app.customer().await).await;
    // These end the job's work: the last of each is accepted.
    for item in scene.customer.get(&scene.path("/line-items")).await.expect(200)["data"].as_array().unwrap() {
        let path = scene.path(&format!("/line-items/{}/reject", item["id"].as_str().unwrap()));
        scene.customer.post(&path, json!({"version": item["version"]})).await.expect(200);
    }
    let complete = slot(
        Method::POST,
        scene.path("/complete"),
        "photo_urls[0]",
        ("job_photo", "evidence"),
        |url| json!({"outcome": "fixed", "photo_urls": [url]}),
    );
    tried(&app, &complete, &scene.mechanic.client).await;
    let dispute = slot(
        Method::POST,
        scene.path("/dispute"),
        "evidence_urls[0]",
        ("evidence", "avatar"),
        |url| json!({"reason_code": "poor_work", "description": "Flat again", "evidence_urls": [url]}),
    );
    tried(&app, &dispute, &scene.customer).await;
}

async fn tried(app: &TestApp, slot: &Slot, by: &Client) {
    let (fit, unfit) = slot.purposes;
    let stranger = app.customer().await;
    let own = uploaded(by, fit, &photo()).await;
    let refused = [
        ("somebody else's", uploaded(&stranger, fit, &photo()).await.file_url),
        ("not sent", presigned(by, fit, &photo()).await.file_url),
        ("not complete", sent(by, fit, &photo()).await.file_url),
        ("for something else", uploaded(by, unfit, &photo()).await.file_url),
        ("of nothing", own.file_url.replace(&own.id, "018f0000-0000-7000-8000-00000000dead")),
        ("the link", own.file_url.replace("/file", "/content")),
        ("with a query", format!("{}?x=1", own.file_url)),
        ("without TLS elsewhere", "http://files.example/a.jpg".to_owned()),
        ("with credentials", "https://user:key@files.example/a.jpg".to_owned()),
        ("of this machine", "file:///etc/passwd".to_owned()),
    ];
    for (what, url) in refused {
        let answer = slot.send(by, &url).await;
        assert_eq!(answer.status, 422, "{} {}: {what}: {}", slot.method, slot.path, answer.text);
        answer.refused_field(slot.field);
    }
    let answer = slot.send(by, &own.file_url).await;
    assert!([200, 201].contains(&answer.status), "{} {}: {}", slot.method, slot.path, answer.text);
}

#[actix_web::test]
async fn every_fault_of_a_list_is_named_and_a_jobs_photos_must_be_the_senders_own() {
    let (app, stranded) = spawn_with_breakdown().await;
    let stranger = app.customer().await;
    let own = uploaded(&stranded.client, "job_photo", &photo()).await.file_url;
    let foreign = uploaded(&stranger, "job_photo", &photo()).await.file_url;
    let urls = json!([own, foreign, "https://files.example/a.jpg", "http://169.254.169.254/latest/", own]);
    let refused = stranded.client.post("/jobs", set(&stranded.call_body(), "photo_urls", urls)).await;
    let refused = refused.refused(422, "VALIDATION_FAILED");
    let named: Vec<&String> = refused["error"]["errors"].as_object().unwrap().keys().collect();
    assert_eq!(named, ["photo_urls", "photo_urls[1]", "photo_urls[3]"]);
    let urls = json!([own, "https://files.example/a.jpg", own]);
    let job = stranded.client.post("/jobs", set(&stranded.call_body(), "photo_urls", urls.clone())).await;
    assert_eq!(job.expect(201)["photo_urls"], urls);
}

fn in_production(settings: &mut Settings) {
    settings.environment = Environment::Production;
    settings.metrics.listen.set_port(0);
    settings.server.public_url = "https://api.example".to_owned();
}

#[actix_web::test]
async fn production_takes_only_urls_of_uploads() {
    // The customer signs in while that needs no phone.
    let mut app = spawn_app().await;
    let customer = app.customer().await;
    app.restart_with(in_production).await;
    let customer = app.anonymous().with_token(customer.token().unwrap());
    let avatar = async |url: &str| customer.patch("/users/me", json!({"avatar_url": url})).await;
    for url in [
        "http://169.254.169.254/latest/meta-data",
        "https://169.254.169.254/latest/meta-data",
        "https://[::ffff:169.254.169.254]/",
        "https://localhost/",
        "https://127.0.0.1/",
        "https://files.example/a.jpg",
        "https://api.example/users/me",
        "https://api.example@evil.example/",
        "file:///etc/passwd",
    ] {
        avatar(url).await.refused_field("avatar_url");
    }
    let own = uploaded(&customer, "avatar", &photo()).await.file_url;
    assert!(own.starts_with("https://api.example/uploads/"), "{own}");
    assert_eq!(avatar(&own).await.expect(200)["avatar_url"], own);
}

#[actix_web::test]
async fn uploads_stay_valid_when_the_service_moves_to_another_address() {
    let mut app =
        spawn_app_with(|settings| settings.server.public_url = "http://127.0.0.1:81".to_owned()).await;
    let customer = app.customer().await;
    let old = uploaded(&customer, "avatar", &photo()).await.file_url;
    app.restart_with(in_production).await;
    let customer = app.anonymous().with_token(customer.token().unwrap());
    customer.patch("/users/me", json!({"avatar_url": old})).await.expect(200);
}
