//! The way from the announcement to the file in the data folder.

use serde_json::json;
use sha2::{Digest, Sha256};

use crate::support::{
    Client, TestApp,
    bodies::set,
    spawn_app, spawn_app_with, spawn_with_customer,
    uploads::{announcement, pdf, photo, presigned, presigned_as, sent, uploaded},
};

fn hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Returns the names of all files below the folder of uploads.
fn files(app: &TestApp) -> Vec<String> {
    let below = walkdir::WalkDir::new(app.data_dir.join("uploads")).into_iter().map(Result::unwrap);
    let files = below.filter(|entry| entry.file_type().is_file());
    files.map(|entry| entry.file_name().to_str().unwrap().to_owned()).collect()
}

#[actix_web::test]
async fn a_photo_is_announced_sent_completed_and_fetched() {
    let (app, customer) = spawn_with_customer().await;
    let bytes = photo();
    let body = set(&announcement("job_photo", &bytes), "sha256", json!(hex(&bytes).to_uppercase()));
    let upload = presigned_as(&customer, body).await;
    assert_eq!(upload.answer["method"], "PUT");
    assert_eq!(upload.answer["headers"], json!({"content-type": "image/jpeg", "content-length": "3012"}));
    assert_eq!(upload.file_url, format!("http://{}/uploads/{}/file", app.address, upload.id));
    upload.complete(&customer).await.refused(409, "CONFLICT");
    upload.put(&customer, &bytes).await.expect(200);
    let shown = upload.complete(&customer).await.expect(200);
    assert_eq!((&shown["status"], &shown["size_bytes"]), (&json!("complete"), &json!(3012)));
    assert_eq!(shown["file_url"], upload.file_url);
    assert_eq!(upload.complete(&customer).await.expect(200), shown, "once more");
    assert_eq!(files(&app), [upload.id.as_str()], "its name is its id, and nothing else is left");

    let link = upload.link_path(&customer).await;
    let answer = app.anonymous().get(&link).await;
    assert_eq!((answer.status, answer.text.len()), (200, String::from_utf8_lossy(&bytes).len()));
    for (header, value) in [
        ("content-type", "image/jpeg"),
        ("content-length", "3012"),
        ("content-disposition", &format!("inline; filename=\"{}.jpg\"", upload.id)),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "private"),
        ("content-security-policy", "default-src 'none'; sandbox; frame-ancestors 'none'"),
    ] {
        assert_eq!(answer.header(header), Some(value), "{header}");
    }
}

#[actix_web::test]
async fn a_file_of_many_pieces_is_unchanged_after_a_restart() {
    let mut app = spawn_app().await;
    let customer = app.customer().await;
    let bytes: Vec<u8> = pdf().into_iter().chain((0..5_000_000_u32).map(|n| (n * 7 / 3) as u8)).collect();
    let body = json!({"purpose": "document", "content_type": "application/pdf", "size_bytes": bytes.len(),
        "sha256": hex(&bytes)});
    let upload = presigned_as(&customer, body).await;
    upload.put(&customer, &bytes).await.expect(200);
    upload.complete(&customer).await.expect(200);
    app.restart().await;
    let customer = Client::new(app.address).with_token(customer.token().unwrap());
    let url = format!("http://{}{}", app.address, upload.link_path(&customer).await);
    let answer = reqwest::get(url).await.unwrap();
    let disposition = format!("attachment; filename=\"{}.pdf\"", upload.id);
    assert_eq!(answer.headers()["content-disposition"], disposition);
    assert_eq!(answer.headers()["cache-control"], "private, no-store");
    assert!(answer.bytes().await.unwrap() == bytes);
}

#[actix_web::test]
async fn a_file_that_differs_from_its_announcement_is_refused_and_may_be_sent_again() {
    let (app, customer) = spawn_with_customer().await;
    let bytes = photo();
    let body = set(&announcement("job_photo", &bytes), "sha256", json!(hex(&bytes)));
    let upload = presigned_as(&customer, body).await;
    let mut changed = bytes.clone();
    changed[2000] ^= 1;
    let same_size_pdf = [b"%PDF-1.7".as_slice(), &bytes[8..]].concat();
    for (what, sent, field) in [
        ("one byte less", &bytes[..bytes.len() - 1], "size_bytes"),
        ("one byte more", &[&bytes[..], &[0]].concat(), "size_bytes"),
        ("nothing", &[], "size_bytes"),
        ("a changed byte", &changed, "sha256"),
        ("a PDF", &same_size_pdf, "content_type"),
    ] {
        let answer = upload.put(&customer, sent).await;
        assert_eq!(answer.status, 422, "{what}: {}", answer.text);
        answer.refused_field(field);
        assert_eq!(files(&app), Vec::<String>::new(), "{what}: something is left");
        upload.complete(&customer).await.refused(409, "CONFLICT");
    }
    let other_type = upload.put_as(&customer, "image/png", &bytes).await;
    other_type.refused_field("content_type");
    upload.put(&customer, &bytes).await.expect(200);
    upload.complete(&customer).await.expect(200);
}

