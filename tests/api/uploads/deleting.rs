//! Tests which files are deleted, and which are kept.

use roadcall::accounts::uploads;
use serde_json::json;

use crate::support::{
    TestApp,
    bodies::{id_of, registration, set},
    spawn_accepted, spawn_app, spawn_on_road, spawn_with_admin, spawn_with_customer,
    uploads::{Announced, photo, presigned, sent, uploaded},
};

/// Moves everything this far into the past.
async fn age(app: &TestApp, by: &str) {
    let sql = "update uploads set created_at = created_at - $1::interval, completed_at = completed_at - $1::interval,
        referred_at = referred_at - $1::interval";
    let by: sqlx::postgres::types::PgInterval = match by {
        "23 hours" => chrono::TimeDelta::hours(23),
        "25 hours" => chrono::TimeDelta::hours(25),
        "29 days" => chrono::TimeDelta::days(29),
        "31 days" => chrono::TimeDelta::days(31),
        odd => panic!("{odd}"),
    }
    .try_into()
    .unwrap();
    sqlx::query(sql).bind(by).execute(&app.database.db).await.unwrap();
}

async fn sweep(app: &TestApp) -> u64 {
    uploads::sweep(&app.service.uploads, 1000).await.unwrap()
}

fn has_bytes(app: &TestApp, upload: &Announced) -> bool {
    let folder = &upload.id[upload.id.len() - 2..];
    app.data_dir.join("uploads/files").join(folder).join(&upload.id).exists()
}

async fn has_row(app: &TestApp, upload: &Announced) -> bool {
    let sql = "select exists (select from uploads where id = $1::uuid)";
    app.value(sql, &[&upload.id]).await
}

async fn is_there(app: &TestApp, upload: &Announced) -> bool {
    let found = (has_row(app, upload).await, has_bytes(app, upload));
    assert!(found.0 == found.1, "row and bytes: {found:?}");
    found.0
}

