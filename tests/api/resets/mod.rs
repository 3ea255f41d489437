//! Phones that reset their connections while the service works on what they asked.

mod giving_up;
mod promises;

use std::time::Duration;

use serde_json::json;

use crate::support::{TestApp, new_phone, spawn_app_behind, wire::Wire};
use giving_up::{End, Request, Until};
use promises::Waiting;

/// Few connections, so that whoever comes next gets one that was given up.
const CONNECTIONS: u32 = 4;

async fn spawn() -> (TestApp, Wire) {
    spawn_app_behind(|settings| {
        settings.database.max_connections = CONNECTIONS;
        settings.database.acquire_timeout_ms = 20_000;
        settings.auth.access_token_ttl_s = 86_400;
        settings.auth.otp_requests_per_address_per_hour = 1_000_000;
        settings.limits.admin_login_per_minute = 1_000_000;
        settings.limits.per_user_per_minute = 1_000_000;
        settings.limits.export_per_minute = 1_000_000;
        settings.limits.create_job_per_minute = 1_000_000;
        settings.chat.messages_per_minute = 1_000_000;
        settings.calls.invites_per_minute = 1_000_000;
        settings.fees.max_unpaid_paise = 1_000_000_000;
    })
    .await
}

#[actix_web::test]
async fn a_request_reset_while_its_transaction_begins_leaves_no_connection_in_it() {
    let (app, wire) = spawn().await;
    let mut waiting = Waiting::new(&app).await;
    wire.delay(Duration::from_millis(5));
    for _ in 0..100 {
        let ask = Request::post(&app.anonymous(), "/auth/send-otp", &json!({"phone": new_phone()}));
        assert_eq!(ask.give_up(app.address, wire.watch(), Until::Begin).await, End::Reset);
        wire.at_rest().await;
    }
    let seen = wire.traffic();
    assert_eq!(
        (seen.left_open, seen.foreign),
        (0, 0),
        "connections given back inside a transaction: {seen:?}"
    );
    for _ in 0..2 {
        waiting.write(&app).await;
    }
    waiting.look_again().await;
    let figures = &waiting.figures;
    assert!(figures.promised >= 12 && figures.refused.is_empty(), "{figures:?}");
    assert!(figures.failed.is_empty() && figures.lost.is_empty(), "{figures:?}");
    let seen = wire.traffic();
    assert_eq!((seen.left_open, seen.foreign), (0, 0), "{seen:?}");
}
