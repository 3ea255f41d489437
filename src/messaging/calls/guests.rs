//! The guest's view of their call.

use super::{
    context::CallsContext,
    dto::{Call, SharedCall},
    due::due,
    owned::device_of,
    queries::{self, CallRow},
    state::CallEvent,
};
use crate::{
    jobs::JobRow,
    messaging::guests::{Guest, Speaker},
    platform::error::ApiResult,
};

/// Returns the call that a guest makes, has answered or may answer.
pub async fn live_of_guest(
    context: &CallsContext,
    guest: Guest,
    job: &JobRow,
) -> ApiResult<Option<SharedCall>> {
    Ok(live(context, guest, job).await?.map(|call| Call::from(call).into()))
}

pub(super) async fn live(context: &CallsContext, guest: Guest, job: &JobRow) -> ApiResult<Option<CallRow>> {
    let by = Speaker::Guest(guest);
    let call = queries::live(&context.db, job.id).await?;
    let own = call.filter(|call| device_of(by, call, job).is_some() && !call.is_elsewhere(by));
    let is_over = |call: &CallRow| {
        let due = due(&context.call_settings, call, job, context.clock.now());
        matches!(due, Some(CallEvent::Over { .. }))
    };
    Ok(own.filter(|call| !is_over(call)))
}
