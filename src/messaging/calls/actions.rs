//! The steps of a call. Each is one transaction: the call, the job's log and the notifications.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{
    ids::UserId,
    job::state::{Actor, Command as JobCommand},
};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    availability,
    context::CallsContext,
    dto::Call,
    due::{due, max_length},
    owned::{OwnCall, device_of, gone, party, side_of_job},
    queries::{self, CallRow},
    refusals::{not_callable, refused},
    state::{CallCommand, CallDevice, CallEvent, CallReach, CallRefusal, CallStatus, EndReason, Side},
};
use crate::{
    jobs::{self, JobRow, Viewer, log},
    messaging::guests::{self, Speaker},
    notifications::{self, Addressee, DomainEvent},
    platform::{
        error::{ApiError, ApiResult, Code, commit_error},
        idempotency::{self, Claim},
    },
};

/// The number of calls that one run ends; the next run follows at once.
const AT_ONCE: i64 = 100;

/// Calls the other side of a job. 409 names a call that is in progress.
pub async fn invite(context: &CallsContext, by: Speaker, job_id: Uuid, claim: &Claim) -> ApiResult<Call> {
    let (_, speaks_as) = party(context, by, job_id).await?;
    context.limits.check_call(by.budget())?;
    let now = context.clock.now();
    // This comes before the job is locked, since other servers may have to be asked.
    let is_listening = match speaks_as {
        Viewer::Mechanic => {
            let links = guests::links_of(&context.db, job_id, now).await?;
            !links.is_empty() && context.sockets.is_any_open(links).await
        }
        Viewer::Customer | Viewer::Admin => false,
    };
    let mut tx = context.db.begin().await?;
    let job = lock_job(&mut tx, context, job_id).await?;
    let side = side_of_job(by, &job).ok_or_else(|| ApiError::not_found("job"))?;
    // A call whose time is up ends here, in the same transaction.
    if let Some(mut live) = queries::lock_live(&mut tx, job_id).await?
        && !settle(&mut tx, context, &mut live, &job, now).await?
    {
        return Err(busy(live.id));
    }
    let mechanic_profile_id = availability::callable_mechanic(&job, context.call_settings.after_end(), now)
        .map_err(not_callable)?;
    let mechanic = queries::user_of_profile(&mut *tx, mechanic_profile_id).await?;
    let mechanic = mechanic.ok_or_else(|| ApiError::internal("the mechanic has no account"))?;
    let is_mechanics = side == Viewer::Mechanic;
    let callee_id = if is_mechanics { job.customer_id } else { mechanic };
    let on_job = availability::has_active_mechanic(&job);
    // Links end with the job.
    let links =
        if is_mechanics && on_job { guests::links_of(&mut *tx, job_id, now).await? } else { Vec::new() };
    let mut until = now + TimeDelta::seconds(context.call_settings.ring_s);
    if let Some(link) = by.link() {
        // The guest was admitted before the job was locked.
        let end = guests::hold_link(&mut tx, link, now).await?.filter(|_| on_job);
        until = until.min(end.ok_or_else(guests::link_expired)?);
    }
    let call = CallRow {
        id: context.random.id(now),
        job_id,
        mechanic_profile_id,
        caller_id: by.account(&job),
        callee_id,
        caller_session_id: by.device(),
        callee_session_id: None,
        on_job,
        status: CallStatus::Ringing,
        end_reason: None,
        deadline_at: Some(until),
        created_at: now,
        answered_at: None,
        ended_at: None,
        rings: match side {
            Viewer::Mechanic => availability::reach(job.contact_preference, !links.is_empty(), is_listening),
            Viewer::Customer | Viewer::Admin => CallReach::Account,
        },
        caller_link_id: by.link(),
        callee_link_id: None,
    };
    queries::insert(&mut tx, &call).await?;
    idempotency::complete(&mut tx, claim, call.id).await?;
    if call.rings.has_account() {
        let to = Addressee::User(callee_id);
        let rings = DomainEvent::CallIncoming { to, job_id, call_id: call.id, rings_until: until };
        notifications::record(&mut tx, &context.random, rings, now).await?;
    }
    log(&mut tx, context, &call, actor_of(by, &job), now).await?;
    tx.commit().await.map_err(commit_error)?;
    let called = call.rung(links);
    let call = Call::from(call);
    for person in called {
        context.sockets.rings(person, None, &call);
    }
    log::notify_committed(context, job_id).await;
    Ok(call)
}

