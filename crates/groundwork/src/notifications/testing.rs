//! A test push to an admin's own devices, which shows whether pushes can be sent at all.

use std::{collections::BTreeMap, time::Duration};

use chrono::{DateTime, Utc};
use futures_util::future::join_all;
use roadcall_accounts::auth;
use roadcall_platform::{
    audit::{self, NewAuditEntry},
    error::{ApiResult, commit_error},
};
use roadcall_providers::push::PushMessage;
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{context::NotificationsContext, devices, dto::TestedDevice, pushing::push_to};

/// The action's name in the audit log.
const ACTION: &str = "push.test";
/// Long enough for a sleeping phone.
const LIFE: Duration = Duration::from_secs(300);

/// Pushes to each of the caller's devices at once, and returns the outcome of each.
pub async fn push_test(context: &NotificationsContext, admin: Uuid) -> ApiResult<Vec<TestedDevice>> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    // The requests of an admin run one after the other, so that each counts those before it.
    auth::lock_account(&mut tx, admin).await?;
    admit(context, &mut tx, admin, now).await?;
    tx.commit().await.map_err(commit_error)?;
    let message = PushMessage {
        id: context.random.id(now),
        kind: "test",
        title: "A test".to_owned(),
        body: "Notifications reach this device.".to_owned(),
        data: BTreeMap::new(),
        is_urgent: true,
        life: LIFE,
        ends_at: None,
        rings: false,
        buttons: &[],
    };
    let own = devices::queries::tokens_of(&context.db, &[admin], now).await?;
    let pushes = own.iter().map(async |device| {
        let result = push_to(context, device, &message).await;
        TestedDevice::of(device, context.push_settings.provider, result)
    });
    Ok(join_all(pushes).await)
}

/// Records the test; 429 if there were too many.
async fn admit(
    context: &NotificationsContext,
    tx: &mut PgConnection,
    admin: Uuid,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let why = "You have reached the limit of test pushes for 24 hours (push.tests_per_day).";
    audit::check_daily(tx, (admin, ACTION), (context.push_settings.tests_per_day, why), now).await?;
    let entry = NewAuditEntry::new(admin, ACTION, ("user", admin), (Value::Null, json!({})));
    Ok(audit::record(tx, &context.random, now, entry).await?)
}
