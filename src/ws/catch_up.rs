//! Finds events that the engine could not announce: the answer to a commit was lost, a notification reached nobody, or
//! another program changed a row. However an event got into the log, the next check here brings it to the job's
//! followers.

use roadcall_actors::ids::JobId;
use tokio::time::timeout;

use super::{context::WsContext, listener::READ_LIMIT};
use crate::{
    jobs,
    platform::error::{ApiError, ApiResult},
};

/// Jobs that one statement compares.
const JOBS_AT_ONCE: usize = 1_000;

/// Compares every watched job with the database and wakes the watchers that are behind; returns how many. Asks nothing
/// while nobody watches.
pub async fn catch_up_watchers(context: &WsContext) -> ApiResult<usize> {
    let mut behind = 0;
    for ids in context.hub.watched().chunks(JOBS_AT_ONCE) {
        let look = timeout(READ_LIMIT, jobs::newest_seqs(&context.db, ids));
        let newest = look.await.unwrap_or_else(|late| Err(ApiError::unavailable(late)))?;
        for (job, seq) in newest {
            jobs::has_event(context, job, seq);
            behind += context.hub.catch_up(job, seq);
        }
    }
    Ok(behind)
}

/// Reminds the engine which mechanics somebody watches.
pub fn renew_audience(context: &WsContext) {
    context.engine.watch(context.hub.with_audience().into_iter().map(JobId));
}
