use std::time::Duration;

use roadcall::{
    app::{self, StartOptions},
    service::settings::Settings,
};
use serde_json::json;

use crate::support::{
    disk::{fill_the_disk, make_room},
    spawn_app,
};

/// Limits the size of the future: in a debug build a start took up to 1.4 MB of the 2 MB of a test's stack, and the test that
/// made the document overflowed it.
#[test]
fn the_future_of_a_start_takes_little_of_the_stack() {
    let start = app::start(Settings::defaults(), StartOptions::default());
    assert!(size_of_val(&start) < 8_000, "{} bytes", size_of_val(&start));
    assert!(size_of_val(&spawn_app()) < 2_000, "{} bytes", size_of_val(&spawn_app()));
}

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
async fn health_and_the_documents_show_the_same_versions_of_interface_and_program() {
    let app = spawn_app().await;
    let nobody = app.anonymous();
    let health = nobody.get("/health").await.expect(200);
    assert_eq!(health["version"], "1.0.0-rc1");
    assert_eq!(health["service_version"], json!(env!("CARGO_PKG_VERSION")));
    for path in ["/openapi.json", "/asyncapi.json"] {
        let info = nobody.get(path).await.expect(200)["info"].take();
        assert_eq!(info["version"], health["version"]);
        assert_eq!(info["x-service-version"], health["service_version"]);
    }
}

#[actix_web::test]
async fn a_service_without_its_migrations_is_not_ready_and_says_so() {
    let app = spawn_app().await;
    app.change("delete from _sqlx_migrations where version > 1", &[]).await;
    let answer = app.anonymous().get("/health/ready").await.expect(503);
    assert_eq!(answer["status"], "not_ready");
    assert_eq!(answer["checks"]["migrations"], "older than this program");
}

#[actix_web::test]
async fn a_service_is_ready_on_a_schema_extended_by_a_newer_release() {
    let app = spawn_app().await;
    let newer = "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
        values (99999998, $1, true, ''::bytea, 0)";
    let insert = |description: &'static str| sqlx::query(newer).bind(description).execute(&app.database.db);
    insert("a table more").await.unwrap();
    app.anonymous().get("/health/ready").await.expect(200);
    app.change("delete from _sqlx_migrations where version = 99999998", &[]).await;
    insert("contract of 99999997 drop what this release reads").await.unwrap();
    let answer = app.anonymous().get("/health/ready").await.expect(503);
    assert_eq!(answer["checks"]["migrations"], "newer than this program, and without what it needs");
}

/// Longer than the result of a write check is valid.
const LATER: Duration = Duration::from_secs(10);

#[actix_web::test]
async fn a_full_disk_makes_the_service_unready_until_there_is_room() {
    let app = spawn_app().await;
    let (admin, anonymous) = (app.admin().await, app.anonymous());
    // Checks readiness after the previous result has expired, and returns the result for writes.
    let look = async |status| {
        app.service.clock.advance(LATER);
        anonymous.get("/health/ready").await.expect(status)["checks"]["writes"].clone()
    };
    assert_eq!(look(200).await, "ok");
    fill_the_disk(&app.database).await;
    assert_eq!(look(200).await, "ok", "one look may have met with an accident");
    assert_eq!(look(503).await, "refused: the database's disk is full");
    let database = async || {
        let status = admin.get("/admin/status").await.expect(200);
        let lines = status["lines"].as_array().expect("lines");
        lines.iter().find(|line| line["about"] == "database").expect("a line").clone()
    };
    let line = database().await;
    assert_eq!(line["state"], "act", "{line}");
    assert_eq!(line["runbook"], "RoadcallWritesRefused", "{line}");
    // All tests of a process share the metrics, so the value may belong to another test.
    assert!(anonymous.get("/metrics").await.text.contains("roadcall_db_takes_writes "));
    make_room(&app.database).await;
    assert_eq!(look(503).await, "refused: the database's disk is full");
    assert_eq!(look(200).await, "ok");
    assert_eq!(database().await["state"], "ok");
}

#[actix_web::test]
async fn a_busy_database_is_not_reported_as_refusing_writes() {
    let app = spawn_app().await;
    app.anonymous().get("/health/ready").await.expect(200);
    let mut busy = app.database.db.begin().await.unwrap();
    sqlx::query("lock table take_overs in exclusive mode").execute(&mut *busy).await.unwrap();
    for _ in 0..2 {
        app.service.clock.advance(LATER);
        let ready = app.anonymous().get("/health/ready").await.expect(200);
        assert_eq!(ready["checks"]["writes"], "ok");
    }
}
