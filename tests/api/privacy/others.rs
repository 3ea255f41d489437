use serde_json::json;

use super::{BENEFICIARY, VPA, lived};
use crate::support::{TestApp, bodies::id_of, roadside::PICKUP, roadside::Scene, spawn_accepted, spawn_app};

/// The link to a document of the mechanic.
const DOCUMENT: &str = "https://files.example/id.jpg";

/// Returns what each side reads about the other: first the customer, then the mechanic.
async fn views(app: &TestApp, scene: &Scene) -> (Vec<String>, Vec<String>) {
    let card = format!("/mechanics/{}", scene.mechanic.profile_id);
    let shared = ["", "/timeline", "/events", "/line-items", "/photos", "/ratings"];
    let mut by_customer: Vec<String> = shared.iter().map(|rest| scene.path(rest)).collect();
    let mut by_mechanic = by_customer.clone();
    by_customer.extend([card.clone(), format!("{card}/ratings"), "/jobs".to_owned(), "/payments".to_owned()]);
    by_customer.push("/notifications".to_owned());
    by_mechanic.extend(["/jobs", "/payments", "/notifications", "/mechanics/me/offers"].map(str::to_owned));
    let mut read = (Vec::new(), Vec::new());
    for path in &by_customer {
        read.0.push(format!("{path}: {}", scene.customer.get(path).await.expect(200)));
    }
    for path in &by_mechanic {
        read.1.push(format!("{path}: {}", scene.mechanic.client.get(path).await.expect(200)));
    }
    let stranger = app.customer().await;
    read.0.push(stranger.get(&card).await.expect(200).to_string());
    read
}

fn hold_none(texts: &[String], secrets: &[&str]) {
    for secret in secrets {
        let telling = texts.iter().find(|text| text.contains(secret));
        assert!(telling.is_none(), "{secret} stands in {}", telling.unwrap());
    }
}

#[actix_web::test]
async fn both_sides_see_neither_each_others_phone_nor_the_mechanics_documents() {
    let app = spawn_app().await;
    let life = lived(&app).await;
    let scene = &life.scene;
    let (by_customer, mut by_mechanic) = views(&app, scene).await;
    by_mechanic.push(life.offer.to_string());
    hold_none(&by_customer, &[&scene.mechanic.client.phone[3..], DOCUMENT, VPA]);
    hold_none(&by_mechanic, &[&scene.customer.phone[3..], &BENEFICIARY[3..]]);
}

#[actix_web::test]
async fn a_link_shows_no_phone_document_or_code_while_the_mechanic_comes() {
    let (app, mut scene) = spawn_accepted().await;
    let link = scene.customer.post(&scene.path("/shares"), json!({})).await.expect(201);
    scene.mechanic.ping((PICKUP.0 + 0.0005, PICKUP.1)).await;
    let code = scene.customer.get(&scene.path("")).await.expect(200)["start_code"].take();
    let path = format!("/shares/{}", link["token"].as_str().expect("a token"));
    let shown = app.anonymous().get(&path).await.expect(200).to_string();
    assert!(shown.contains("accepted"), "{shown}");
    let (customer, mechanic) = (&scene.customer.phone[3..], &scene.mechanic.client.phone[3..]);
    let code = format!("\"{}\"", code.as_str().expect("a code"));
    hold_none(&[shown], &[customer, mechanic, DOCUMENT, &code, &id_of(&link)]);
    let seen = [scene.mechanic.client.get(&scene.path("")).await.expect(200).to_string()];
    hold_none(&seen, &[customer, &code]);
}
