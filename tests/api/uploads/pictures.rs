//! Pictures are stored without the metadata that phones write into them.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::{
    Client, TestApp,
    bodies::set,
    spawn_app_with, spawn_with_customer,
    uploads::{Announced, announcement, photo, photo_with, presigned, presigned_as, sent},
};

use super::s3::{put, stored};

/// A comment with a place in it.
const COMMENT: &[u8] = b"\xff\xfe\0\x12GPS 12.97 77.59\0";

const DAMAGED: &str = "the picture is damaged";
const TOO_LARGE: &str = "more than 120 million pixels";

/// Returns an Exif segment of a photo that lies on its side, with a place after it.
fn exif(place: &[u8]) -> Vec<u8> {
    let tiff = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0".as_slice();
    let contents = [b"Exif\0\0", tiff, place].concat();
    [&[0xff, 0xe1], (contents.len() as u16 + 2).to_be_bytes().as_slice(), &contents].concat()
}

/// Returns the photo as a phone takes it, and as it is stored.
fn snapshot() -> (Vec<u8>, Vec<u8>) {
    let taken = photo_with(&[exif(b"GPS 12.97 77.59"), COMMENT.to_vec()].concat(), &[7; 500]);
    (taken, photo_with(&exif(b""), &[7; 500]))
}

/// Returns a photo of the usual length whose end was overwritten.
fn without_end() -> Vec<u8> {
    let mut bytes = photo();
    let length = bytes.len();
    bytes[length - 2..].fill(7);
    bytes
}

fn announced_exactly(bytes: &[u8]) -> Value {
    let digest = hex::encode(Sha256::digest(bytes));
    set(&announcement("job_photo", bytes), "sha256", json!(digest))
}

async fn assert_row(app: &TestApp, upload: &Announced, kept: &[u8]) {
    let row: (i64, Vec<u8>) =
        app.row("select size_bytes, sha256 from uploads where id = $1::uuid", &[&upload.id]).await;
    assert_eq!(row, (kept.len() as i64, Sha256::digest(kept).to_vec()));
}

#[actix_web::test]
async fn a_photo_loses_its_place_and_keeps_its_orientation() {
    let (app, owner) = spawn_with_customer().await;
    let (taken, kept) = snapshot();
    let upload = presigned_as(&owner, announced_exactly(&taken)).await;
    upload.put(&owner, &taken).await.expect(200);
    let shown = upload.complete(&owner).await.expect(200);
    assert_eq!(shown["size_bytes"], json!(kept.len()));
    assert_eq!(upload.complete(&owner).await.expect(200), shown, "once more");
    let url = format!("http://{}{}", app.address, upload.link_path(&owner).await);
    let fetched = reqwest::get(url).await.unwrap().bytes().await.unwrap();
    assert!(fetched == kept, "{fetched:?}");
    assert_row(&app, &upload, &kept).await;
}

#[actix_web::test]
async fn a_photo_in_s3_loses_its_place_too() {
    let (store, app, owner) = stored().await;
    let (taken, kept) = snapshot();
    let upload = presigned_as(&owner, announced_exactly(&taken)).await;
    assert_eq!(put(&upload, "image/jpeg", &taken).await, 200);
    upload.complete(&owner).await.expect(200);
    let link = owner.get(&upload.path("/link")).await.expect(200);
    let fetched = reqwest::get(link["url"].as_str().unwrap()).await.unwrap().bytes().await.unwrap();
    assert!(fetched == kept, "{fetched:?}");
    assert_row(&app, &upload, &kept).await;
    assert_eq!(store.objects().len(), 1);
}

#[actix_web::test]
async fn a_damaged_picture_is_refused_and_may_be_sent_again() {
    let (_app, owner) = spawn_with_customer().await;
    let upload = sent(&owner, "job_photo", &without_end()).await;
    assert_refused(&owner, &upload, DAMAGED).await;
    upload.complete(&owner).await.refused(409, "CONFLICT");
    upload.put(&owner, &photo()).await.expect(200);
    upload.complete(&owner).await.expect(200);
}

/// Returns a small photo whose header says that it has so many pixels on each side.
fn vast(side: u16) -> Vec<u8> {
    let (mut bytes, side) = (photo(), side.to_be_bytes());
    let frame = bytes.windows(2).position(|marker| marker == [0xff, 0xc0]).expect("a frame");
    bytes[frame + 5..frame + 9].copy_from_slice(&[side, side].concat());
    bytes
}

async fn assert_refused(owner: &Client, upload: &Announced, reason: &str) {
    let answer = upload.complete(owner).await;
    assert!(answer.text.contains(reason), "{}", answer.text);
    answer.refused_field("content_type");
}

