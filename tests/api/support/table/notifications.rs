use serde_json::{Value, json};

use super::{
    OWNER, Object, Row, SETTINGS, SIGNED_IN, SUPER_ADMIN, World, jobs::accepted_job, nothing, number, row,
};
use crate::support::bodies::id_of;

pub const ROWS: &[Row] = &[
    row("GET /notifications", SIGNED_IN),
    row("GET /notifications/unread-count", SIGNED_IN),
    row("POST /notifications/read-all", SIGNED_IN).body(nothing),
    row("GET /notifications/{id}", OWNER).of(NOTIFICATION),
    row("POST /notifications/{id}/read", OWNER).of(NOTIFICATION).body(nothing),
    row("POST /notifications/push-tokens", SIGNED_IN).body(new_push_token),
    row("GET /notifications/push-tokens", SIGNED_IN),
    row("DELETE /notifications/push-tokens/{token}", OWNER).of(PUSH_TOKEN),
    row("GET /notifications/preferences", SIGNED_IN),
    row("PATCH /notifications/preferences", SIGNED_IN).body(preferences),
    row("GET /admin/failed-pushes", SETTINGS),
    row("POST /super-admin/push/test", SUPER_ADMIN).body(nothing),
];

/// The customer's notification that the mechanic took the job.
const NOTIFICATION: Object = Object::Id(|world| Box::pin(notification(world)));

/// A device of the customer.
const PUSH_TOKEN: Object = Object::Id(|world| Box::pin(push_token(world)));

async fn notification(world: &World<'_>) -> String {
    accepted_job(world).await;
    let shown = world.customer().get("/notifications?type=job_accepted&limit=1").await.expect(200);
    id_of(&shown["data"][0])
}

async fn push_token(world: &World<'_>) -> String {
    let new = new_push_token();
    world.customer().post("/notifications/push-tokens", new.clone()).await.expect(201);
    new["token"].as_str().expect("a token").to_owned()
}

fn new_push_token() -> Value {
    let number = number();
    json!({"token": format!("phone:{number}"), "platform": "android", "device_id": format!("device-{number}")})
}

fn preferences() -> Value {
    json!({
        "offers": true, "jobs": false, "payments": true, "wallet": true, "account": true, "messages": false,
        "texts": true, "mails": true,
    })
}
