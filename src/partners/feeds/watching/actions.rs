//! Tells partners that a mechanic is near.

use super::queries::{self, WatchedRow};
use crate::{
    partners::feeds::{
        context::FeedsContext,
        events::{self, NearFigures, NewPartnerEvent},
        kind::PartnerEventKind,
    },
    platform::error::{ApiResult, commit_error},
};

/// Tells a subscription that the mechanic is near, unless it has that event already; returns whether the event is new.
pub async fn tell_near(context: &FeedsContext, row: &WatchedRow, figures: NearFigures) -> ApiResult<bool> {
    let mut tx = context.db.begin().await?;
    if queries::was_told(&mut tx, row).await? {
        return Ok(false);
    }
    let event = NewPartnerEvent {
        near: Some(figures),
        only_for: Some(row.subscription_id),
        ..NewPartnerEvent::of_job(PartnerEventKind::JobNear, context.clock.now(), row.job_id)
    };
    events::append(&mut tx, context, row.case_id, vec![event]).await?;
    tx.commit().await.map_err(commit_error)?;
    context.wake();
    Ok(true)
}
