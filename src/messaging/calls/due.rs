//! What time and the job do to a call.

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    availability,
    queries::CallRow,
    state::{CallCommand, CallEvent},
};
use crate::{jobs::JobRow, providers::rooms::CallSettings};

/// What time or the job has changed, even if nothing has stored it yet.
pub(super) fn due(
    settings: &CallSettings,
    call: &CallRow,
    job: &JobRow,
    now: DateTime<Utc>,
) -> Option<CallEvent> {
    let reason_to_end =
        availability::reason_to_end(job, call.mechanic_profile_id, call.on_job).map(CallCommand::EndByJob);
    // Time first: what rang out before the job moved was missed.
    let commands = [Some(CallCommand::Expire), reason_to_end].into_iter().flatten();
    let decide = |command| call.stage().decide(command, max_length(settings), now).ok();
    commands.filter_map(decide).next()
}

pub(super) fn max_length(settings: &CallSettings) -> TimeDelta {
    TimeDelta::seconds(settings.max_length_s)
}
