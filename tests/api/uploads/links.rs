//! Tests who gets a link to a file, and what is audited.

use roadcall::platform::db::Db;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{
    Client, TestApp, spawn_app, spawn_app_with, spawn_on_road, spawn_with_customer,
    uploads::{Announced, path_of, photo, presigned, sent, uploaded},
};

/// Returns who read an upload, according to the audit log.
async fn reads(db: &Db, upload: &Announced) -> Vec<(Uuid, Value)> {
    sqlx::query_as(
        "select actor_id, after from audit_log where action = 'upload.read' and subject_id = $1::uuid order by at",
    )
    .bind(&upload.id)
    .fetch_all(db)
    .await
    .unwrap()
}

async fn is_shown(by: &Client, upload: &Announced) -> bool {
    let answers = [by.get(&upload.path("/link")).await, by.get(&upload.path("/file")).await];
    match answers.map(|answer| answer.status) {
        [200, 302] => true,
        [404, 404] => false,
        odd => panic!("{odd:?}"),
    }
}

#[actix_web::test]
async fn a_document_opens_for_its_owner_and_for_admins_whose_read_is_audited() {
    let app = spawn_app().await;
    let (admin, mechanic) = (app.admin().await, app.customer().await);
    let upload = uploaded(&mechanic, "document", &photo()).await;
    assert!(is_shown(&mechanic, &upload).await);
    assert_eq!(reads(&app.database.db, &upload).await, [], "one's own is nobody's business");
    assert!(!is_shown(&*app.customer().await, &upload).await);
    assert!(!is_shown(&app.verified_mechanic(&admin).await.client, &upload).await);
    assert_eq!(reads(&app.database.db, &upload).await, [], "nobody has read it");
    assert!(is_shown(&admin, &upload).await);
    let reply = json!({"owner_id": mechanic.user_id, "purpose": "document"});
    let by = admin.user_id.parse().unwrap();
    assert_eq!(reads(&app.database.db, &upload).await, [(by, reply.clone()), (by, reply)], "link and file");
}

#[actix_web::test]
async fn no_link_to_a_document_is_given_without_its_audit_entry() {
    let app = spawn_app().await;
    let (admin, owner) = (app.admin().await, app.customer().await);
    let upload = uploaded(&owner, "document", &photo()).await;
    let lock = "alter table audit_log add constraint closed check (action <> 'upload.read')";
    app.change(lock, &[]).await;
    admin.get(&upload.path("/link")).await.refused(500, "INTERNAL_ERROR");
    admin.get(&upload.path("/file")).await.refused(500, "INTERNAL_ERROR");
    assert!(is_shown(&owner, &upload).await);
}

