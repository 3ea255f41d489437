//! Changes to a call that are due because of the time or the job.

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    availability,
    queries::CallRow,
    state::{CallCommand, CallEvent},
};
use crate::{jobs::JobRow, providers::rooms::CallSettings};

/// Returns the change that is due because of the time or the job, even if nothing has stored it yet.
pub(super) fn due(
    settings: &CallSettings,
    call: &CallRow,
    job: &JobRow,
    now: DateTime<Utc>,
) -> Option<CallEvent> {
    let reason_to_end =
        availability::reason_to_end(job, call.mechanic_profile_id, call.on_job).map(CallCommand::EndByJob);
    // The time comes first: a call that rang out before the job moved on was missed.
    let commands = [Some(CallCommand::Expire), reason_to_end].into_iter().flatten();
    let decide = |command| call.stage().decide(command, max_length(settings), now).ok();
    commands.filter_map(decide).next()
}

pub(super) fn max_length(settings: &CallSettings) -> TimeDelta {
    TimeDelta::seconds(settings.max_length_s)
}
