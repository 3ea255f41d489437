//! The photos of jobs, for the organisations that ordered them.

use roadcall::service::settings::Settings;
use serde_json::{Value, json};

use crate::support::{
    Client, TestApp,
    bodies::id_of,
    cases::{Contracted, Taken},
    spawn_app_with,
    uploads::{path_of, photo, uploaded},
};

async fn spawn() -> TestApp {
    spawn_app_with(|settings: &mut Settings| settings.jobs.start_code = false).await
}

fn path(taken: &Taken) -> String {
    format!("/partner/jobs/{}/photos", taken.job)
}

async fn photos(partner: &Client, taken: &Taken) -> Vec<Value> {
    partner.get(&path(taken)).await.expect(200)["data"].as_array().expect("a list").clone()
}

/// Adds a photo of the work, and returns its id.
async fn photo_of_work(taken: &Taken, file_url: &str) -> String {
    let body = json!({"stage": "before", "file_url": file_url});
    let path = format!("/jobs/{}/photos", taken.job);
    id_of(&taken.mechanic.client.post(&path, body).await.expect(201))
}

/// Proposes extra work with a photo, and returns the item's id.
async fn photo_of_extra_work(taken: &Taken, file_url: &str) -> String {
    let body = json!({"type": "part", "description": "A tube", "quantity": 1, "unit_price": 90, "photo_url": file_url});
    let path = format!("/jobs/{}/line-items", taken.job);
    id_of(&taken.mechanic.client.post(&path, body).await.expect(201))
}

#[actix_web::test]
async fn the_photos_of_work_and_of_extra_work_are_opened_by_the_partner_of_the_job_alone() {
    let app = spawn().await;
    let (club, other) = (Contracted::new(&app).await, Contracted::new(&app).await);
    let taken = club.taken().await;
    taken.extra_work(120.0).await;
    assert_eq!(photos(&club.program, &taken).await, Vec::<Value>::new());
    let [flat, tube] = [
        uploaded(&taken.mechanic.client, "job_photo", &photo()).await,
        uploaded(&taken.mechanic.client, "job_photo", &photo()).await,
    ];
    photo_of_work(&taken, &flat.file_url).await;
    let item = photo_of_extra_work(&taken, &tube.file_url).await;

    let viewer = club.partner.member("viewer").await;
    viewer.get(&flat.path("/link")).await.refused(404, "NOT_FOUND");
    let reader = club.partner.program(&["read"]).await;
    for partner in [&reader, &*viewer] {
        let seen = photos(partner, &taken).await;
        let shows = |index: usize| (&seen[index]["stage"], &seen[index]["line_item_id"]);
        assert_eq!(seen.len(), 2, "{seen:?}");
        assert_eq!(shows(0), (&json!("before"), &Value::Null));
        assert_eq!(shows(1), (&Value::Null, &json!(item)));
        for photo in &seen {
            let url = photo["url"].as_str().expect("a link");
            assert_eq!(app.anonymous().get(&path_of(url)).await.status, 200);
        }
    }
    other.program.get(&path(&taken)).await.refused(404, "NOT_FOUND");
    club.partner.program(&["cases"]).await.get(&path(&taken)).await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn a_partner_sees_neither_files_of_the_chat_nor_photos_that_are_deleted() {
    let app = spawn().await;
    let club = Contracted::new(&app).await;
    let taken = club.taken().await;
    let mechanic = &taken.mechanic.client;
    let sent = uploaded(mechanic, "chat", &photo()).await;
    let message = json!({"client_message_id": "019ceb78-6b20-7b20-9e32-6d1f5aab6a01", "type": "image",
        "file_url": sent.file_url});
    mechanic.post(&format!("/jobs/{}/messages", taken.job), message).await.expect(201);
    let kept = photo_of_work(&taken, "https://files.example/kept.jpg").await;
    let dropped = uploaded(mechanic, "job_photo", &photo()).await;
    let dropped = photo_of_work(&taken, &dropped.file_url).await;
    assert_ne!(kept, dropped);
    assert_eq!(photos(&club.program, &taken).await.len(), 2);
    mechanic.delete(&format!("/jobs/{}/photos/{dropped}", taken.job)).await.expect(204);
    let seen = photos(&club.program, &taken).await;
    let urls: Vec<_> = seen.iter().map(|photo| photo["url"].clone()).collect();
    assert_eq!(urls, ["https://files.example/kept.jpg"]);
}