#[actix_web::test]
async fn the_stable_url_leads_to_a_link_that_ends_soon() {
    let app = spawn_app_with(|settings| settings.server.public_url = "https://api.example/".to_owned()).await;
    let owner = app.customer().await;
    let upload = uploaded(&owner, "avatar", &photo()).await;
    assert_eq!(upload.file_url, format!("https://api.example/uploads/{}/file", upload.id));
    let answer = owner.get(&upload.path("/file")).await;
    let url = answer.header("location").unwrap().to_owned();
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    answer.expect(302);
    assert!(url.starts_with(&format!("https://api.example/uploads/{}/content?", upload.id)), "{url}");
    let below = path_of(&url);
    app.anonymous().get(&below).await.expect(200);
    app.anonymous().get(&format!("/api/v1{below}")).await.expect(200);
    app.anonymous().get(&upload.path("/file")).await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn a_link_to_a_document_expires_sooner_than_others() {
    let (app, owner) = spawn_with_customer().await;
    let life = async |purpose: &str| {
        let upload = uploaded(&owner, purpose, &photo()).await;
        let before = app.service.clock.now();
        let link = owner.get(&upload.path("/link")).await.expect(200);
        let ends: chrono::DateTime<chrono::Utc> = link["expires_at"].as_str().unwrap().parse().unwrap();
        (ends - before).num_seconds()
    };
    // The expiry is cut to whole seconds, and a request takes some time.
    assert!((58..120).contains(&life("document").await));
    assert!((298..360).contains(&life("avatar").await));
}

#[actix_web::test]
async fn an_avatar_is_shown_to_everyone_who_is_signed_in() {
    let app = spawn_app().await;
    let upload = uploaded(&*app.customer().await, "avatar", &photo()).await;
    assert!(is_shown(&*app.customer().await, &upload).await);
    assert!(is_shown(&*app.admin().await, &upload).await);
    app.anonymous().get(&upload.path("/link")).await.refused(401, "UNAUTHORIZED");
}

/// A customer's job with a mechanic, and another customer and mechanic.
struct Street {
    scene: crate::support::roadside::Scene,
    other_customer: crate::support::Person,
    other_mechanic: crate::support::Person,
}

async fn street(app: &TestApp) -> Street {
    let admin = app.admin().await;
    let scene = app.accepted().await;
    let other_mechanic = app.verified_mechanic(&admin).await.client;
    Street { scene, other_customer: app.customer().await, other_mechanic }
}

impl Street {
    /// Returns whether it is shown to the customer, the mechanic, the other customer and the other mechanic.
    async fn shown(&self, upload: &Announced) -> [bool; 4] {
        [
            is_shown(&self.scene.customer, upload).await,
            is_shown(&self.scene.mechanic.client, upload).await,
            is_shown(&self.other_customer, upload).await,
            is_shown(&self.other_mechanic, upload).await,
        ]
    }
}

#[actix_web::test]
async fn photos_and_evidence_are_shown_to_the_two_people_of_the_job_that_refers_to_them() {
    let app = spawn_app().await;
    let street = street(&app).await;
    let (customer, mechanic) = (&street.scene.customer, &street.scene.mechanic);
    let before = uploaded(customer, "job_photo", &photo()).await;
    assert_eq!(street.shown(&before).await, [true, false, false, false], "nothing refers to it");
    let body = json!({"stage": "before", "file_url": before.file_url});
    customer.post(&street.scene.path("/photos"), body).await.expect(201);
    assert_eq!(street.shown(&before).await, [true, true, false, false]);

    mechanic.drive_and_start(customer, &street.scene.job).await;
    let part = uploaded(&mechanic.client, "job_photo", &photo()).await;
    let item = json!({"type": "part", "description": "Tube", "quantity": 1, "unit_price": 120,
        "photo_url": part.file_url});
    let item = mechanic.client.post(&street.scene.path("/line-items"), item).await.expect(201);
    assert_eq!(street.shown(&part).await, [true, true, false, false]);
    let id = item["id"].as_str().unwrap();
    let asked = json!({"version": 1});
    customer.post(&street.scene.path(&format!("/line-items/{id}/approve")), asked).await.expect(200);

    let after = uploaded(&mechanic.client, "job_photo", &photo()).await;
    assert_eq!(street.shown(&after).await, [false, true, false, false]);
    street.scene.step("complete", json!({"outcome": "fixed", "photo_urls": [after.file_url]})).await;
    assert_eq!(street.shown(&after).await, [true, true, false, false]);

    let evidence = uploaded(customer, "evidence", &photo()).await;
    let dispute = json!({"reason_code": "poor_work", "description": "Flat again",
        "evidence_urls": [evidence.file_url]});
    customer.post(&street.scene.path("/dispute"), dispute).await.expect(201);
    assert_eq!(street.shown(&evidence).await, [true, true, false, false]);
}

#[actix_web::test]
async fn photos_that_came_with_a_job_are_shown_to_its_mechanic() {
    let (_app, _, mut mechanic, stranded) = spawn_on_road().await;
    let upload = uploaded(&stranded.client, "job_photo", &photo()).await;
    let mut body = stranded.call_body();
    body["photo_urls"] = json!([upload.file_url]);
    stranded.client.post("/jobs", body).await.expect(201);
    mechanic.offer().await;
    assert!(!is_shown(&mechanic.client, &upload).await, "an offer is not the job");
    let offers = mechanic.client.get("/mechanics/me/offers").await.expect(200);
    let offer = offers["data"][0]["id"].as_str().unwrap();
    mechanic.client.post(&format!("/offers/{offer}/accept"), json!({})).await.expect(200);
    assert!(is_shown(&mechanic.client, &upload).await);
}

#[actix_web::test]
async fn an_uncompleted_upload_has_no_link() {
    let app = spawn_app().await;
    let (owner, admin) = (app.customer().await, app.admin().await);
    for upload in [presigned(&owner, "avatar", &photo()).await, sent(&owner, "avatar", &photo()).await] {
        for by in [&owner, &admin] {
            by.get(&upload.path("/link")).await.refused(409, "CONFLICT");
            by.get(&upload.path("/file")).await.refused(409, "CONFLICT");
        }
        assert!(!is_completed(&app, &upload).await);
    }
}

async fn is_completed(app: &TestApp, upload: &Announced) -> bool {
    let sql = "select status = 'complete' from uploads where id = $1::uuid";
    app.value(sql, &[&upload.id]).await
}
