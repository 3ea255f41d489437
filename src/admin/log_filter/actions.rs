//! Changes the log's filter, and records the change.

use chrono::TimeDelta;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    http::Timestamp,
    platform::{
        audit::{self, NewAuditEntry},
        core::Core,
        error::{ApiError, ApiResult, Code, commit_error},
        log_filter::{self, HeldFilter, OtherFilter},
    },
};

/// Returns the present filter.
pub fn held() -> ApiResult<HeldFilter> {
    log_filter::current().ok_or_else(no_log)
}

/// Sets another filter for so many seconds, in place of any earlier one.
pub async fn set(core: &Core, admin: Uuid, filter: String, duration_s: i64) -> ApiResult<HeldFilter> {
    log_filter::check(&filter).map_err(|why| ApiError::invalid("filter", why))?;
    let other = OtherFilter { filter, until: core.clock.now() + TimeDelta::seconds(duration_s) };
    change(core, admin, Some(other.clone())).await?;
    log_filter::end_after(TimeDelta::seconds(duration_s).to_std().unwrap_or_default(), other);
    held()
}

/// Restores the usual filter.
pub async fn reset(core: &Core, admin: Uuid) -> ApiResult<HeldFilter> {
    if held()?.other.is_some() {
        change(core, admin, None).await?;
    }
    held()
}

async fn change(core: &Core, admin: Uuid, to: Option<OtherFilter>) -> ApiResult<()> {
    let before = held()?;
    let after = HeldFilter { other: to.clone(), ..before.clone() };
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    let entry = NewAuditEntry::new(
        admin,
        "log_filter.change",
        ("server", core.server_id()),
        (written(&before), written(&after)),
    );
    audit::record(&mut tx, &core.random, now, entry).await?;
    tx.commit().await.map_err(commit_error)?;
    // This line is written before the new filter applies, because that may leave it out.
    let filter = to.as_ref().map_or(&after.usual, |other| &other.filter);
    tracing::info!(log.filter = filter, user.id = %admin, "a super-admin changes the log's filter");
    if log_filter::set(to) { Ok(()) } else { Err(no_log()) }
}

fn written(held: &HeldFilter) -> Value {
    match &held.other {
        Some(other) => json!({ "filter": other.filter, "until": Timestamp(other.until) }),
        None => json!({ "filter": held.usual, "until": null }),
    }
}

fn no_log() -> ApiError {
    ApiError::new(Code::Conflict, "This program does not set up its own log.")
}