/// Answers a call with this device.
pub async fn accept(context: &CallsContext, call: &OwnCall) -> ApiResult<Call> {
    act(context, call, CallCommand::Accept).await
}

pub async fn reject(context: &CallsContext, call: &OwnCall) -> ApiResult<Call> {
    act(context, call, CallCommand::Reject).await
}

/// Ends a call, ringing or answered.
pub async fn hang_up(context: &CallsContext, call: &OwnCall) -> ApiResult<Call> {
    act(context, call, CallCommand::HangUp).await
}

async fn act(
    context: &CallsContext,
    found: &OwnCall,
    command: fn(CallDevice) -> CallCommand,
) -> ApiResult<Call> {
    let (by, now) = (found.by, context.clock.now());
    let mut tx = context.db.begin().await?;
    let job = lock_job(&mut tx, context, found.job.id).await?;
    let mut call = queries::lock(&mut tx, found.call.id).await?.ok_or_else(gone)?;
    let device = device_of(by, &call, &job).ok_or_else(gone)?;
    let is_settled = settle(&mut tx, context, &mut call, &job, now).await?;
    let refusal = match call.stage().decide(command(device), max_length(&context.call_settings), now) {
        Ok(CallEvent::Over { .. }) if call.is_elsewhere(by) => Some(CallRefusal::Elsewhere),
        Ok(event) => {
            let event = by_link(&mut tx, &mut call, by, event, now).await?;
            apply(&mut tx, context, &mut call, event, actor_of(by, &job), now).await?;
            None
        }
        Err(CallRefusal::AlreadyDone) if !is_settled => return Ok(call.into()),
        Err(CallRefusal::AlreadyDone) => None,
        Err(refusal) => Some(refusal),
    };
    if let Some(refusal) = refusal.filter(|_| !is_settled) {
        return Err(refused(refusal));
    }
    tx.commit().await.map_err(commit_error)?;
    log::notify_committed(context, call.job_id).await;
    refusal.map_or(Ok(call.into()), |refusal| Err(refused(refusal)))
}

/// Returns the event of an accepted call, bound to the link of a guest who takes part: such a call ends with the link at the
/// latest.
async fn by_link(
    tx: &mut PgConnection,
    call: &mut CallRow,
    by: Speaker,
    event: CallEvent,
    now: DateTime<Utc>,
) -> ApiResult<CallEvent> {
    let CallEvent::Accepted { callee_session_id, until } = event else { return Ok(event) };
    call.callee_link_id = by.link();
    let Some(link) = call.callee_link_id.or(call.caller_link_id) else { return Ok(event) };
    let until = match guests::hold_link(tx, link, now).await? {
        Some(end) => until.min(end),
        None if by.link().is_some() => return Err(guests::link_expired()),
        // A guest's own call: the revocation waits for the job's lock, and then ends it.
        None => until,
    };
    Ok(CallEvent::Accepted { callee_session_id, until })
}

/// Ends the call of a guest whose link was revoked.
pub async fn hang_up_for(context: &CallsContext, job_id: Uuid, link_id: Uuid) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let job = lock_job(&mut tx, context, job_id).await?;
    let live = queries::lock_live(&mut tx, job_id).await?;
    let Some(mut call) = live.filter(|call| call.has_link(link_id)) else { return Ok(()) };
    if !settle(&mut tx, context, &mut call, &job, now).await? {
        let side = if call.caller_link_id == Some(link_id) { Side::Caller } else { Side::Callee };
        let command = CallCommand::HangUp(CallDevice { side, session_id: link_id });
        let event = call.stage().decide(command, max_length(&context.call_settings), now).map_err(refused)?;
        apply(&mut tx, context, &mut call, event, Actor::Customer(UserId(job.customer_id)), now).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    log::notify_committed(context, job_id).await;
    Ok(())
}