#[actix_web::test]
async fn a_bad_announcement_names_its_field() {
    let (_app, customer) = spawn_with_customer().await;
    let valid = announcement("document", &photo());
    for (field, value) in [
        ("content_type", json!("image/svg+xml")),
        ("content_type", json!("text/html")),
        ("purpose", json!("wallpaper")),
        ("size_bytes", json!(0)),
        ("size_bytes", json!(10_485_761)),
        ("size_bytes", json!(1.5)),
        ("sha256", json!("abc")),
        ("sha256", json!("g".repeat(64))),
        ("name", json!("../../etc/passwd")),
    ] {
        customer.post("/uploads/presign", set(&valid, field, value)).await.refused_field(field);
    }
    for purpose in ["avatar", "chat", "job_photo"] {
        let body = json!({"purpose": purpose, "content_type": "application/pdf", "size_bytes": 500});
        customer.post("/uploads/presign", body).await.refused_field("content_type");
    }
    let papers = json!({"purpose": "evidence", "content_type": "application/pdf", "size_bytes": 20_971_520});
    customer.post("/uploads/presign", papers).await.expect(201);
}

#[actix_web::test]
async fn announced_uploads_and_bytes_of_a_person_are_limited() {
    let app = spawn_app_with(|settings| {
        settings.uploads.max_pending_per_user = 2;
        settings.uploads.max_pdf_bytes = 1000;
        settings.uploads.max_image_bytes = 4000;
        settings.uploads.max_bytes_per_user_and_day = 10_000;
    })
    .await;
    let (customer, other) = (app.customer().await, app.customer().await);
    let bytes = photo();
    let first = sent(&customer, "avatar", &bytes).await;
    presigned(&customer, "avatar", &bytes).await;
    let body = announcement("avatar", &bytes);
    customer.post("/uploads/presign", body.clone()).await.refused(409, "CONFLICT");
    other.post("/uploads/presign", body.clone()).await.expect(201);
    first.complete(&customer).await.expect(200);
    let third = sent(&customer, "avatar", &bytes).await;
    third.complete(&customer).await.expect(200);
    let refused = customer.post("/uploads/presign", body).await;
    assert_eq!(refused.header("retry-after"), Some("3600"));
    refused.refused(429, "RATE_LIMITED");
}

#[actix_web::test]
async fn announcements_with_expired_links_do_not_block_uploads() {
    let app = spawn_app_with(|settings| settings.uploads.max_pending_per_user = 2).await;
    let customer = app.customer().await;
    let bytes = photo();
    for _ in 0..2 {
        presigned(&customer, "avatar", &bytes).await;
    }
    let body = announcement("avatar", &bytes);
    customer.post("/uploads/presign", body.clone()).await.refused(409, "CONFLICT");
    let ttl_s = app.service.settings.uploads.put_link_ttl_s as f64;
    let pass = "update uploads set created_at = created_at - make_interval(secs => $1), attempt_until = $2";
    let completing =
        sqlx::query(pass).bind(ttl_s).bind(app.service.clock.now() + chrono::TimeDelta::hours(1));
    completing.execute(&app.database.db).await.unwrap();
    customer.post("/uploads/presign", body.clone()).await.refused(409, "CONFLICT");
    let over = sqlx::query(pass).bind(0.0).bind(app.service.clock.now() - chrono::TimeDelta::seconds(1));
    over.execute(&app.database.db).await.unwrap();
    uploaded(&customer, "avatar", &bytes).await;
}

#[actix_web::test]
async fn a_link_is_used_once() {
    let (_app, customer) = spawn_with_customer().await;
    let bytes = photo();
    let upload = sent(&customer, "avatar", &bytes).await;
    upload.put(&customer, &bytes).await.refused(409, "CONFLICT");
    upload.complete(&customer).await.expect(200);
    upload.put(&customer, &bytes).await.refused(409, "CONFLICT");
}

#[actix_web::test]
async fn partial_files_are_deleted_at_the_next_start() {
    let mut app = spawn_app().await;
    let customer = app.customer().await;
    let kept = uploaded(&customer, "avatar", &photo()).await;
    app.stop().await;
    let half = app.data_dir.join("uploads/incoming/018f0000-0000-7000-8000-00000000dead");
    std::fs::write(half, "half").unwrap();
    app.restart().await;
    assert_eq!(files(&app), [kept.id]);
}
