//! Links by which anyone follows a job.

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    pages::Apps,
    support::{
        Client, TestApp, bodies::id_of, roadside::PICKUP, spawn_accepted, spawn_app, spawn_app_with,
        spawn_with_breakdown,
    },
};

async fn share(customer: &Client, job: &str) -> Value {
    customer.post(&format!("/jobs/{job}/shares"), json!({})).await.expect(201)
}

fn path(link: &Value) -> String {
    format!("/shares/{}", link["token"].as_str().expect("a token"))
}

#[actix_web::test]
async fn anybody_with_the_link_follows_the_job_until_it_is_over() {
    let (app, mut scene) = spawn_accepted().await;
    scene.mechanic.client.patch("/users/me", json!({"name": "Ravi Kumar"})).await.expect(200);
    let link = share(&scene.customer, &scene.job).await;
    let token = link["token"].as_str().expect("a token");
    assert!(token.len() >= 22, "at least 128 bits: {token}");
    assert_eq!(link["url"], format!("http://{}/track/{token}", app.address));
    scene.step("en-route", json!({})).await;
    scene.mechanic.ping((PICKUP.0 + 0.004, PICKUP.1)).await;
    let answer = app.anonymous().get(&path(&link)).await;
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    let shown = answer.expect(200);
    assert_eq!((&shown["status"], &shown["mechanic_first_name"]), (&json!("en_route"), &json!("Ravi")));
    assert_eq!(shown["customer_first_name"], "Asha");
    assert_eq!((&shown["vehicle"]["make"], &shown["urgency"]), (&json!("Hero"), &json!("normal")));
    assert_eq!(shown["position"]["lat"], json!(PICKUP.0 + 0.004));
    assert!(shown["position"]["age_ms"].is_i64() && shown["eta"]["eta_s"].is_u64(), "{shown}");
    assert_eq!(shown["eta"]["eta_s"], 120, "445 m x 1.35 at 24 km/h is 91 s: it is shown in whole minutes");
    let job = scene.customer.get(&scene.path("")).await.expect(200);
    let secrets = [
        &scene.customer.phone,
        &scene.mechanic.client.phone,
        &scene.customer.user_id,
        &scene.mechanic.client.user_id,
        &scene.mechanic.profile_id,
    ];
    for secret in secrets.map(String::as_str).into_iter().chain(["MG Road", "KA01AB1234", "Kumar", "Rao"]) {
        assert!(!shown.to_string().contains(secret), "{secret} in {shown}");
    }
    assert!(!shown.to_string().contains(job["start_code"].as_str().expect("a code")), "{shown}");
    assert_eq!(app.anonymous().get(&format!("/api/v1{}", path(&link))).await.status, 200);

    scene.step("arrive", json!({"override_reason": "the receiver is off"})).await;
    assert_eq!(app.anonymous().get(&path(&link)).await.expect(200)["eta"], Value::Null);
    let code = job["start_code"].clone();
    scene.step("start", json!({"start_code": code})).await;
    scene.step("complete", json!({"outcome": "fixed"})).await;
    app.anonymous().get(&path(&link)).await.refused(410, "LINK_EXPIRED");
    let listed = scene.customer.get(&scene.path("/shares")).await.expect(200);
    assert_eq!((&listed["data"][0]["id"], &listed["data"][0]["is_live"]), (&link["id"], &json!(false)));
    let late = scene.customer.post(&scene.path("/shares"), json!({})).await;
    late.refused(409, "INVALID_TRANSITION");
}

#[actix_web::test]
async fn a_link_shows_the_urgency_of_the_job() {
    let (app, stranded) = spawn_with_breakdown().await;
    let mut body = stranded.call_body();
    body["urgency"] = json!("accident");
    let job = id_of(&stranded.client.post("/jobs", body).await.expect(201));
    let link = share(&stranded.client, &job).await;
    assert_eq!(app.anonymous().get(&path(&link)).await.expect(200)["urgency"], "accident");
}

