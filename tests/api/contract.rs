//! The contract, clause by clause: each test is named after the clause that it checks.

use reqwest::Method;
use roadcall::accounts::auth::Role;
use serde_json::{Value, json};

use crate::support::{
    Person, TestApp,
    bodies::{FLAT_TYRE, id_of, registration, with, without},
    document,
    money::{Earning, insert_earning, set_name_mismatch},
    spawn_app, spawn_with_admin, spawn_with_breakdown, spawn_with_customer, spawn_with_mechanic,
};

#[actix_web::test]
async fn clause_2_1_success_from_auth_is_success_and_data() {
    let app = spawn_app().await;
    let answer = app.anonymous().post("/auth/send-otp", json!({"phone": "+919812345678"})).await.expect(200);
    assert_eq!(answer["success"], true);
    assert!(answer["data"].is_object());
}

pub fn fields(object: &Value) -> Vec<&str> {
    object.as_object().unwrap_or_else(|| panic!("{object} is no object")).keys().map(String::as_str).collect()
}

/// The fields, sorted as maps of JSON are here.
pub const MECHANIC_PROFILE: [&str; 12] = [
    "avg_rating",
    "created_at",
    "id",
    "is_available",
    "rejection_reason",
    "service_radius_km",
    "status",
    "total_jobs",
    "total_ratings",
    "updated_at",
    "user_id",
    "vehicle_types",
];

const JOB: [&str; 23] = [
    "id",
    "customer_id",
    "vehicle_id",
    "service_category_id",
    "status",
    "pickup_address",
    "pickup_lat",
    "pickup_lng",
    "description",
    "estimated_price",
    "final_price",
    "base_price",
    "cancellation_fee",
    "created_at",
    "updated_at",
    "mechanic_profile_id",
    "photo_urls",
    "cancel_reason",
    "hms_room_id",
    "disputed_at",
    "resolved_at",
    "beneficiary_name",
    "beneficiary_phone",
];

#[actix_web::test]
async fn clause_2_1_a_page_is_data_page_limit_and_total_and_a_list_is_data() {
    let (app, admin) = spawn_with_admin().await;
    let page = admin.get("/admin/users?page=1&limit=1").await.expect(200);
    assert_eq!(fields(&page), ["data", "limit", "page", "total"]);
    assert_eq!((&page["page"], &page["limit"], &page["total"]), (&json!(1), &json!(1), &json!(1)));
    let list = app.customer().await.get("/vehicles").await.expect(200);
    assert_eq!(list, json!({"data": []}));
}

#[actix_web::test]
async fn clause_2_2_a_mechanic_profile_has_these_fields() {
    let app = spawn_app().await;
    let mechanic = app.registered_mechanic().await;
    let profile = mechanic.client.get("/mechanics/me").await.expect(200);
    let shown = fields(&profile);
    assert!(MECHANIC_PROFILE.iter().all(|field| shown.contains(field)), "{profile}");
    assert!(profile["service_radius_km"].is_i64() && profile["total_ratings"].is_i64());
    assert!(profile["avg_rating"].is_number());
}

#[actix_web::test]
async fn clause_2_3_a_job_has_these_fields() {
    let app = spawn_app().await;
    let (_, job) = open_job(&app).await;
    for field in JOB.iter().chain(["contact_preference"].iter()) {
        assert!(job.get(field).is_some(), "{field} is missing in {job}");
    }
    assert!(
        job["pickup_lat"].is_number() && job["estimated_price"].is_number() && job["base_price"].is_number()
    );
    assert_eq!(job["contact_preference"], "booker");
}

/// Returns a customer and their new job.
async fn open_job(app: &TestApp) -> (Person, Value) {
    let stranded = app.breakdown().await;
    let job = stranded.call().await;
    (stranded.client, job)
}

