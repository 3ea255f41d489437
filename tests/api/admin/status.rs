//! The status that tells admins whether all is well.

use std::collections::BTreeMap;

use roadcall::service::settings::EtaProvider;
use serde_json::{Value, json};

use crate::support::{
    AssertFields, Client, spawn_admin_with, spawn_app, spawn_cluster, spawn_with_admin, until_fits,
};

const PATH: &str = "/admin/status";

/// Returns the lines by their subject.
async fn lines(admin: &Client) -> BTreeMap<String, Value> {
    let status = admin.get(PATH).await.expect(200);
    let lines = status["lines"].as_array().expect("lines").clone();
    lines.into_iter().map(|line| (line["about"].as_str().expect("a word").to_owned(), line)).collect()
}

#[actix_web::test]
async fn a_lone_server_reports_its_state_and_what_to_do() {
    let (_app, admin) = spawn_with_admin().await;
    let lines = lines(&admin).await;
    for about in "requests database disk engine clock versions webhooks recorder pushes".split(' ') {
        assert!(lines.contains_key(about), "{about}: {lines:?}");
    }
    assert_eq!(lines["servers"]["text"], "This server serves alone.");
    let taken = json!({"about": "new_jobs", "state": "ok", "text": "New jobs are taken.",
        "next": null, "runbook": null});
    assert_eq!(lines["new_jobs"], taken);
    let versions = lines["versions"]["text"].as_str().expect("a text");
    assert!(versions.starts_with(&format!("roadcall {}", env!("CARGO_PKG_VERSION"))), "{versions}");
    // Nothing has backed this server up.
    let backup = &lines["backup"];
    backup.assert_fields(json!({"state": "look", "runbook": "RoadcallBackupOld"}));
    assert!(backup["next"].as_str().expect("what to do").contains("backup.every_hours"));
    assert!(!lines.contains_key("router"), "there is none");
}

#[actix_web::test]
async fn requests_within_seconds_share_one_status() {
    let app = spawn_app().await;
    let (one, other) = (app.admin().await, app.admin().await);
    let (first, second) = (one.get(PATH).await.expect(200), other.get(PATH).await.expect(200));
    assert_eq!(first, second, "what was found a moment ago");
    app.customer().await.get(PATH).await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn the_status_has_no_secrets_and_no_people() {
    let (app, admin) = spawn_admin_with(|settings| {
        settings.eta.provider = EtaProvider::Osrm;
        settings.eta.router_url.0 = "http://someone:hush-hush@127.0.0.1:9/".to_owned();
    })
    .await;
    let text = admin.get(PATH).await.expect(200).to_string();
    for secret in ["hush-hush", "127.0.0.1", "postgres://", app.data_dir.to_str().expect("a path")] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    assert!(text.contains(r#""about":"router""#), "{text}");
}

#[actix_web::test]
async fn the_status_shows_held_payouts_and_a_stop_of_new_jobs() {
    let (app, admin) = spawn_with_admin().await;
    let pause =
        "insert into payout_pauses (id, reason, begun_at) values (gen_random_uuid(), 'restored', now())";
    app.sql(pause).await;
    admin.put("/admin/job-stop", json!({"message": "The roads are flooded"})).await.expect(200);
    let lines = lines(&admin).await;
    assert_eq!(lines["payouts"]["state"], "act");
    assert!(lines["payouts"]["next"].as_str().expect("what to do").contains("--release-payouts"));
    assert_eq!(lines["new_jobs"]["state"], "look");
}

#[actix_web::test]
async fn the_status_of_a_cluster_counts_its_servers() {
    let app = spawn_cluster().await;
    let admin = app.admin().await;
    let lines = until_fits(
        "both servers are known",
        async || lines(&admin).await,
        |lines| {
            lines["servers"]["text"] == "2 servers. Another one leads." && lines["engine"]["state"] == "ok"
        },
    )
    .await;
    assert_eq!(lines["backup"]["text"], "The server that leads makes them; ask it.");
}
