//! Ready means that commands work, on the server that leads and on the others.

use std::time::Duration;

use serde_json::Value;

use super::until_led;
use crate::support::{
    TestApp,
    disk::{fill_the_disk, make_room},
    spawn_cluster,
};

/// Longer than the result of a write check is valid.
const LATER: Duration = Duration::from_secs(10);

/// Returns what each server says of writes, after earlier results have expired.
async fn look(app: &TestApp) -> Vec<Value> {
    app.service.clock.advance(LATER);
    let mut said = Vec::new();
    for address in [app.leaders_address(), app.address] {
        let ready = app.anonymous().at(address).get("/health/ready").await;
        let writes = ready.body["checks"]["writes"].clone();
        assert!(writes == "ok" || ready.status == 503, "{ready:?}");
        said.push(writes);
    }
    said
}

#[actix_web::test]
async fn a_server_that_cannot_write_is_not_ready_whether_it_leads_or_not() {
    const FULL: &str = "refused: the database's disk is full";
    let app = spawn_cluster().await;
    until_led(&*app.admin().await).await;
    assert_eq!(look(&app).await, ["ok"; 2]);
    fill_the_disk(&app.database).await;
    assert_eq!(look(&app).await, ["ok"; 2], "one look may have met with an accident");
    assert_eq!(look(&app).await, [FULL; 2]);
    make_room(&app.database).await;
    assert_eq!(look(&app).await, [FULL; 2]);
    assert_eq!(look(&app).await, ["ok"; 2]);
}
