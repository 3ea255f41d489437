//! Tokens for a job's room.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    availability,
    context::CallsContext,
    dto::{CallIceServer, CallToken},
    guests,
    owned::party,
    refusals::not_callable,
};
use crate::{
    jobs::{self, JobRow},
    messaging::guests::{Guest, Speaker},
    platform::error::{ApiError, ApiResult, Code},
    providers::ProviderError,
};

/// Issues a token for the room of the job's customer and its present mechanic. The room is made at first use and kept with the
/// job until it has another mechanic.
pub async fn issue(context: &CallsContext, by: Speaker, job_id: Uuid) -> ApiResult<CallToken> {
    let (job, _) = party(context, by, job_id).await?;
    let now = context.clock.now();
    enter(context, by, &job, now + ttl(context), now).await
}

/// Issues a token for a guest. The customer talks in that room, too, so a guest needs a call of their own, and the token ends
/// with it.
pub async fn issue_as_guest(context: &CallsContext, guest: Guest, job: &JobRow) -> ApiResult<CallToken> {
    let now = context.clock.now();
    callable(context, job, now)?;
    let Some(call) = guests::live(context, guest, job).await? else {
        let why = "Call the mechanic first, or wait for their call.";
        return Err(ApiError::new(Code::Conflict, why));
    };
    // A call that still rings gets another deadline once it is answered.
    let end = call.deadline_at.filter(|_| call.answered_at.is_some()).unwrap_or(guest.expires_at);
    enter(context, guest.into(), job, (now + ttl(context)).min(end), now).await
}

async fn enter(
    context: &CallsContext,
    by: Speaker,
    job: &JobRow,
    expires_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> ApiResult<CallToken> {
    let mechanic = callable(context, job, now)?;
    let Some(room_id) = room(context, job, mechanic).await? else {
        // The mechanic changed while the provider was asked. The former one gets 404.
        party(context, by, job.id).await?;
        return Err(ApiError::new(Code::Conflict, "The job has another mechanic now. Try again."));
    };
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

fn callable(context: &CallsContext, job: &JobRow, now: DateTime<Utc>) -> ApiResult<Uuid> {
    let mechanic = availability::callable_mechanic(job, context.call_settings.after_end(), now);
    mechanic.map_err(not_callable)
}

fn ttl(context: &CallsContext) -> TimeDelta {
    TimeDelta::seconds(context.call_settings.token_ttl_s)
}

/// Returns the room of the job and this mechanic at this provider; `None` if the mechanic has lost the job. No transaction is
/// open while the provider is asked. If two requests make a room at once, the first one to write wins, and both get that room.
async fn room(context: &CallsContext, job: &JobRow, mechanic_profile_id: Uuid) -> ApiResult<Option<String>> {
    let held = job.hms_room_id.as_deref();
    if let Some(held) = held.filter(|held| context.rooms.is_own(held)) {
        return Ok(Some(held.to_owned()));
    }
    let made = context.rooms.open(job.id, mechanic_profile_id, context.clock.now()).await.map_err(failed)?;
    jobs::keep_room(context, job.id, mechanic_profile_id, held, &made).await
}

fn failed(error: ProviderError) -> ApiError {
    ApiError::new(Code::ProviderError, "The call provider did not respond. Try again.").caused_by(error)
}
