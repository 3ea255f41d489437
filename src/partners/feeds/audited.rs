//! Changes of subscriptions, and replays, in the audit log: no secrets.

use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{deliveries::ReplayOf, subscriptions::SubscriptionRow};
use crate::{
    accounts::auth::{PartnerCaller, Principal},
    http::Timestamp,
    platform::{
        audit::{self, NewAuditEntry},
        core::Core,
        error::ApiResult,
    },
};

/// Records what a subscription was and is; `None` before it was made, and after it was deleted.
pub async fn subscription(
    core: &Core,
    tx: &mut PgConnection,
    caller: &PartnerCaller,
    before: Option<&SubscriptionRow>,
    after: Option<&SubscriptionRow>,
) -> ApiResult<()> {
    let Some(row) = after.or(before) else { return Ok(()) };
    let action = match (before, after) {
        (None, _) => "partner_subscription.create",
        (Some(_), Some(_)) => "partner_subscription.update",
        (Some(_), None) => "partner_subscription.delete",
    };
    let shown = |row: Option<&SubscriptionRow>| row.map_or(Value::Null, shown);
    let subject = (action, "partner_subscription", row.id);
    record(core, tx, caller, subject, (shown(before), shown(after))).await
}

fn shown(row: &SubscriptionRow) -> Value {
    // Some receivers have a secret in their path.
    let origin = row.url.split('/').take(3).collect::<Vec<_>>().join("/");
    json!({
        "organisation_id": row.organisation_id, "made_by": row.made_by, "origin": origin, "events": row.events, "status": row.status,
        "eta_below_min": row.eta_below_min, "within_m": row.within_m, "positions_every_s": row.positions_every_s,
    })
}

/// Records that a subscription has a new secret, and until when the former one is good.
pub async fn rotated(
    core: &Core,
    tx: &mut PgConnection,
    caller: &PartnerCaller,
    row: &SubscriptionRow,
) -> ApiResult<()> {
    let after = json!({
        "organisation_id": row.organisation_id, "former_until": row.former_until.map(Timestamp),
    });
    let subject = ("partner_subscription.rotate_secret", "partner_subscription", row.id);
    record(core, tx, caller, subject, (Value::Null, after)).await
}

/// Records which events are sent again, and how many deliveries that makes.
pub async fn replayed(
    core: &Core,
    tx: &mut PgConnection,
    caller: &PartnerCaller,
    of: &ReplayOf,
    deliveries: usize,
) -> ApiResult<()> {
    let after = json!({
        "since": Timestamp(of.since), "case_id": of.case_id, "job_id": of.job_id, "subscription_id": of.subscription_id,
        "deliveries": deliveries,
    });
    let subject = ("partner_deliveries.replay", "organisation", of.organisation_id);
    record(core, tx, caller, subject, (Value::Null, after)).await
}

async fn record(
    core: &Core,
    tx: &mut PgConnection,
    caller: &PartnerCaller,
    (action, subject_kind, subject_id): (&str, &str, Uuid),
    (before, after): (Value, Value),
) -> ApiResult<()> {
    let by = Principal::from(*caller);
    let entry = NewAuditEntry { actor_id: by.audit_actor(), action, subject_kind, subject_id, before, after };
    Ok(audit::record_via(tx, &core.random, core.clock.now(), by.audit_via(), entry).await?)
}
