use crate::support::spawn_app;

#[actix_web::test]
async fn a_started_service_is_alive_and_ready_under_both_prefixes() {
    let app = spawn_app().await;
    for prefix in ["", "/api/v1"] {
        assert_eq!(app.anonymous().get(&format!("{prefix}/health")).await.expect(200)["status"], "ok");
        let ready = app.anonymous().get(&format!("{prefix}/health/ready")).await.expect(200);
        assert_eq!(ready["checks"]["database"], "ok");
    }
}

#[actix_web::test]
async fn without_its_migrations_the_service_is_not_ready_and_says_so() {
    let app = spawn_app().await;
    sqlx::query("delete from _sqlx_migrations where version > 1").execute(&app.database.db).await.unwrap();
    let answer = app.anonymous().get("/health/ready").await.expect(503);
    assert_eq!(answer["status"], "not_ready");
    assert_eq!(answer["checks"]["migrations"], "not those of this program");
}
