//! A mechanic who has an offer sees photos of the damage, and only while they decide.

use serde_json::{Value, json};

use crate::support::{
    Person, TestApp,
    bodies::id_of,
    spawn_admin_with,
    uploads::{photo, uploaded},
};

/// Starts an app whose offers wait for a slow test.
async fn app() -> (TestApp, Person) {
    spawn_admin_with(|settings| {
        settings.dispatch.offer_ttl_s = 600;
        settings.dispatch.attempt_ttl_s = 900;
    })
    .await
}

#[actix_web::test]
async fn a_mechanic_sees_the_photos_of_a_job_while_it_is_offered_to_them() {
    let (app, admin) = app().await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    let mut files = Vec::new();
    for _ in 0..4 {
        files.push(uploaded(&stranded.client, "job_photo", &photo()).await);
    }
    let urls: Vec<&str> = files.iter().map(|file| file.file_url.as_str()).collect();
    let job = id_of(&stranded.call_with("photo_urls", json!(urls)).await);
    let offer = mechanic.offer().await;
    assert_eq!((&offer["job_id"], &offer["job"]["photo_count"]), (&json!(job), &json!(4)));
    assert!(!offer.to_string().contains("/uploads/"), "nothing to fetch comes unasked: {offer}");

    let path = format!("/offers/{}/photos", id_of(&offer));
    let photos = mechanic.client.list(&path).await;
    assert_eq!(photos.len(), 3);
    for shown in photos {
        assert!(shown["expires_at"].as_str() <= offer["expires_at"].as_str(), "{shown} {offer}");
        let fetched = reqwest::get(shown["url"].as_str().expect("a URL")).await.expect("an answer");
        assert_eq!(fetched.bytes().await.expect("the picture"), photo());
    }
    // Only the mechanic who has the job opens the file itself, and nobody else sees the offer's photos.
    mechanic.client.get(&files[0].path("/link")).await.refused(404, "NOT_FOUND");
    app.verified_mechanic(&admin).await.client.get(&path).await.refused(404, "NOT_FOUND");
    stranded.client.get(&path).await.refused(403, "FORBIDDEN");

    mechanic.client.post(&format!("/offers/{}/decline", id_of(&offer)), json!({})).await.expect(200);
    assert_eq!(mechanic.client.get(&path).await.expect(200)["data"], json!([]), "the offer is over");
}

#[actix_web::test]
async fn an_offer_shows_no_photos_without_any_and_follows_corrections() {
    let (app, admin) = app().await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    let job = id_of(&stranded.call().await);
    let offer = mechanic.offer().await;
    assert_eq!(offer["job"]["photo_count"], 0);
    let path = format!("/offers/{}/photos", id_of(&offer));
    assert_eq!(mechanic.client.get(&path).await.expect(200)["data"], json!([]));
    let file = uploaded(&stranded.client, "job_photo", &photo()).await;
    let correction = json!({"photo_urls": [file.file_url]});
    stranded.client.patch(&format!("/jobs/{job}"), correction).await.expect(200);
    let again = |frame: &Value| frame["type"] == "offer.created" && frame["data"]["job"]["photo_count"] == 1;
    mechanic.socket.find("the offer with its photo", again).await;
    assert_eq!(mechanic.client.list(&path).await.len(), 1);
}