#[actix_web::test]
async fn clause_2_4_and_4_7_admins_list_users_with_these_fields() {
    let app = spawn_app().await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    let page = admin.get("/admin/users").await.expect(200);
    let users = page["data"].as_array().unwrap();
    let user = users.iter().find(|user| user["id"] == *customer.user_id).expect("all users are listed");
    let expected = ["avatar_url", "created_at", "email", "id", "name", "phone", "role", "updated_at"];
    // There are further fields that an admin needs to distinguish accounts.
    assert!(expected.iter().all(|field| fields(user).iter().any(|found| found == field)), "{user}");
    assert_eq!((&user["phone"], &user["role"]), (&json!(customer.phone), &json!("customer")));
    customer.get("/admin/users").await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn clause_2_7_documents_have_one_of_four_types_and_a_uri() {
    let app = spawn_app().await;
    for kind in ["aadhaar", "skill_cert", "photo_id", "other"] {
        let body = with(&registration(), "/documents/0/type", json!(kind));
        app.customer().await.post("/mechanics/register", body).await.expect(201);
    }
    let customer = app.customer().await;
    for (path, value, field) in [
        ("/documents/0/type", "passport", "documents[0].type"),
        ("/documents/0/file_url", "not a uri", "documents[0].file_url"),
    ] {
        let body = with(&registration(), path, json!(value));
        customer.post("/mechanics/register", body).await.refused_field(field);
    }
}

#[actix_web::test]
async fn clause_3_1_every_job_status_may_be_filtered_by_and_no_other() {
    let (_app, customer) = spawn_with_customer().await;
    for status in [
        "pending",
        "dispatching",
        "accepted",
        "en_route",
        "arrived",
        "in_progress",
        "completed",
        "paid",
        "cancelled",
        "no_mechanic_found",
        "disputed",
        "resolved",
    ] {
        customer.get(&format!("/jobs?status={status}")).await.expect(200);
    }
    customer.get("/jobs?status=lost").await.refused_field("status");
}

#[actix_web::test]
async fn clause_3_2_registering_makes_a_profile_that_is_pending_verification() {
    let app = spawn_app().await;
    let profile = app.customer().await.post("/mechanics/register", registration()).await.expect(201);
    assert_eq!(profile["status"], "pending_verification");
    assert_eq!(profile["rejection_reason"], Value::Null);
}

#[actix_web::test]
async fn clause_4_2_registration_answers_201_with_the_bare_profile() {
    let (_app, customer) = spawn_with_customer().await;
    let profile = customer.post("/mechanics/register", registration()).await.expect(201);
    assert_eq!(fields(&profile), MECHANIC_PROFILE, "no data wrapper");
    assert_eq!(profile["user_id"], *customer.user_id);
}

#[actix_web::test]
async fn clause_4_2_registration_is_401_without_a_token_and_403_without_permission() {
    let app = spawn_app().await;
    app.anonymous().post("/mechanics/register", registration()).await.refused(401, "UNAUTHORIZED");
    app.admin().await.post("/mechanics/register", registration()).await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn clause_4_2_and_8_registration_needs_a_vehicle_type_and_a_service_category() {
    let (_app, customer) = spawn_with_customer().await;
    for field in ["vehicle_types", "service_category_ids"] {
        let body = with(&registration(), &format!("/{field}"), json!([]));
        customer.post("/mechanics/register", body).await.refused_field(field);
    }
    for field in ["vehicle_types", "service_category_ids", "documents"] {
        customer.post("/mechanics/register", without(&registration(), field)).await.refused_field(field);
    }
    let body = with(&registration(), "/documents", json!([]));
    customer.post("/mechanics/register", without(&body, "service_radius_km")).await.expect(201);
}

#[actix_web::test]
async fn clause_4_4_get_jobs_lists_the_callers_own_jobs_in_pages() {
    let app = spawn_app().await;
    let ((customer, job), (_, foreign)) = (open_job(&app).await, open_job(&app).await);
    let page = customer.get("/jobs").await.expect(200);
    assert_eq!(fields(&page), ["data", "limit", "page", "total"]);
    let ids: Vec<&Value> = page["data"].as_array().unwrap().iter().map(|job| &job["id"]).collect();
    assert_eq!(ids, [&job["id"]], "and not {}", foreign["id"]);
    let none = customer.get("/jobs?status=completed").await.expect(200);
    assert_eq!(none["total"], 0, "the filter by status");
}

#[actix_web::test]
async fn clause_4_8_admins_delete_a_service_category() {
    let app = spawn_app().await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    let path = format!("/service-categories/{FLAT_TYRE}");
    customer.delete(&path).await.refused(403, "FORBIDDEN");
    assert_eq!(admin.delete(&path).await.status, 204);
    customer.get(&path).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn clause_4_9_a_vehicle_is_deleted_by_its_id() {
    let (_app, stranded) = spawn_with_breakdown().await;
    let path = format!("/vehicles/{}", stranded.vehicle_id);
    assert_eq!(stranded.client.delete(&path).await.status, 204);
    stranded.client.get(&path).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn clause_4_6_an_admin_approves_an_upi_account_whose_names_do_not_match() {
    let app = spawn_app().await;
    let (admin, mechanic) = (app.admin().await, app.mechanic().await.client);
    let account = mechanic.post("/wallet/upi", json!({"vpa": "asha@okbank"})).await.expect(201);
    set_name_mismatch(&app.database.db, &id_of(&account)).await;
    let path = format!("/wallet/upi/{}/approve", id_of(&account));
    mechanic.send(Method::POST, &path, None).await.refused(403, "FORBIDDEN");
    let approved = admin.send(Method::POST, &path, None).await.expect(200);
    assert_eq!(approved["verification_status"], "manually_approved");
}

#[actix_web::test]
async fn clause_4_10_refunds_of_a_payment_are_listed() {
    let app = spawn_app().await;
    let mechanic = app.registered_mechanic().await;
    let earned = insert_earning(&app.database.db, Earning::of(&mechanic.profile_id, 10_000)).await;
    let path = format!("/wallet/refunds/{}", earned.payment_id);
    assert_eq!(mechanic.client.get(&path).await.expect(200), json!({"data": []}));
}

#[actix_web::test]
async fn clause_4_11_a_mechanic_sees_its_upi_accounts_with_their_verification_status() {
    let app = spawn_app().await;
    let mechanic = app.mechanic().await.client;
    for vpa in ["asha@okbank", "asha@okaxis"] {
        mechanic.post("/wallet/upi", json!({"vpa": vpa})).await.expect(201);
    }
    let listed = mechanic.get("/wallet/upi").await.expect(200);
    let listed = listed["data"].as_array().unwrap();
    assert_eq!(listed.len(), 2);
    assert!(listed.iter().all(|account| account["verification_status"].is_string()));
}

#[actix_web::test]
async fn clauses_2_5_4_12_and_6_4_notifications_are_stored_and_listed_in_pages() {
    let (_app, _, mechanic) = spawn_with_mechanic().await;
    let listed = mechanic.client.get("/notifications").await.expect(200);
    assert_eq!(fields(&listed), ["data", "limit", "page", "total"]);
    let reply = &listed["data"][0];
    let shown =
        ["body", "created_at", "data", "delivery_status", "id", "is_read", "title", "type", "user_id"];
    assert_eq!(fields(reply), shown);
    assert!(reply["data"].is_object() && reply["is_read"] == false);
    assert_eq!(reply["user_id"], mechanic.client.user_id);
    for text in ["id", "type", "title", "body", "delivery_status", "created_at"] {
        assert!(reply[text].is_string(), "{text} of {reply}");
    }
}

#[actix_web::test]
async fn clause_5_5_only_admins_and_super_admins_use_admin_operations() {
    let app = spawn_app().await;
    for admin in [app.admin().await, app.super_admin().await] {
        admin.get("/admin/users").await.expect(200);
    }
    app.registered_mechanic().await.client.get("/admin/users").await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn clause_4_1_admin_login_takes_an_id_token_and_answers_with_tokens() {
    let app = spawn_app().await;
    for (role, word) in [(Role::Admin, "admin"), (Role::SuperAdmin, "super_admin")] {
        let email = format!("{word}@example.com");
        let user_id = app.make_admin(&email, role).await;
        let nobody = app.anonymous();
        let token = app.id_token(&email).await;
        let answer = nobody.post("/auth/admin-login", json!({"idpIdToken": token})).await.expect(200);
        assert_eq!(answer["success"], true);
        let data = &answer["data"];
        assert_eq!(data["role"], word);
        assert_eq!(data["userId"], user_id.to_string());
        assert!(data["accessToken"].is_string() && data["refreshToken"].is_string());
        assert!(data["expiresIn"].is_i64());
        assert_eq!(data.as_object().unwrap().len(), 5, "the five fields of the contract: {data}");
        let sessions = nobody.with_token(data["accessToken"].as_str().unwrap()).get("/auth/sessions").await;
        sessions.expect(200);
    }
}

#[actix_web::test]
async fn clause_4_1_rule_1_only_admins_may_log_in_as_admins() {
    let app = spawn_app().await;
    let email = "was-admin@example.com";
    app.make_admin(email, Role::Admin).await;
    app.change("update users set role = 'customer' where email = $1", &[email]).await;
    let nobody = app.anonymous();
    let token = app.id_token(email).await;
    nobody.post("/auth/admin-login", json!({"idpIdToken": token})).await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn clause_4_1_rule_2_the_identity_providers_email_must_be_verified() {
    let app = spawn_app().await;
    let email = "unverified@example.com";
    app.make_admin(email, Role::Admin).await;
    app.change("update idp_accounts set email_verified = false", &[]).await;
    let nobody = app.anonymous();
    let token = app.id_token(email).await;
    let login = json!({"idpIdToken": token});
    nobody.post("/auth/admin-login", login).await.refused(403, "EMAIL_NOT_VERIFIED");
}

#[actix_web::test]
async fn clause_4_1_rule_3_the_first_login_stores_the_identity_providers_uid() {
    let app = spawn_app().await;
    let email = "invited@example.com";
    app.make_admin(email, Role::Admin).await;
    app.change("update users set idp_uid = 'of an invitation' where email = $1", &[email]).await;
    app.sign_in_admin(email).await;
    let matches =
        "select u.idp_uid = a.uid from users u join idp_accounts a on a.email = u.email where u.email = $1";
    assert!(app.value::<bool>(matches, &[email]).await);
}

#[actix_web::test]
async fn clause_5_1_verify_otp_issues_the_access_token_of_customers() {
    let (_app, person) = spawn_with_customer().await;
    person.get("/auth/sessions").await.expect(200);
}

#[test]
fn clause_5_2_bearer_is_the_default_for_every_endpoint() {
    let scheme = &document::document()["components"]["securitySchemes"]["bearer"];
    assert_eq!((&scheme["type"], &scheme["scheme"]), (&json!("http"), &json!("bearer")));
    // These are routes needed before there is a token, and those with a signature instead of one.
    let public = [
        "/auth/send-otp",
        "/auth/verify-otp",
        "/auth/refresh",
        "/auth/admin-login",
        "/auth/accept-invite",
        "/auth/admin-sign-in",
        "/auth/admin-sign-in/complete",
        "/payments/webhook",
        "/uploads/{id}/content",
    ];
    // These are routes that describe or monitor the service, `/shares/`, whose path contains the credential, and
    // `/trackers/`, whose apps have their own credentials.
    let outside = [
        "/idp/",
        "/sandbox/",
        "/demo",
        "/config",
        "/privacy-notice",
        "/health",
        "/metrics",
        "/openapi.json",
        "/asyncapi.json",
        "/shares/",
        "/place-requests/",
        "/trackers/",
    ];
    for (path, method, operation) in document::operations() {
        let may_be_public = public.contains(&path) || outside.iter().any(|outside| path.starts_with(outside));
        if !may_be_public {
            assert_eq!(operation["security"][0], json!({"bearer": []}), "{method} {path}");
        }
    }
}

#[actix_web::test]
async fn clause_5_4_a_missing_or_invalid_token_is_401() {
    let app = spawn_app().await;
    app.anonymous().get("/auth/sessions").await.refused(401, "UNAUTHORIZED");
    app.anonymous().with_token("nonsense").get("/auth/sessions").await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn clause_7_every_error_carries_the_envelope() {
    let app = spawn_app().await;
    let refusal = app.anonymous().get("/auth/sessions").await.expect(401);
    assert_eq!(refusal["success"], false);
    assert!(refusal["error"]["code"].is_string() && refusal["error"]["message"].is_string());
    assert!(refusal["error"].get("errors").is_none(), "field errors stand only with 422");
}

#[actix_web::test]
async fn clause_7_a_422_maps_each_field_to_a_list_of_messages() {
    let app = spawn_app().await;
    let refusal = app.anonymous().post("/auth/verify-otp", json!({"phone": "1"})).await.expect(422);
    let errors = refusal["error"]["errors"].as_object().unwrap();
    assert_eq!(errors.keys().collect::<Vec<_>>(), ["otp", "phone"]);
    assert!(errors.values().all(|messages| messages[0].is_string()));
}

#[actix_web::test]
async fn clause_9_routes_work_with_and_without_api_v1_and_the_version_is_shown() {
    let app = spawn_app().await;
    for prefix in ["", "/api/v1"] {
        let document = app.anonymous().get(&format!("{prefix}/openapi.json")).await.expect(200);
        assert_eq!(document["info"]["version"], "1.0.0-rc1");
        let answer = app.anonymous().get(&format!("{prefix}/auth/sessions")).await;
        answer.refused(401, "UNAUTHORIZED");
    }
}
