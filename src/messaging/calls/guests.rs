//! Calls of guests, beside the steps that are the same for everybody.

use super::{
    actions,
    dto::{Call, SharedCall},
    queries::{self, CallRow},
    state::{CallEvent, CallStatus},
};
use crate::{
    jobs::JobRow,
    messaging::{
        calls::CallsContext,
        guests::{Guest, Speaker},
    },
    platform::error::ApiResult,
};

/// The call that a guest makes, talks in or may answer.
pub async fn live_of_guest(
    context: &CallsContext,
    guest: Guest,
    job: &JobRow,
) -> ApiResult<Option<SharedCall>> {
    let Some(call) = queries::live(&context.db, job.id).await? else { return Ok(None) };
    let is_theirs = actions::device_of(Speaker::Guest(guest), &call, job).is_some();
    let is_elsewhere = call.status == CallStatus::Accepted && !is_talking(&call, guest);
    let due = actions::due(&context.settings, &call, job, context.clock.now());
    let is_over = matches!(due, Some(CallEvent::Over { .. }));
    Ok((is_theirs && !is_elsewhere && !is_over).then(|| Call::from(call).into()))
}

/// Hangs up for a guest whose link has ended.
pub async fn hang_up_for(context: &CallsContext, guest: Guest) -> ApiResult<()> {
    let live = queries::live(&context.db, guest.job_id).await?;
    if let Some(call) = live.filter(|call| is_talking(call, guest)) {
        actions::hang_up(context, guest.into(), call.id).await?;
    }
    Ok(())
}

/// Whether it is the guest who called or answered.
fn is_talking(call: &CallRow, guest: Guest) -> bool {
    [call.caller_link_id, call.callee_link_id].contains(&Some(guest.link_id))
}