#[actix_web::test]
async fn a_link_shows_no_position_between_two_mechanics() {
    let (app, mut scene) = spawn_accepted().await;
    let link = share(&scene.customer, &scene.job).await;
    scene.mechanic.ping((PICKUP.0 + 0.004, PICKUP.1)).await;
    assert!(app.anonymous().get(&path(&link)).await.expect(200)["position"].is_object());
    scene.step("release", json!({"reason_code": "vehicle_trouble"})).await;
    scene.mechanic.ping((PICKUP.0 + 0.005, PICKUP.1)).await;
    let shown = app.anonymous().get(&path(&link)).await.expect(200);
    assert_eq!(shown["status"], "dispatching");
    for field in ["position", "eta", "mechanic_first_name"] {
        assert_eq!(shown[field], Value::Null, "{field} in {shown}");
    }
    let admin = app.admin().await;
    let mut next = app.on_road(&admin).await;
    next.client.patch("/users/me", json!({"name": "Meena"})).await.expect(200);
    next.accept().await;
    let shown = app.anonymous().get(&path(&link)).await.expect(200);
    assert_eq!((&shown["status"], &shown["mechanic_first_name"]), (&json!("accepted"), &json!("Meena")));
    assert_ne!(shown["position"]["lat"], json!(PICKUP.0 + 0.005), "the first one's");
}

#[actix_web::test]
async fn revoked_expired_and_unknown_links_are_refused() {
    let app = spawn_app_with(|settings| settings.shares.max_live = 2).await;
    let customer = app.breakdown().await;
    let job = id_of(&customer.call().await);
    let (one, other) = (share(&customer.client, &job).await, share(&customer.client, &job).await);
    let full = customer.client.post(&format!("/jobs/{job}/shares"), json!({})).await;
    full.refused(409, "CONFLICT");
    for _ in 0..2 {
        customer.client.delete(&format!("/jobs/{job}/shares/{}", id_of(&one))).await.expect(204);
        app.anonymous().get(&path(&one)).await.refused(410, "LINK_EXPIRED");
    }
    assert_eq!(app.anonymous().get(&path(&other)).await.expect(200)["status"], "dispatching");
    let third = share(&customer.client, &job).await;
    let expired =
        "update share_links set created_at = '2019-01-01Z', expires_at = '2020-01-01Z' where id = $1::uuid";
    app.change(expired, &[&id_of(&third)]).await;
    app.anonymous().get(&path(&third)).await.refused(410, "LINK_EXPIRED");
    let listed = customer.client.get(&format!("/jobs/{job}/shares")).await.expect(200);
    let live: Vec<&Value> = listed["data"].as_array().unwrap().iter().map(|link| &link["is_live"]).collect();
    assert_eq!(live, [&json!(true), &json!(false), &json!(false)], "newest first");
    assert!(!listed.to_string().contains("token"), "{listed}");
    for unknown in [
        "/shares/nonsense",
        "/shares/%00%ff",
        &format!("/shares/{}", "A".repeat(43)),
        &format!("/shares/{job}"),
    ] {
        app.anonymous().get(unknown).await.refused(404, "NOT_FOUND");
    }
    let kept: Vec<Vec<u8>> = app.values("select token_hash from share_links", &[]).await;
    let token = other["token"].as_str().unwrap().as_bytes();
    assert!(kept.iter().all(|hash| hash.len() == 32 && !hash.windows(8).any(|part| token.starts_with(part))));
}

