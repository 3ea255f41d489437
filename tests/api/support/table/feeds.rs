use serde_json::{Value, json};

use super::{Object, PARTNER, Row, SETTINGS, made, row};
use crate::support::partners::insert_case;

pub const ROWS: &[Row] = &[
    row("GET /partner/cases/{id}/events", PARTNER).of(CASE),
    row("GET /partner/subscriptions", PARTNER),
    row("POST /partner/subscriptions", PARTNER).body(new_subscription),
    row("PATCH /partner/subscriptions/{id}", PARTNER).of(SUBSCRIPTION).body(|| json!({"within_m": 500})),
    row("DELETE /partner/subscriptions/{id}", PARTNER).of(SUBSCRIPTION),
    row("POST /partner/subscriptions/{id}/verify", PARTNER).of(SUBSCRIPTION),
    row("POST /partner/subscriptions/{id}/test", PARTNER).of(SUBSCRIPTION),
    row("POST /partner/subscriptions/{id}/rotate-secret", PARTNER).of(SUBSCRIPTION).body(|| json!({})),
    row("GET /partner/deliveries", PARTNER),
    row("POST /partner/deliveries/replay", PARTNER).body(|| json!({"since": "2026-03-14T08:00:00.000Z"})),
    row("GET /admin/partner-deliveries", SETTINGS),
];

/// A case of the callers' organisation.
const CASE: Object =
    Object::Id(|world| Box::pin(async move { insert_case(world.app, &world.organisation_id).await }));

/// A subscription of the callers' organisation, which has no other: it may have a few only.
const SUBSCRIPTION: Object = Object::Id(|world| {
    Box::pin(async move {
        sqlx::query("update partner_subscriptions set status = 'deleted' where organisation_id::text = $1")
            .bind(&world.organisation_id)
            .execute(&world.app.database.db)
            .await
            .expect("an update");
        let key = world.caller(12).expect("the partner's key");
        made(key, "/partner/subscriptions", new_subscription()).await
    })
});

fn new_subscription() -> Value {
    json!({"url": "https://hooks.partner.invalid/roadcall"})
}
