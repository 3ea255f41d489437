//! The admins' actions on settlements, and the mechanics' view of their own.

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use serde_json::json;
use uuid::Uuid;

use super::{
    dto::{RunSettlements, SettlementStatus},
    queries::{self, SettlementRow},
};
use crate::{
    money::wallet::context::WalletContext,
    platform::{
        audit,
        error::{ApiError, ApiResult, Code, commit_error},
    },
};

/// The time after its last day when a period can be settled: every transaction that earned something in it has ended by
/// then.
const GRACE: TimeDelta = TimeDelta::minutes(10);
/// The time by which a day begins earlier in the easternmost zone than in UTC.
const MAX_EAST: TimeDelta = TimeDelta::hours(14);
/// The time by which a day begins later in the westernmost zone than in UTC.
const MAX_WEST: TimeDelta = TimeDelta::hours(12);

/// Settles a period. Returns its first `shown` settlements and their total number. A repetition only makes missing
/// ones.
pub async fn run(
    context: &WalletContext,
    admin_id: Uuid,
    period: RunSettlements,
    shown: i64,
) -> ApiResult<(Vec<SettlementRow>, i64)> {
    let now = context.clock.now();
    let zone = &context.settings.operator.time_zone;
    period.faults(zone.local(now - GRACE).date_naive()).into_result()?;
    let (start, end) = (period.period_start.0, period.period_end.0);
    let mut tx = context.db.begin().await?;
    queries::lock_runs(&mut tx).await?;
    if let Some(other) = queries::overlaps(&mut tx, start, end).await? {
        let message = format!(
            "The period from {} to {} was settled, and overlaps this one. Choose another one.",
            other.period_start, other.period_end
        );
        return Err(ApiError::new(Code::Conflict, message));
    }
    let (mut from, mut to) = (zone.start_of(start), zone.start_of(end));
    // The adjacent periods may have been settled in days of another zone: of UTC, which earlier releases used, or of an
    // earlier setting. Earnings between two periods count here; those that another settlement counts are left out.
    if queries::has_end(&mut tx, start).await? {
        from = from.min(midnight(start) - MAX_EAST);
    }
    if queries::has_start(&mut tx, end).await? {
        to = to.max(midnight(end) + MAX_WEST);
    }
    let mechanics = queries::unsettled(&mut tx, from, to).await?;
    let ids: Vec<Uuid> = mechanics.iter().map(|_| context.random.id(now)).collect();
    if !ids.is_empty() {
        queries::insert(&mut tx, &ids, &mechanics, start, end, now).await?;
        queries::take_earnings(&mut tx, &ids, from, to).await?;
        queries::add_up(&mut tx, &ids).await?;
        let made =
            json!({"period_start": start.to_string(), "period_end": end.to_string(), "made": ids.len()});
        let entry = audit::NewAuditEntry {
            actor_id: Some(admin_id),
            action: "settlements.run",
            subject_kind: "settlements",
            subject_id: ids[0],
            before: serde_json::Value::Null,
            after: made,
        };
        audit::record(&mut tx, &context.random, now, entry).await?;
    }
    let rows = queries::of_period(&mut tx, start, end, shown).await?;
    let total = queries::count_of_period(&mut tx, start, end).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok((rows, total))
}

/// Returns the beginning of a day in UTC.
pub fn midnight(day: NaiveDate) -> DateTime<Utc> {
    day.and_time(NaiveTime::MIN).and_utc()
}

/// Marks an existing settlement as paid, once.
pub async fn mark_paid(
    context: &WalletContext,
    admin_id: Uuid,
    id: Uuid,
    reference: &str,
) -> ApiResult<SettlementRow> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let row = queries::mark_paid(&mut tx, id, reference, now).await?.ok_or_else(|| {
        ApiError::new(Code::InvalidTransition, "This settlement is already marked as paid.")
    })?;
    let entry = audit::NewAuditEntry {
        actor_id: Some(admin_id),
        action: "settlement.mark_paid",
        subject_kind: "settlement",
        subject_id: id,
        before: audited(SettlementStatus::Open, None),
        after: audited(row.status, row.reference.as_deref()),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

fn audited(status: SettlementStatus, reference: Option<&str>) -> serde_json::Value {
    json!({"status": status, "reference": reference})
}