#[actix_web::test]
async fn only_the_jobs_customer_shares_it_and_a_link_belongs_to_its_job() {
    let app = spawn_app().await;
    let (scene, admin) = (app.accepted().await, app.admin().await);
    let link = share(&scene.customer, &scene.job).await;
    let (stranger, own) = (app.breakdown().await, format!("/jobs/{}/shares/{}", scene.job, id_of(&link)));
    for person in [&*stranger.client, &*scene.mechanic.client] {
        person.post(&scene.path("/shares"), json!({})).await.refused(404, "NOT_FOUND");
        person.get(&scene.path("/shares")).await.refused(404, "NOT_FOUND");
        person.delete(&own).await.refused(404, "NOT_FOUND");
    }
    admin.post(&scene.path("/shares"), json!({})).await.refused(403, "FORBIDDEN");
    let job = id_of(&stranger.call().await);
    stranger.client.delete(&format!("/jobs/{job}/shares/{}", id_of(&link))).await.refused(404, "NOT_FOUND");
    app.anonymous().get(&path(&link)).await.expect(200);
}

#[actix_web::test]
async fn reads_are_limited_by_link_guesses_by_address_and_tokens_are_in_no_label() {
    let app: TestApp = spawn_app_with(|settings| settings.shares.requests_per_minute = 3).await;
    let customer = app.breakdown().await;
    let job = id_of(&customer.call().await);
    let link = share(&customer.client, &job).await;
    app.service.clock.stop();
    for _ in 0..2 {
        app.anonymous().get("/shares/guess").await.refused(404, "NOT_FOUND");
    }
    // A token in the request does not avoid the limit.
    customer.client.get("/shares/guess").await.refused(404, "NOT_FOUND");
    customer.client.get("/shares/guess").await.refused(429, "RATE_LIMITED");
    for _ in 0..3 {
        app.anonymous().get(&path(&link)).await.expect(200);
    }
    app.anonymous().get(&path(&link)).await.put_off(429, "RATE_LIMITED");
    let measured = app.anonymous().get("/metrics").await.text;
    assert!(measured.contains(r#"route="/shares/{token}""#), "{measured}");
    assert!(!measured.contains(link["token"].as_str().unwrap()));
}

#[actix_web::test]
async fn a_browser_is_shown_a_page_that_follows_the_job() {
    let apps = Apps::new("share");
    let app = apps.serve().await;
    let scene = app.accepted().await;
    let link = share(&scene.customer, &scene.job).await;
    let accepting = async |path: &str, accept: &str| {
        app.anonymous().send_as(Method::GET, path, |request| request.header("accept", accept)).await
    };
    let (page, data) = ("text/html; charset=utf-8", "application/json");
    // These are `Accept` headers of browsers and programs.
    for (accept, expected) in [
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", page),
        ("application/xhtml+xml, text/html;q=0.9, application/json;q=0.5", page),
        ("application/json;q=0.5, text/html;q=0.9", page),
        ("application/json, text/html;q=0.9", data),
        ("*/*", data),
        ("*/*, text/html;q=0.1", data),
        ("no, type; at=all", data),
    ] {
        let answer = accepting(&path(&link), accept).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(expected)), "{accept}");
        let vary = if expected == page { "accept, accept-encoding" } else { "accept" };
        assert_eq!((answer.header("cache-control"), answer.header("vary")), (Some("no-store"), Some(vary)));
        assert_eq!(
            answer.header("referrer-policy"),
            Some("no-referrer"),
            "the address holds the link's secret"
        );
    }
    let shown = accepting(&path(&link), "text/html").await;
    assert!(shown.text.contains("<title>a shared job"), "{}", shown.text);
    assert!(!shown.text.contains("Hero"), "the page itself holds nothing of the job: {}", shown.text);
    let policy = shown.header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
    assert_eq!(shown.header("x-frame-options"), Some("DENY"));

    let nothing = accepting("/shares/h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A", "text/html").await;
    assert_eq!((nothing.status, nothing.text.as_str()), (404, shown.text.as_str()));
    scene
        .customer
        .delete(&scene.path(&format!("/shares/{}", link["id"].as_str().expect("an id"))))
        .await
        .expect(204);
    let ended = accepting(&path(&link), "text/html").await;
    assert_eq!((ended.status, ended.text.as_str()), (410, shown.text.as_str()));
}
