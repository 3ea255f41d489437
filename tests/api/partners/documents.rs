//! The documents of cases.

use serde_json::{Value, json};

use crate::support::{
    bodies::id_of,
    cases::{Contracted, new_case},
    partners::Agent,
    spawn_app, spawn_app_with,
    uploads::{Announced, case_document, path_of, sent_for_case},
};

fn document(upload: &Announced) -> Value {
    json!({"upload_id": upload.id, "kind": "police_report", "name": "Report of the traffic police"})
}

#[actix_web::test]
async fn a_document_is_seen_by_its_organisation_and_by_admins_until_it_is_deleted() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let case = id_of(&club.case().await);
    let upload = sent_for_case(&club.program, &case).await;
    let path = format!("/partner/cases/{case}/documents");
    let made = club.program.post(&path, document(&upload)).await.expect(201);
    assert_eq!((&made["case_id"], &made["content_type"]), (&json!(case), &json!("image/jpeg")));
    let again = club.program.post(&path, document(&upload)).await.expect(200);
    assert_eq!(id_of(&again), id_of(&made));

    let url = made["url"].as_str().expect("a link");
    assert_eq!(app.anonymous().get(&path_of(url)).await.status, 200);
    for seen in [
        club.program.get(&path).await.expect(200),
        club.admin.get(&format!("/admin/partner-cases/{case}/documents")).await.expect(200),
    ] {
        assert_eq!(seen["data"].as_array().map(Vec::len), Some(1));
        assert_eq!(
            (&seen["data"][0]["id"], &seen["data"][0]["kind"]),
            (&made["id"], &json!("police_report"))
        );
    }
    let mechanic = app.on_road_at(&club.admin, club.place()).await;
    mechanic.client.get(&upload.path("/link")).await.refused(404, "NOT_FOUND");

    club.program.delete(&format!("{path}/{}", id_of(&made))).await.expect(204);
    assert_eq!(club.program.get(&path).await.expect(200)["data"], json!([]));
    assert_eq!(app.value::<i64>("select count(*) from uploads", &[]).await, 0);
    assert_ne!(app.anonymous().get(&path_of(url)).await.status, 200);
}

#[actix_web::test]
async fn a_document_is_an_own_file_of_one_case_whose_bytes_were_sent() {
    let app = spawn_app().await;
    let (club, other) = (Contracted::new(&app).await, Contracted::new(&app).await);
    let [first, second] = [id_of(&club.case().await), id_of(&club.case().await)];
    let path = |case: &str| format!("/partner/cases/{case}/documents");
    let theirs = sent_for_case(&other.program, &id_of(&other.case().await)).await;
    club.program.post(&path(&first), document(&theirs)).await.refused_field("upload_id");

    let upload = sent_for_case(&club.program, &first).await;
    other.program.post(&path(&first), document(&upload)).await.refused(404, "NOT_FOUND");
    other.program.get(&path(&first)).await.refused(404, "NOT_FOUND");
    let reader = club.partner.program(&["read"]).await;
    reader.post(&path(&first), document(&upload)).await.refused(403, "FORBIDDEN");
    let made = id_of(&club.program.post(&path(&first), document(&upload)).await.expect(201));
    assert_eq!(reader.get(&path(&first)).await.expect(200)["data"][0]["id"], json!(made));
    club.program.post(&path(&second), document(&upload)).await.refused(409, "CONFLICT");
    club.program.delete(&format!("{}/{made}", path(&second))).await.refused(404, "NOT_FOUND");
    other.program.delete(&format!("{}/{made}", path(&first))).await.refused(404, "NOT_FOUND");

    let file = json!({"content_type": "application/pdf", "size_bytes": 512});
    let uploads = format!("/partner/cases/{first}/uploads");
    let announced = club.program.post(&uploads, file).await.expect(201);
    let early = json!({"upload_id": announced["upload_id"], "kind": "policy", "name": "The policy"});
    club.program.post(&path(&first), early).await.refused(409, "CONFLICT");
    let large = json!({"content_type": "application/pdf", "size_bytes": 1_000_000_000});
    club.program.post(&uploads, large).await.refused_field("size_bytes");
}

#[actix_web::test]
async fn an_organisations_uploads_have_limits_of_their_own() {
    let app = spawn_app_with(|settings| {
        let uploads = &mut settings.uploads;
        (uploads.max_image_bytes, uploads.max_pdf_bytes) = (1_000, 1_000);
        (uploads.max_pending_per_user, uploads.max_bytes_per_user_and_day) = (1, 1_000);
        (uploads.max_pending_per_organisation, uploads.max_bytes_per_organisation_and_day) = (3, 2_500);
    })
    .await;
    let customer = app.customer().await;
    let paper = json!({"purpose": "evidence", "content_type": "application/pdf", "size_bytes": 1_000});
    customer.post("/uploads/presign", paper.clone()).await.expect(201);
    customer.post("/uploads/presign", paper).await.refused(409, "CONFLICT");

    let club = Contracted::new(&app).await;
    let uploads = format!("/partner/cases/{}/uploads", id_of(&club.case().await));
    let file = |bytes: i64| json!({"content_type": "application/pdf", "size_bytes": bytes});
    for _ in 0..2 {
        club.program.post(&uploads, file(1_000)).await.expect(201);
    }
    club.program.post(&uploads, file(501)).await.refused(429, "RATE_LIMITED");
    club.program.post(&uploads, file(500)).await.expect(201);
    club.program.post(&uploads, file(1)).await.refused(409, "CONFLICT");
}

#[actix_web::test]
async fn an_agency_does_not_use_up_what_its_client_may_upload() {
    let app = spawn_app_with(|settings| settings.uploads.max_pending_per_organisation = 2).await;
    let club = Contracted::new(&app).await;
    let case = id_of(&club.case().await);
    let agency = app.partner(&club.admin).await;
    let agent = Agent::new(&agency, &club.partner, &["read", "cases"]).await;
    let made = agent.post("/partner/cases", &new_case("roadside", club.place())).await.expect(201);
    let file = json!({"content_type": "application/pdf", "size_bytes": 512});
    let theirs = format!("/partner/cases/{}/uploads", id_of(&made));
    for _ in 0..2 {
        agent.post(&theirs, &file).await.expect(201);
    }
    agent.post(&theirs, &file).await.refused(409, "CONFLICT");
    club.program.post(&format!("/partner/cases/{case}/uploads"), file).await.expect(201);
}

#[actix_web::test]
async fn a_case_has_at_most_twenty_documents() {
    let app = spawn_app().await;
    let club = Contracted::new(&app).await;
    let case = id_of(&club.case().await);
    let path = format!("/partner/cases/{case}/documents");
    let first = case_document(&club.program, &case).await;
    for _ in 1..20 {
        case_document(&club.program, &case).await;
    }
    let one_more = sent_for_case(&club.program, &case).await;
    club.program.post(&path, document(&one_more)).await.refused(409, "CONFLICT");
    club.program.delete(&format!("{path}/{}", id_of(&first))).await.expect(204);
    club.program.post(&path, document(&one_more)).await.expect(201);
}