/// Ends calls that rang out, lasted too long, or whose job has moved on; returns how many.
pub async fn end_due(context: &CallsContext) -> ApiResult<usize> {
    let due = queries::due(&context.db, context.clock.now(), AT_ONCE).await?;
    let mut ended = 0;
    for id in due {
        // A call that can't be ended now stays due and does not hold up the others.
        match end_one(context, id).await {
            Ok(is_ended) => ended += usize::from(is_ended),
            Err(error) => error.log(),
        }
    }
    Ok(ended)
}

async fn end_one(context: &CallsContext, id: Uuid) -> ApiResult<bool> {
    let Some(found) = queries::find(&context.db, id).await? else { return Ok(false) };
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let job = lock_job(&mut tx, context, found.job_id).await?;
    let Some(mut call) = queries::lock(&mut tx, id).await? else { return Ok(false) };
    if !settle(&mut tx, context, &mut call, &job, now).await? {
        return Ok(false);
    }
    tx.commit().await.map_err(commit_error)?;
    log::notify_committed(context, call.job_id).await;
    Ok(true)
}

/// Applies what time or the job has changed; returns whether that changed the call.
async fn settle(
    tx: &mut PgConnection,
    context: &CallsContext,
    call: &mut CallRow,
    job: &JobRow,
    now: DateTime<Utc>,
) -> ApiResult<bool> {
    let Some(event) = due(&context.call_settings, call, job, now) else { return Ok(false) };
    apply(tx, context, call, event, Actor::System, now).await?;
    Ok(true)
}

/// Stores what happened, adds it to the job's log, and notifies the callee of a missed call.
async fn apply(
    tx: &mut PgConnection,
    context: &CallsContext,
    call: &mut CallRow,
    event: CallEvent,
    by: Actor,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    match event {
        CallEvent::Accepted { callee_session_id, until } => {
            call.status = CallStatus::Accepted;
            call.callee_session_id = Some(callee_session_id);
            (call.answered_at, call.deadline_at) = (Some(now), Some(until));
        }
        CallEvent::Over { status, reason } => {
            // A call that timed out ended at its deadline, however late this is noticed.
            let by_time = matches!(reason, EndReason::NoAnswer | EndReason::MaxLength);
            let deadline = call.deadline_at.take().filter(|_| by_time);
            (call.status, call.end_reason) = (status, Some(reason));
            call.ended_at = Some(deadline.map_or(now, |at| at.min(now)));
        }
    }
    queries::save(tx, call).await?;
    if matches!(call.end_reason, Some(EndReason::NoAnswer | EndReason::CallerHungUp))
        && call.answered_at.is_none()
    {
        let (to, job_id) = (Addressee::User(call.callee_id), call.job_id);
        let missed = DomainEvent::CallMissed { to, job_id, call_id: call.id };
        notifications::record(tx, &context.random, missed, now).await?;
    }
    log(tx, context, call, by, now).await
}

/// Adds the change of the call to the job's log.
async fn log(
    tx: &mut PgConnection,
    context: &CallsContext,
    call: &CallRow,
    by: Actor,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let command = JobCommand::NoteCall { call_id: call.id };
    log::command(tx, context, call.job_id, by, &command, now).await.map_err(jobs::refused)?;
    Ok(())
}

/// Locks the job and returns its row. Lock the job before the call.
async fn lock_job(tx: &mut PgConnection, context: &CallsContext, id: Uuid) -> ApiResult<JobRow> {
    log::lock(tx, context, id).await.map_err(jobs::refused)?;
    jobs::find(&mut *tx, id).await?.ok_or_else(|| ApiError::not_found("job"))
}

fn actor_of(speaker: Speaker, job: &JobRow) -> Actor {
    let user = UserId(speaker.account(job));
    if user.0 == job.customer_id { Actor::Customer(user) } else { Actor::Mechanic(user) }
}

fn busy(id: Uuid) -> ApiError {
    ApiError::new(Code::Conflict, format!("Another call about this job is in progress ({id}). End it first."))
}

/// Deletes calls older than `calls.retention_days`, at most `limit` at once; returns how many.
pub async fn sweep(context: &CallsContext, limit: i64) -> ApiResult<u64> {
    let kept = TimeDelta::days(context.call_settings.retention_days);
    Ok(queries::sweep(&context.db, context.clock.now() - kept, limit).await?)
}
