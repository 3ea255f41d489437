//! The way into a job's room.

use chrono::TimeDelta;
use uuid::Uuid;

use super::{
    actions, availability,
    dto::{CallIceServer, CallToken},
};
use crate::{
    jobs::{self, JobRow},
    messaging::{calls::CallsContext, guests::Speaker},
    platform::error::{ApiError, ApiResult, Code},
    providers::ProviderError,
};

/// A token for the room of the job's customer and its present mechanic, which is made at first use and stands in the job until
/// another mechanic has the job.
pub async fn issue(context: &CallsContext, by: Speaker, job_id: Uuid) -> ApiResult<CallToken> {
    let (job, _) = actions::party(context, by, job_id).await?;
    let now = context.clock.now();
    let mechanic = availability::callable_mechanic(&job, actions::grace(&context.settings), now)
        .map_err(actions::not_callable)?;
    let Some(room_id) = room(context, &job, mechanic).await? else {
        // While the provider was asked somebody lost the job: whoever it is has no way in.
        actions::party(context, by, job_id).await?;
        return Err(ApiError::new(Code::Conflict, "The job has another mechanic now. Try again."));
    };
    let expires_at = now + TimeDelta::seconds(context.settings.calls.token_ttl_s);
    let token = context.rooms.admit(&room_id, by.id(), now, expires_at).map_err(failed)?;
    let servers = context.rooms.ice_servers(by.id(), expires_at);
    Ok(CallToken {
        provider: context.rooms.name(),
        room_id,
        token,
        ice_servers: servers.into_iter().map(CallIceServer::from).collect(),
        expires_at: expires_at.into(),
    })
}

/// The room of the job and this mechanic at this provider; `None` where the mechanic has lost the job by now. No transaction is
/// open while the provider is asked; of two who ask at once the first to write wins, and both get that room.
async fn room(context: &CallsContext, job: &JobRow, mechanic_profile_id: Uuid) -> ApiResult<Option<String>> {
    let held = job.hms_room_id.as_deref();
    if let Some(held) = held.filter(|held| context.rooms.is_own(held)) {
        return Ok(Some(held.to_owned()));
    }
    let made = context.rooms.open(job.id, mechanic_profile_id, context.clock.now()).await.map_err(failed)?;
    jobs::keep_room(&context.db, job.id, mechanic_profile_id, held, &made).await
}

/// Nothing of it was kept: the same may succeed later.
fn failed(error: ProviderError) -> ApiError {
    ApiError::new(Code::ProviderError, "The call provider did not respond. Try again.").caused_by(error)
}