#[actix_web::test]
async fn an_uncompleted_upload_is_deleted_after_a_day_with_its_bytes() {
    let (app, customer) = spawn_with_customer().await;
    let (sent, complete) =
        (sent(&customer, "avatar", &photo()).await, uploaded(&customer, "avatar", &photo()).await);
    let announced = presigned(&customer, "avatar", &photo()).await;
    age(&app, "23 hours").await;
    assert_eq!(sweep(&app).await, 0);
    assert!(is_there(&app, &sent).await);
    age(&app, "25 hours").await;
    assert_eq!(sweep(&app).await, 2);
    assert!(!is_there(&app, &sent).await && !has_row(&app, &announced).await);
    assert!(is_there(&app, &complete).await);
    sent.complete(&customer).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn an_unreferenced_upload_is_deleted_after_thirty_days_and_any_reference_keeps_it() {
    let (app, admin, mut mechanic, stranded) = spawn_on_road().await;
    let (customer, worker) = (&stranded.client, &mechanic.client);
    let by_customer = async |purpose: &str| uploaded(customer, purpose, &photo()).await;
    let avatar = by_customer("avatar").await;
    customer.patch("/users/me", json!({"avatar_url": avatar.file_url})).await.expect(200);
    let document = uploaded(worker, "document", &photo()).await;
    let body = json!({"type": "other", "file_url": document.file_url});
    worker.post("/mechanics/me/documents", body).await.expect(201);
    let icon = uploaded(&admin, "avatar", &photo()).await;
    let tyres = "/service-categories/018f0000-0000-7000-8000-000000000001";
    admin.patch(tyres, json!({"icon_url": icon.file_url})).await.expect(200);
    // Another admin may leave it unchanged.
    app.admin().await.patch(tyres, json!({"icon_url": icon.file_url, "sort_order": 1})).await.expect(200);
    let called = by_customer("job_photo").await;
    let job = set(&stranded.call_body(), "photo_urls", json!([called.file_url]));
    let job = id_of(&customer.post("/jobs", job).await.expect(201));
    mechanic.accept().await;
    mechanic.drive_and_start(customer, &job).await;
    let worker = &mechanic.client;
    let seen = uploaded(worker, "job_photo", &photo()).await;
    let body = json!({"stage": "during", "file_url": seen.file_url});
    worker.post(&format!("/jobs/{job}/photos"), body).await.expect(201);
    let part = uploaded(worker, "job_photo", &photo()).await;
    let item = json!({"type": "part", "description": "Tube", "quantity": 1, "unit_price": 120,
        "photo_url": part.file_url});
    let item = id_of(&worker.post(&format!("/jobs/{job}/line-items"), item).await.expect(201));
    customer.post(&format!("/jobs/{job}/line-items/{item}/approve"), json!({"version": 1})).await.expect(200);
    let done = uploaded(worker, "job_photo", &photo()).await;
    mechanic.tell(&job, "complete", json!({"outcome": "fixed", "photo_urls": [done.file_url]})).await;
    let evidence = by_customer("evidence").await;
    let dispute = json!({"reason_code": "poor_work", "description": "Flat again",
        "evidence_urls": [evidence.file_url]});
    customer.post(&format!("/jobs/{job}/dispute"), dispute).await.expect(201);
    let chat = by_customer("chat").await;
    let message = json!({"client_message_id": "019ceb78-6b20-7b20-9e32-6d1f5aab6a01", "type": "image",
        "file_url": chat.file_url});
    customer.post(&format!("/jobs/{job}/messages"), message).await.expect(201);
    let unused = [
        by_customer("avatar").await,
        by_customer("job_photo").await,
        by_customer("evidence").await,
        by_customer("chat").await,
    ];

    age(&app, "29 days").await;
    assert_eq!(sweep(&app).await, 0);
    age(&app, "31 days").await;
    assert_eq!(sweep(&app).await, unused.len() as u64);
    for upload in &unused {
        assert!(!is_there(&app, upload).await);
    }
    let used = [
        ("avatar", avatar),
        ("document", document),
        ("icon", icon),
        ("photo of the call", called),
        ("photo of the job", seen),
        ("photo of a part", part),
        ("photo at the end", done),
        ("evidence", evidence),
        ("chat", chat),
    ];
    for (what, upload) in &used {
        assert!(is_there(&app, upload).await, "{what}");
    }
}

#[actix_web::test]
async fn files_in_use_do_not_delay_the_deletion_of_unused_ones() {
    let (app, customer) = spawn_with_customer().await;
    let used = uploaded(&customer, "avatar", &photo()).await;
    customer.patch("/users/me", json!({"avatar_url": used.file_url})).await.expect(200);
    age(&app, "29 days").await;
    let unused = uploaded(&customer, "avatar", &photo()).await;
    age(&app, "31 days").await;
    assert_eq!(
        uploads::sweep(&app.service.uploads, 1).await.unwrap(),
        1,
        "one at a time, the older one first"
    );
    assert!(is_there(&app, &used).await && !is_there(&app, &unused).await);
}

#[actix_web::test]
async fn a_recently_referenced_upload_is_kept() {
    let (app, customer) = spawn_with_customer().await;
    let upload = uploaded(&customer, "avatar", &photo()).await;
    age(&app, "31 days").await;
    customer.patch("/users/me", json!({"avatar_url": upload.file_url})).await.expect(200);
    customer.patch("/users/me", json!({"avatar_url": null})).await.expect(200);
    assert_eq!(sweep(&app).await, 0);
    age(&app, "31 days").await;
    assert_eq!(sweep(&app).await, 1);
    customer.get(&upload.path("/link")).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn a_deleted_account_loses_its_avatar_and_documents_and_its_jobs_keep_their_photos() {
    let (app, admin) = spawn_with_admin().await;
    let customer = app.customer().await;
    let avatar = uploaded(&customer, "avatar", &photo()).await;
    customer.patch("/users/me", json!({"avatar_url": avatar.file_url})).await.expect(200);
    let document = uploaded(&customer, "document", &photo()).await;
    let documents = json!([{"type": "aadhaar", "file_url": document.file_url}]);
    customer.post("/mechanics/register", set(&registration(), "documents", documents)).await.expect(201);
    let half = sent(&customer, "chat", &photo()).await;
    let job_photo = uploaded(&customer, "job_photo", &photo()).await;
    customer.delete("/users/me").await.expect(204);
    for upload in [&avatar, &document, &half] {
        assert!(!is_there(&app, upload).await);
    }
    assert!(is_there(&app, &job_photo).await);
    admin.get(&document.path("/link")).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn a_deletion_is_completed_after_a_crash_between_its_steps() {
    let (app, customer) = spawn_with_customer().await;
    let (marked, emptied) =
        (uploaded(&customer, "avatar", &photo()).await, uploaded(&customer, "avatar", &photo()).await);
    let sql = "update uploads set status = 'deleting'";
    app.change(sql, &[]).await;
    let folder = &emptied.id[emptied.id.len() - 2..];
    std::fs::remove_file(app.data_dir.join("uploads/files").join(folder).join(&emptied.id)).unwrap();
    customer.get(&marked.path("/link")).await.refused(404, "NOT_FOUND");
    assert_eq!(sweep(&app).await, 2);
    assert!(!is_there(&app, &marked).await && !is_there(&app, &emptied).await);
}

#[actix_web::test]
async fn people_delete_their_files_unless_something_shows_them() {
    let app = spawn_app().await;
    let (customer, stranger) = (app.customer().await, app.customer().await);
    let (avatar, other) =
        (uploaded(&customer, "avatar", &photo()).await, uploaded(&customer, "avatar", &photo()).await);
    let announced = presigned(&customer, "avatar", &photo()).await;
    customer.patch("/users/me", json!({"avatar_url": avatar.file_url})).await.expect(200);
    stranger.delete(&other.path("")).await.refused(404, "NOT_FOUND");
    customer.delete(&avatar.path("")).await.refused(409, "CONFLICT");
    for unused in [&other, &announced] {
        customer.delete(&unused.path("")).await.expect(204);
        assert!(!is_there(&app, unused).await);
        customer.delete(&unused.path("")).await.refused(404, "NOT_FOUND");
    }
    let gone = json!({"avatar_url": other.file_url});
    customer.patch("/users/me", gone).await.refused_field("avatar_url");
    customer.patch("/users/me", json!({"avatar_url": null})).await.expect(200);
    customer.delete(&avatar.path("")).await.expect(204);
    assert!(!is_there(&app, &avatar).await);
}

#[actix_web::test]
async fn a_photo_of_a_job_can_be_deleted_by_its_author_until_it_may_be_evidence() {
    let (app, scene) = spawn_accepted().await;
    let (customer, worker) = (&scene.customer, &scene.mechanic.client);
    let add = async |by: &crate::support::Client| {
        let file = uploaded(by, "job_photo", &photo()).await;
        let body = json!({"stage": "before", "file_url": file.file_url});
        let id = id_of(&by.post(&scene.path("/photos"), body).await.expect(201));
        (file, scene.path(&format!("/photos/{id}")))
    };
    let (blurred, path) = add(customer).await;
    customer.delete(&blurred.path("")).await.refused(409, "CONFLICT");
    worker.delete(&path).await.refused(404, "NOT_FOUND");
    customer.delete(&path).await.expect(204);
    customer.delete(&path).await.refused(404, "NOT_FOUND");
    assert_eq!(customer.get(&scene.path("/photos")).await.expect(200)["data"], json!([]));
    customer.get(&blurred.path("")).await.refused(404, "NOT_FOUND");
    sweep(&app).await;
    assert!(!is_there(&app, &blurred).await, "its file goes with it");

    let (proof, path) = add(worker).await;
    scene.serve().await;
    worker.delete(&path).await.refused(409, "CONFLICT");
    app.change("update job_states set completed_at = completed_at - interval '400 days'", &[]).await;
    worker.delete(&path).await.expect(204);
    worker.get(&proof.path("")).await.refused(404, "NOT_FOUND");
}
