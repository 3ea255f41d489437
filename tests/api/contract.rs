//! The contract, clause by clause: each test is named after the one that it holds.

use roadcall::auth::Role;
use serde_json::json;

use crate::support::{document, spawn_app};

#[actix_web::test]
async fn clause_2_1_success_from_auth_is_success_and_data() {
    let app = spawn_app().await;
    let answer = app.anonymous().post("/auth/send-otp", json!({"phone": "+919812345678"})).await.expect(200);
    assert_eq!(answer["success"], true);
    assert!(answer["data"].is_object());
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
    let user_id = app.make_admin(email, Role::Admin).await;
    sqlx::query("update users set role = 'customer' where id = $1")
        .bind(user_id)
        .execute(&app.database.pool)
        .await
        .unwrap();
    let nobody = app.anonymous();
    let token = app.id_token(email).await;
    nobody.post("/auth/admin-login", json!({"idpIdToken": token})).await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn clause_4_1_rule_2_the_identity_providers_email_must_be_verified() {
    let app = spawn_app().await;
    let email = "unverified@example.com";
    app.make_admin(email, Role::Admin).await;
    sqlx::query("update idp_accounts set email_verified = false").execute(&app.database.pool).await.unwrap();
    let nobody = app.anonymous();
    let token = app.id_token(email).await;
    let login = json!({"idpIdToken": token});
    nobody.post("/auth/admin-login", login).await.refused(403, "EMAIL_NOT_VERIFIED");
}

#[actix_web::test]
async fn clause_4_1_rule_3_the_first_login_stores_the_identity_providers_uid() {
    let app = spawn_app().await;
    let email = "invited@example.com";
    let user_id = app.make_admin(email, Role::Admin).await;
    sqlx::query("update users set idp_uid = 'of an invitation' where id = $1")
        .bind(user_id)
        .execute(&app.database.pool)
        .await
        .unwrap();
    app.sign_in_admin(email).await;
    let matches: bool = sqlx::query_scalar(
        "select u.idp_uid = a.uid from users u join idp_accounts a on a.email = u.email where u.id = $1",
    )
    .bind(user_id)
    .fetch_one(&app.database.pool)
    .await
    .unwrap();
    assert!(matches);
}

#[actix_web::test]
async fn clause_5_1_verify_otp_issues_the_access_token_of_customers() {
    let app = spawn_app().await;
    let person = app.customer().await;
    person.get("/auth/sessions").await.expect(200);
}

#[test]
fn clause_5_2_bearer_is_the_default_for_every_endpoint() {
    let scheme = &document::document()["components"]["securitySchemes"]["bearer"];
    assert_eq!((&scheme["type"], &scheme["scheme"]), (&json!("http"), &json!("bearer")));
    // What is needed before one has a token, and what describes or watches the service.
    let public = ["/auth/send-otp", "/auth/verify-otp", "/auth/refresh", "/auth/admin-login"];
    let outside = ["/idp/", "/health", "/metrics", "/openapi.json", "/asyncapi.json"];
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
async fn clause_9_routes_stand_with_and_without_api_v1_and_the_version_is_shown() {
    let app = spawn_app().await;
    for prefix in ["", "/api/v1"] {
        let document = app.anonymous().get(&format!("{prefix}/openapi.json")).await.expect(200);
        assert_eq!(document["info"]["version"], "1.0.0-rc1");
        let answer = app.anonymous().get(&format!("{prefix}/auth/sessions")).await;
        answer.refused(401, "UNAUTHORIZED");
    }
}