#[actix_web::test]
async fn a_picture_that_takes_too_much_memory_to_open_is_refused() {
    let (_app, owner) = spawn_with_customer().await;
    let upload = sent(&owner, "job_photo", &vast(50_000)).await;
    assert_refused(&owner, &upload, TOO_LARGE).await;
    sent(&owner, "job_photo", &vast(10_000)).await.complete(&owner).await.expect(200);
}

#[actix_web::test]
async fn a_picture_that_cannot_be_opened_is_removed_from_the_store() {
    let (store, _app, owner) = stored().await;
    for (picture, reason) in [(without_end(), DAMAGED), (vast(50_000), TOO_LARGE)] {
        let upload = presigned(&owner, "job_photo", &picture).await;
        assert_eq!(put(&upload, "image/jpeg", &picture).await, 200);
        assert_refused(&owner, &upload, reason).await;
        assert_eq!(store.objects(), Vec::<String>::new());
    }
}

#[actix_web::test]
async fn removed_metadata_still_counts_against_the_daily_limit() {
    let (taken, kept) = snapshot();
    let app = spawn_app_with(|settings| {
        settings.uploads.max_pdf_bytes = 100;
        settings.uploads.max_image_bytes = 1000;
        settings.uploads.max_bytes_per_user_and_day = (2 * taken.len() - 1) as i64;
    })
    .await;
    let owner = app.customer().await;
    sent(&owner, "job_photo", &taken).await.complete(&owner).await.expect(200);
    let body = announcement("job_photo", &taken);
    owner.post("/uploads/presign", body).await.refused(429, "RATE_LIMITED");
    presigned(&owner, "job_photo", &kept).await;
}

/// Makes the next attempt to complete believe that it runs, while another attempt has taken over.
async fn take_over(app: &TestApp) {
    let sql = "create function take_over() returns trigger language plpgsql as $$ begin
            new.attempt = gen_random_uuid();
            new.attempt_until = new.created_at;
            return new;
        end $$;
        create trigger take_over before update on uploads for each row
            when (new.attempt is distinct from old.attempt) execute function take_over()";
    sqlx::raw_sql(sql).execute(&app.database.db).await.unwrap();
}

#[actix_web::test]
async fn an_overtaken_try_leaves_the_bytes_to_the_next() {
    let (app, owner) = spawn_with_customer().await;
    let (taken, kept) = snapshot();
    let upload = sent(&owner, "job_photo", &taken).await;
    take_over(&app).await;
    upload.complete(&owner).await.refused(409, "CONFLICT");
    sqlx::raw_sql("drop trigger take_over on uploads").execute(&app.database.db).await.unwrap();
    assert_eq!(upload.complete(&owner).await.expect(200)["size_bytes"], json!(kept.len()));
}

#[actix_web::test]
async fn an_overtaken_try_leaves_the_bytes_in_s3_to_the_next() {
    let (store, app, owner) = stored().await;
    let (taken, kept) = snapshot();
    let upload = presigned(&owner, "job_photo", &taken).await;
    assert_eq!(put(&upload, "image/jpeg", &taken).await, 200);
    take_over(&app).await;
    upload.complete(&owner).await.refused(409, "CONFLICT");
    assert_eq!(store.objects(), [format!("incoming/{}", upload.id)]);
    sqlx::raw_sql("drop trigger take_over on uploads").execute(&app.database.db).await.unwrap();
    assert_eq!(upload.complete(&owner).await.expect(200)["size_bytes"], json!(kept.len()));
    assert_eq!(store.objects().len(), 1);
}

#[actix_web::test]
async fn a_new_account_of_a_person_has_the_same_quota() {
    let app = spawn_app_with(|settings| {
        settings.uploads.max_pdf_bytes = 1000;
        settings.uploads.max_image_bytes = 4000;
        settings.uploads.max_bytes_per_user_and_day = 7_000;
    })
    .await;
    let owner = app.customer().await;
    for _ in 0..2 {
        let evidence = sent(&owner, "evidence", &photo()).await;
        evidence.complete(&owner).await.expect(200);
    }
    let body = announcement("evidence", &photo());
    owner.post("/uploads/presign", body.clone()).await.refused(429, "RATE_LIMITED");
    owner.delete("/users/me").await.expect(204);
    let anew = app.sign_in(&owner.phone).await;
    assert_ne!(anew.user_id, owner.user_id);
    anew.post("/uploads/presign", body.clone()).await.refused(429, "RATE_LIMITED");
    app.customer().await.post("/uploads/presign", body).await.expect(201);
    let keys: Vec<String> = app.values("select row_to_json(u)::text from uploads u", &[]).await;
    assert!(keys.iter().all(|row| !row.contains(owner.phone.trim_start_matches('+'))), "no phone is kept");
}
